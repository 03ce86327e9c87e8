// random: the starts, then genomes drawn regardless of any score, uniformly over what can be drawn:
// the baseline for all others, whose law is known (replay/drawing_law.hpp).
// scattered: the same, but from near the start to far from it. In a space of 10^300 genomes uniform
// ones are all poor; these are of many kinds, and a sample of such a space to search in.
#include <fmt/format.h>

#include "paraiso/tune/strategies/all.hpp"

namespace paraiso::tune {
namespace {

// After this many known genomes in a row the space counts as exhausted.
constexpr int kMostRepeats = 1000;

class Random final : public Strategy {
 public:
  using Draw = plan::Genome (*)(const Space&, Rng&);
  Random(const SearchContext& setting, Draw draw, const char* method)
      : setting_(setting), draw_(draw), method_(method), rng_(setting.seed) {}

  std::optional<Birth> ask() override {
    for (const plan::Genome& start : setting_.space.starts)
      if (!setting_.history.known(start)) return Birth{start, "start", {}, 0};
    for (int attempt = 0; attempt < kMostRepeats; ++attempt)
      if (plan::Genome genome = draw_(setting_.space, rng_); !setting_.history.known(genome))
        return Birth{std::move(genome), method_, {}, 0};
    return std::nullopt;
  }

  void tell(std::size_t) override {}

  [[nodiscard]] std::string ending() const override {
    return fmt::format("{} random schedules in a row were known already", kMostRepeats);
  }

 private:
  SearchContext setting_;
  Draw draw_;
  const char* method_;
  Rng rng_;
};

}  // namespace

std::unique_ptr<Strategy> make_random(const SearchContext& setting) {
  return std::make_unique<Random>(setting, uniform_genome, "random");
}

std::unique_ptr<Strategy> make_scattered(const SearchContext& setting) {
  return std::make_unique<Random>(setting, scattered_genome, "scattered");
}

}  // namespace paraiso::tune
