// Rows whose loops make the cells beyond their ends, against the rules of docs/om.md, cell by cell:
// any length, reach and side. A row has no cell of memory beside its own here: the sanitizers see
// every read that leaves it. Prints what differs and fails.
#include <cstdio>
#include <memory>
#include <random>
#include <vector>

#include "paraiso_support.hpp"

using namespace paraiso_support;

namespace {

/// The value at any cell, by the definition.
template <class T>
T meaning(const std::vector<T>& row, const Side (&sides)[2], const T (&values)[2], std::int64_t i) {
  const auto size = static_cast<std::int64_t>(row.size());
  if (i >= 0 && i < size) return row[static_cast<std::size_t>(i)];
  const bool below = i < 0;
  bool negate = false;
  switch (sides[below ? 0 : 1]) {
    case Side::value: return values[below ? 0 : 1];
    case Side::cyclic: i += below ? size : -size; break;
    case Side::outflow: i = below ? 0 : size - 1; break;
    case Side::reflect_negative: negate = true; [[fallthrough]];
    case Side::reflect: i = below ? -1 - i : 2 * size - 1 - i;
  }
  const T value = meaning(row, sides, values, i);
  return negate ? neg(value) : value;
}

/// Whether the lanes of the last vector beyond the last ghost cell, which nobody reads, hold that
/// cell's value: what memory held there may be denormal numbers, which take long.
template <class Row>
bool ends_with_its_last_cell(const Row& row, int upper) {
  const auto* const beyond = (row.is_short() ? row.at_lower() : row.at_upper()) + row.size + upper;
  for (int lane = 0; lane < Row::lanes - 1; ++lane)
    if (beyond[lane] != beyond[-1]) return false;
  return true;
}

template <int N, class T, class Unit, int lower, int upper>
int check(std::mt19937& random, std::int64_t size) {
  constexpr Side all[] = {Side::cyclic, Side::outflow, Side::reflect, Side::reflect_negative,
                          Side::value};
  const Side sides[2] = {all[random() % 5], all[random() % 5]};
  const T values[2] = {T(-3), T(5)};
  std::vector<T> row(static_cast<std::size_t>(size));
  for (T& cell : row) cell = static_cast<T>(static_cast<int>(random() % 2001) - 1000);
  const std::unique_ptr<T[]> cells(new T[row.size()]);  // a short one ends where its memory ends
  std::copy(row.begin(), row.end(), cells.get());

  constexpr std::int64_t padding = 64;
  std::vector<T> sums(row.size() + N * padding);
  const RowEnds<T, Unit, lower, upper> ends(size, sides[0], sides[1], values[0], values[1]);
  each_vector_of_rows<Unit, N>(
      [&](auto lanes, std::int64_t i, const T* first, const T* second) PARAISO_CELLS {
        using Lanes = decltype(lanes);
        const auto before = neighbour<-lower>(lanes, first + i);
        const auto after = Lanes::load(second + i + upper);
        store(sums.data() + i, before + T(2) * Lanes::load(first + i) + T(4) * after);
      },
      ends.of(cells.get()), ends.of(cells.get()));
  if (!ends_with_its_last_cell(ends.of(cells.get()), upper)) {
    std::printf("%d bytes, reach %d and %d, size %d: lanes beyond the end\n",
                static_cast<int>(sizeof(T)), lower, upper, static_cast<int>(size));
    return 1;
  }

  for (std::int64_t i = 0; i < size; ++i) {
    const T expected = meaning(row, sides, values, i - lower) +
                       T(2) * meaning(row, sides, values, i) +
                       T(4) * meaning(row, sides, values, i + upper);
    if (sums[static_cast<std::size_t>(i)] == expected) continue;
    std::printf("%d bytes, reach %d and %d, %d vectors, size %d, cell %d: %g and not %g\n",
                static_cast<int>(sizeof(T)), lower, upper, N, static_cast<int>(size),
                static_cast<int>(i), static_cast<double>(sums[static_cast<std::size_t>(i)]),
                static_cast<double>(expected));
    return 1;
  }
  return 0;
}

template <class T, class Unit, int lower, int upper>
int check_sizes(std::mt19937& random) {
  int failures = 0;
  for (std::int64_t size = 1; size <= 200; ++size) {
    failures += check<1, T, Unit, lower, upper>(random, size);
    failures += check<2, T, Unit, lower, upper>(random, size);
  }
  return failures;
}

template <class T, class Unit>
int check_reaches(std::mt19937& random) {
  return check_sizes<T, Unit, 1, 1>(random) + check_sizes<T, Unit, 4, 4>(random) +
         check_sizes<T, Unit, 0, 3>(random) + check_sizes<T, Unit, 2, 0>(random) +
         check_sizes<T, Unit, 16, 9>(random);
}

}  // namespace

int main() {
  std::mt19937 random(1);
  const int failures = check_reaches<double, double>(random) + check_reaches<float, float>(random) +
                       check_reaches<double, float>(random) +
                       check_reaches<std::int32_t, std::int16_t>(random);
  return failures > 0;
}
