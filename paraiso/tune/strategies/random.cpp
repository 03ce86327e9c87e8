// random: the starts, then genomes drawn without regard to any score. The baseline of all others.
#include <fmt/format.h>

#include "paraiso/tune/strategies/all.hpp"

namespace paraiso::tune {
namespace {

// So many known genomes in a row, and the space counts as exhausted.
constexpr int kMostRepeats = 1000;

class Random final : public Strategy {
 public:
  explicit Random(const Setting& setting) : setting_(setting), rng_(setting.seed) {}

  std::optional<Birth> ask() override {
    for (const plan::Genome& start : setting_.space.starts)
      if (!setting_.history.known(start)) return Birth{start, "start", {}, 0};
    for (int attempt = 0; attempt < kMostRepeats; ++attempt)
      if (plan::Genome genome = random_genome(setting_.space, rng_);
          !setting_.history.known(genome))
        return Birth{std::move(genome), "random", {}, 0};
    return std::nullopt;
  }

  void tell(std::size_t) override {}

  [[nodiscard]] std::string ending() const override {
    return fmt::format("{} random schedules in a row were known already", kMostRepeats);
  }

 private:
  Setting setting_;
  Rng rng_;
};

}  // namespace

std::unique_ptr<Strategy> make_random(const Setting& setting) {
  return std::make_unique<Random>(setting);
}

}  // namespace paraiso::tune
