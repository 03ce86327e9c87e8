// spare_arrays: which spare array a value gets. Gives: SpareArrays. Needs: plan.
//
// Arrays trade places with those of the same elements and the same skew, so that a static's storage
// stays shifted as it is. All spares of one size of element are numbered together, and those of a
// program's kernels are the same: an array that one kernel leaves shifted is so for the next.
#pragma once

#include <set>

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

class SpareArrays {
 public:
  /// Of one kernel; adds to `skews` the spares that it takes first.
  explicit SpareArrays(Skews& skews) : skews_(skews) {}

  /// For a value that becomes `target`, or for a temporary one.
  ArrayRef take(om::Element element, std::optional<om::StaticId> target);
  void give_back(const ArrayRef& array);

  /// Whether a value that becomes `target` may lie in `array`.
  [[nodiscard]] bool fits(const ArrayRef& array, om::Element element,
                          std::optional<om::StaticId> target) const;

  /// How many there must be, by size of element.
  [[nodiscard]] const std::map<std::size_t, int>& counts() const { return counts_; }

 private:
  Skews& skews_;
  std::map<std::size_t, std::set<int>> taken_;
  std::map<std::size_t, int> counts_;
};

}  // namespace paraiso::plan
