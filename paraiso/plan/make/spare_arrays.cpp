#include "paraiso/plan/make/spare_arrays.hpp"

#include <algorithm>

namespace paraiso::plan {

using namespace om;

ArrayRef SpareArrays::take(Element element, std::optional<StaticId> target) {
  const std::size_t size = size_of(element);
  const Offset wanted = target ? skews_.of(*target) : Offset();
  std::vector<Offset>& known = skews_.spares[size];
  std::set<int>& taken = taken_[size];
  int number = 0;
  while (number < std::ssize(known) &&
         (taken.contains(number) || known[static_cast<std::size_t>(number)] != wanted))
    ++number;
  if (number == std::ssize(known)) known.push_back(wanted);
  taken.insert(number);
  counts_[size] = std::max(counts_[size], number + 1);
  return {std::nullopt, number, element};
}

void SpareArrays::give_back(const ArrayRef& array) {
  taken_[size_of(array.element)].erase(array.spare);
}

bool SpareArrays::fits(const ArrayRef& array, Element element,
                       std::optional<StaticId> target) const {
  return array.element == element && skews_.of(array) == (target ? skews_.of(*target) : Offset());
}

}  // namespace paraiso::plan
