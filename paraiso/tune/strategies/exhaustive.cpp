// exhaustive: every genome of a small space, in the order of their letters, after the starts.
#include <fmt/format.h>

#include "paraiso/base/error.hpp"
#include "paraiso/tune/strategies/all.hpp"

namespace paraiso::tune {
namespace {

constexpr std::int64_t kLargestSpace = 1000000;

class Exhaustive final : public Strategy {
 public:
  explicit Exhaustive(const SearchContext& setting)
      : setting_(setting), next_(setting.space.genes.size()) {}

  std::optional<Birth> ask() override {
    for (const plan::Genome& start : setting_.space.starts)
      if (!setting_.history.known(start)) return Birth{start, "start", {}, 0};
    auto genome = first_unknown();
    return genome ? std::optional(Birth{std::move(*genome), "exhaustive", {}, 0}) : std::nullopt;
  }

  [[nodiscard]] bool knows_all() override { return !first_unknown(); }

  void tell(std::size_t) override {}

  [[nodiscard]] std::string ending() const override { return "every schedule is known"; }

 private:
  std::optional<plan::Genome> first_unknown() {
    for (; more_; advance())
      if (plan::Genome genome = setting_.space.canonical(next_); !setting_.history.known(genome))
        return genome;
    return std::nullopt;
  }

  /// Counts up; the last gene changes fastest.
  void advance() {
    for (std::size_t g = next_.size(); g-- > 0; next_[g] = 0)
      if (++next_[g] < setting_.space.genes[g].alleles.size()) return;
    more_ = false;
  }

  SearchContext setting_;
  plan::Genome next_;
  bool more_ = true;
};

}  // namespace

std::unique_ptr<Strategy> make_exhaustive(const SearchContext& setting) {
  const auto count = genome_count(setting.space.genes);
  if (!count || *count > kLargestSpace)
    throw Error(fmt::format("`exhaustive` tries at most {} genomes: this space has {}",
                            kLargestSpace, genome_count_text(setting.space.genes)))
        .with_hint("`anneal` searches spaces of any size");
  return std::make_unique<Exhaustive>(setting);
}

}  // namespace paraiso::tune
