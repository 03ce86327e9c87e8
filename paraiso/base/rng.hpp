// Rng: the one source of randomness; every random choice takes one, with a printed seed.
// Gives: Rng. Needs: the standard's Mersenne twister, whose sequence is the same everywhere.
#pragma once

#include <cstdint>
#include <random>

namespace paraiso {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : engine_(seed) {}

  [[nodiscard]] std::uint64_t bits() { return engine_(); }
  /// An integer in [0, count); count > 0.
  [[nodiscard]] std::uint64_t below(std::uint64_t count) { return engine_() % count; }
  /// An integer in [low, high], both ends included.
  [[nodiscard]] std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
  }
  /// A double in [0, 1).
  [[nodiscard]] double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  [[nodiscard]] bool chance(double probability) { return unit() < probability; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace paraiso
