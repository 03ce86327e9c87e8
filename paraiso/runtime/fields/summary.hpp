// summary: what `run` tells of each field and scalar at the end.
// Gives: FieldSummary, ScalarSummary, summarise_fields, summarise_scalars, mixed. Needs: Instance,
// the reduction tree.
//
// None of these numbers depends on the order in which cells are visited, nor on who visits which:
// minimum, maximum and hash have no order, and sums follow the fixed tree of docs/om.md. So runs on
// any number of ranks tell the same.
#pragma once

#include <string>
#include <vector>

#include "paraiso/runtime/fields/instance.hpp"

namespace paraiso::runtime {

struct FieldSummary {
  std::string name;
  om::Element element = om::Element::f64;
  double minimum = 0, maximum = 0;  // NaN if any cell is NaN; a zero is +0
  double sum = 0;                   // of the cells as f64, by the fixed tree; NaN if any cell is
  std::string hash;                 // 16 digits: the sum modulo 2^64 of `mixed` over core cells
};
struct ScalarSummary {
  std::string name;
  om::Constant value;
};
[[nodiscard]] std::vector<FieldSummary> summarise_fields(Instance& instance);
[[nodiscard]] std::vector<ScalarSummary> summarise_scalars(const Instance& instance);

/// A cell's part of its field's hash: SplitMix64's finaliser of its bits (zero-extended, any NaN
/// canonical) and its position in the grid, axis 0 fastest. A bijection of either, so a change of
/// one cell always changes the hash.
[[nodiscard]] inline std::uint64_t mixed(std::uint64_t position, std::uint64_t bits) {
  std::uint64_t z = bits + (position + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace paraiso::runtime
