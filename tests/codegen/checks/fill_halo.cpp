// Filled halos against the rules of docs/om.md, cell by cell: any dimension, size, width and side.
// Prints what differs and fails; support_checks_test.cpp compiles it with every compiler.
#include <cstdio>
#include <random>
#include <vector>

#include "paraiso_support.hpp"

using namespace paraiso_support;

namespace {

template <int D>
struct Halo {
  std::int64_t lower[D], upper[D];
  Side sides[D][2];
};

/// A side's value, different for each cell and side.
template <int D, class T>
T side_value(const std::int64_t* cell, int side) {
  std::int64_t sum = side + 1;
  for (int a = 0; a < D; ++a) sum = sum * 7 + cell[a];
  return static_cast<T>(sum);
}

/// The value at any cell, by the definition: the last axis on which the cell is outside comes
/// first.
template <int D, class T>
T meaning(const std::vector<T>& core, const Grid<D>& grid, const Halo<D>& halo,
          const std::int64_t* cell) {
  std::int64_t inside[D];
  for (int a = 0; a < D; ++a) inside[a] = cell[a];
  int axis = D - 1;
  while (axis >= 0 && inside[axis] >= 0 && inside[axis] < grid.size[axis]) --axis;
  if (axis < 0) {
    std::int64_t number = 0;
    for (int a = D - 1; a >= 0; --a) number = number * grid.size[a] + inside[a];
    return core[static_cast<std::size_t>(number)];
  }
  const bool below = inside[axis] < 0;
  const std::int64_t size = grid.size[axis];
  bool negate = false;
  switch (halo.sides[axis][below ? 0 : 1]) {
    case Side::value: return side_value<D, T>(inside, below ? 0 : 1);
    case Side::cyclic: inside[axis] += below ? size : -size; break;
    case Side::outflow: inside[axis] = below ? 0 : size - 1; break;
    case Side::reflect_negative: negate = true; [[fallthrough]];
    case Side::reflect: inside[axis] = below ? -1 - inside[axis] : 2 * size - 1 - inside[axis];
  }
  const T value = meaning(core, grid, halo, inside);
  if constexpr (!std::is_same_v<T, bool>)
    if (negate) return neg(value);
  return value;
}

/// Calls visit(cell, address) for all cells from -lower to size + upper.
template <int D, class Visit>
void each_cell(const Grid<D>& grid, const std::int64_t (&lower)[D], const std::int64_t (&upper)[D],
               Visit&& visit) {
  std::int64_t cell[D];
  for (int a = 0; a < D; ++a) cell[a] = -lower[a];
  for (int a = 0; a < D;) {
    std::int64_t address = 0;
    for (a = 0; a < D; ++a) address += cell[a] * grid.stride[a];
    visit(cell, address);
    for (a = 0; a < D && ++cell[a] == grid.size[a] + upper[a]; ++a) cell[a] = -lower[a];
  }
}

template <int axis, int D, class T>
void fill_from(T* array, const Grid<D>& grid, const Threads& threads, const Halo<D>& halo) {
  if constexpr (axis < D) {
    fill_axis<axis>(
        array, grid, threads, halo.lower, halo.upper, halo.sides[axis][0], halo.sides[axis][1],
        [](const std::int64_t* cell) { return side_value<D, T>(cell, 0); },
        [](const std::int64_t* cell) { return side_value<D, T>(cell, 1); });
    fill_from<axis + 1>(array, grid, threads, halo);
  }
}

template <int D, class T>
bool fills(const Grid<D>& grid, const Halo<D>& halo, int threads, std::mt19937& random) {
  std::vector<T> core;
  Array memory(grid, sizeof(T), 3, threads);
  T* const array = static_cast<T*>(memory.origin());
  const std::int64_t none[D] = {};
  each_cell(grid, none, none, [&](const std::int64_t*, std::int64_t address) {
    core.push_back(static_cast<T>(random() % 100));
    array[address] = core.back();
  });
  const double least = random() % 2 == 0 ? 0 : least_shared;
  fill_from<0>(array, grid, Threads(threads, least), halo);
  bool right = true;
  each_cell(grid, halo.lower, halo.upper, [&](const std::int64_t* cell, std::int64_t address) {
    if (!right || array[address] == meaning(core, grid, halo, cell)) return;
    right = false;
    std::printf("%d-dimensional halo, %d threads, %zu bytes: wrong at cell", D, threads, sizeof(T));
    for (int a = 0; a < D; ++a)
      std::printf(" %lld (of %lld)", static_cast<long long>(cell[a]),
                  static_cast<long long>(grid.size[a]));
    std::printf("\n");
  });
  return right;
}

Side random_side(std::mt19937& random) {
  const Side all[] = {Side::outflow, Side::reflect, Side::reflect_negative, Side::value};
  return all[random() % 4];
}

/// Widths up to twice those of the grid, in arrays whose margins are sometimes wider.
template <int D>
bool random_case(std::mt19937& random, std::int64_t longest, std::int64_t widest) {
  Halo<D> halo;
  std::int64_t size[D], margin_lower[D], margin_upper[D];
  for (int a = 0; a < D; ++a) {
    size[a] = 1 + static_cast<std::int64_t>(random() % longest);
    halo.lower[a] = static_cast<std::int64_t>(random() % (widest + 1));
    halo.upper[a] = static_cast<std::int64_t>(random() % (widest + 1));
    margin_lower[a] = halo.lower[a] + static_cast<std::int64_t>(random() % 2);
    margin_upper[a] = halo.upper[a] + static_cast<std::int64_t>(random() % 2);
    const bool cyclic = random() % 3 == 0;
    for (Side& side : halo.sides[a]) side = cyclic ? Side::cyclic : random_side(random);
  }
  const Grid<D> grid(size, margin_lower, margin_upper);
  const int threads = 1 + static_cast<int>(random() % 3);
  switch (random() % 3) {
    case 0: return fills<D, bool>(grid, halo, threads, random);
    case 1: return fills<D, std::int32_t>(grid, halo, threads, random);
    default: return fills<D, double>(grid, halo, threads, random);
  }
}

}  // namespace

int main() {
  std::mt19937 random(1);
  bool right = true;
  for (int n = 0; n < 200; ++n) {
    right &= random_case<1>(random, 9, 20);
    right &= random_case<1>(random, 9, 80);  // more layers than the table of sources has room for
    right &= random_case<2>(random, 7, 9);
    right &= random_case<3>(random, 6, 6);
    right &= random_case<4>(random, 4, 4);
  }
  // Large enough for several threads on each axis, whatever work is shared.
  for (int n = 0; n < 4; ++n) {
    right &= random_case<2>(random, 3000, 30);
    right &= random_case<3>(random, 150, 4);
  }
  return right ? 0 : 1;
}
