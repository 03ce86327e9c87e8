#include "paraiso/verify/field_cells.hpp"

#include <cstring>

namespace paraiso::verify {

std::vector<char> in_memory(const om::Array& array) {
  const std::size_t bytes = om::size_of(array.element);
  std::vector<char> cells(array.bits.size() * bytes);
  om::with_element(array.element, [&](auto t) {
    for (std::size_t i = 0; i < array.bits.size(); ++i) {
      const auto value = array.at(i).as<decltype(t)>();
      std::memcpy(&cells[i * bytes], &value, bytes);
    }
  });
  return cells;
}

om::Constant in_memory_at(om::Element element, const std::vector<char>& cells, std::size_t i) {
  return om::with_element(element, [&](auto t) {
    std::memcpy(&t, &cells[i * sizeof t], sizeof t);
    return om::Constant(t);
  });
}

}  // namespace paraiso::verify
