#include "paraiso/codegen/solver_bytes.hpp"

#include <algorithm>
#include <map>

#include "paraiso/om/verify/verify.hpp"
#include "paraiso/plan/make/part_margin.hpp"
#include "paraiso/support/memory.hpp"

namespace paraiso::codegen {
namespace {

/// The elements of one array that lies shifted. The support header has a grid's dimension in its
/// type.
template <int D = 1>
double array_elements(const plan::Plan& plan, const plan::Extent& margin,
                      const std::vector<std::int64_t>& size, const om::Offset& skew = {}) {
  if constexpr (D < om::kLargestDimension)
    if (plan.machine.dimension > D) return array_elements<D + 1>(plan, margin, size, skew);
  std::int64_t cells[D], lower[D], upper[D], shifted[D] = {};
  std::ranges::copy(size, cells);
  std::ranges::copy(margin.lower, lower);
  std::ranges::copy(margin.upper, upper);
  std::ranges::copy(skew, shifted);
  return paraiso_support::count_elements(cells, lower, upper, plan.row_unit) +
         paraiso_support::count_skew(shifted, cells, lower, upper, plan.row_unit);
}

/// How many arrays there are, by the size of their elements.
using Arrays = std::map<std::size_t, int>;

Arrays fields_of(const plan::Plan& plan) {
  Arrays arrays;
  for (const om::Static& s : plan.machine.statics)
    if (s.type.is_local()) ++arrays[om::size_of(s.type.element)];
  return arrays;
}

Arrays arrays_of(const plan::Plan& plan) {
  Arrays arrays = fields_of(plan);
  for (const auto& [bytes, count] : plan.spares) arrays[bytes] += count;
  return arrays;
}

double plain_bytes(const Arrays& arrays, double elements) {
  double sum = 0;
  for (const auto& [bytes, count] : arrays) sum += count * static_cast<double>(bytes) * elements;
  return sum;
}

double largest_bytes(const Arrays& arrays, double elements) {
  return arrays.empty() ? 0 : static_cast<double>(arrays.rbegin()->first) * elements;
}

double bytes_of(const plan::Plan& plan, const plan::Extent& margin,
                const std::vector<std::int64_t>& size) {
  const double elements = array_elements(plan, margin, size);
  double sum = 0;
  for (const auto& [bytes, count] : arrays_of(plan))
    sum += count * paraiso_support::Array::bytes(elements, bytes);
  for (const auto& [bytes, skew] : plan::skewed_arrays(plan))
    sum += paraiso_support::Array::bytes(array_elements(plan, margin, size, skew), bytes) -
           paraiso_support::Array::bytes(elements, bytes);
  return sum;
}

}  // namespace

double solver_bytes(const plan::Plan& plan, const std::vector<std::int64_t>& size) {
  return bytes_of(plan, plan.margin, size);
}

double array_bytes(const plan::Plan& plan, const std::vector<std::int64_t>& size) {
  return plain_bytes(arrays_of(plan), array_elements(plan, plan.margin, size));
}

double mirror_bytes(const plan::Plan& plan, const std::vector<std::int64_t>& size) {
  return largest_bytes(fields_of(plan), array_elements(plan, plan.margin, size));
}

double largest_array_bytes(const plan::Plan& plan, const std::vector<std::int64_t>& size) {
  return largest_bytes(arrays_of(plan), array_elements(plan, plan.margin, size));
}

double part_bytes(const plan::Plan& plan, const std::vector<std::int64_t>& size) {
  return bytes_of(plan, plan::part_margin(plan), size);
}

}  // namespace paraiso::codegen
