// Climber: iterated local search, with what comes next left open. Climbs from the best of some
// random genomes by changes of one gene, and takes the first that is faster; at a summit, where
// none is, it leaps to near the best summit and climbs again; after some vain climbs it begins
// anew. Gives: Climber. Needs: batch, breeding.
// H. R. Lourenco, O. C. Martin, T. Stuetzle, Iterated Local Search, 2003.
#pragma once

#include "paraiso/tune/strategies/parts/breeding.hpp"

namespace paraiso::tune {

class Climber : public BatchStrategy {
 public:
  /// Settings: `first`, `patience`, `far`.
  explicit Climber(const SearchContext& setting);

 protected:
  struct Step {
    std::size_t gene;
    std::uint16_t allele;
  };

  /// Puts in order what may be tried from `here`: `near` are numbers one step away and all names,
  /// `far` other numbers. What comes first is at the back.
  [[nodiscard]] virtual std::vector<Step> in_order(const plan::Genome& here, std::vector<Step> near,
                                                   std::vector<Step> far) = 0;
  /// Where to climb from next, known or not.
  [[nodiscard]] virtual plan::Genome leap(const plan::Genome& summit) = 0;

  void shuffle(std::vector<Step>& steps);
  [[nodiscard]] Breeding& breeding() { return breeding_; }

 private:
  std::vector<Birth> next(const std::vector<std::size_t>& answers) override;
  std::vector<Birth> begin();
  std::vector<Birth> random_ones(std::vector<Birth> batch);
  void find_steps();
  std::vector<Birth> leave_summit();

  Breeding breeding_;
  std::size_t first_;
  int patience_, vain_ = 0;
  bool far_;
  std::optional<std::size_t> at_, summit_;
  std::vector<Step> steps_;
};

}  // namespace paraiso::tune
