// Leaders: the best of many individuals, one for each generated code.
// Gives: same_code, Leaders. Needs: database.
#pragma once

#include <utility>
#include <vector>

#include "paraiso/tune/database/database.hpp"

namespace paraiso::tune {

/// Whether their generated code is known to be the same.
[[nodiscard]] bool same_code(const Individual& one, const Individual& other);

class Leaders {
 public:
  /// At most `count` of them.
  explicit Leaders(std::size_t count) : count_(count) {}
  /// Of individuals with the same code the first one counts; of equal scores it ranks first.
  void add(double score, const Individual& individual);
  /// The highest scores first.
  [[nodiscard]] std::vector<Individual> individuals() const;

 private:
  std::size_t count_;
  std::vector<std::pair<double, Individual>> best_;  // descending scores
};

}  // namespace paraiso::tune
