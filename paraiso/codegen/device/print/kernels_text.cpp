#include "paraiso/codegen/device/print/kernels_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/codegen/claris/walk.hpp"
#include "paraiso/codegen/device/operators.hpp"
#include "paraiso/codegen/device/print/print_device.hpp"
#include "paraiso/codegen/device/print/repeat_text.hpp"
#include "paraiso/codegen/device/print/vector_text.hpp"

namespace paraiso::codegen {

using namespace claris;

namespace {

// 0: the dimension. As DeviceGrid of paraiso/support/device/solver.hpp.
constexpr const char* kGridText = R"(typedef struct {{
  LONG origin;  // elements of an array before core cell 0
  LONG size[{0}];  // core cells
  LONG stride[{0}];  // elements between neighbours
}} Grid;

)";

constexpr const char* kThreadText =
    R"(/// This thread's number along axis {0}.
FUNCTION LONG thread_{0}(void) {{ return (LONG)BLOCK_{1} * BLOCK_SIZE_{1} + THREAD_{1}; }}

)";

// Compilers then know that all threads of a block share it, and take fewer registers.
constexpr const char* kDeepText =
    R"(/// This thread's number along axis z, along which blocks have one thread.
FUNCTION LONG thread_z(void) {{ return BLOCK_2; }}

)";

// Of ghost cells there may be more than threads.
constexpr const char* kThreadsText =
    R"(/// How many threads there are along axis x.
FUNCTION LONG threads_x(void) { return (LONG)BLOCKS_0 * BLOCK_SIZE_0; }

)";

constexpr const char* kUnrollText =
    R"(#ifndef UNROLL  // The loop that follows is written out so many times at once.
#define UNROLL_PRAGMA(text) _Pragma(#text)
#define UNROLL(times) UNROLL_PRAGMA(unroll times)
#endif

)";

// As DeviceGhosts. The ghost cells are those of axis 0, then those of axis 1 beside these, ...
constexpr const char* kGhostsText =
    R"(/// The ghost cells around the core: so many on each side, and how many in all.
typedef struct {{
  LONG lower[{0}], upper[{0}], count;
}} Ghosts;

/// The indices of the ghost cell of that number: first those beyond axis 0 alone, then those beyond
/// axis 1 and maybe axis 0, ...
/// A division of 64 bits takes many instructions: where it can be one of 32 it is.
FUNCTION void ghost_cell(Grid grid, Ghosts ghosts, LONG number, LONG* cell) {{
  const bool small = ghosts.count <= 0x7fffffff;
  LONG widened[{0}], cells;
  int beyond = -1;
  do {{
    ++beyond;
    cells = 1;
    for (int a = 0; a < {0}; ++a) {{
      widened[a] = ghosts.lower[a] + ghosts.upper[a];
      if (a < beyond) widened[a] += grid.size[a];
      if (a > beyond) widened[a] = grid.size[a];
      cells *= widened[a];
    }}
    number -= cells;
  }} while (number >= 0);
  number += cells;
  for (int a = 0; a < {0}; ++a) {{
    const LONG rows = small ? (LONG)((unsigned)number / (unsigned)widened[a]) : number / widened[a];
    cell[a] = number - rows * widened[a];
    number = rows;
    if (a <= beyond) cell[a] -= ghosts.lower[a];
    if (a == beyond && cell[a] >= 0) cell[a] += grid.size[a];
  }}
}}

/// Where a cell lies in every array.
FUNCTION LONG address(Grid grid, const LONG* cell) {{
  LONG place = grid.origin;
  for (int a = 0; a < {0}; ++a) place += cell[a] * grid.stride[a];
  return place;
}}

)";

constexpr const char* kResolveText =
    R"(enum { CYCLIC, OUTFLOW, REFLECT, REFLECT_NEGATIVE, VALUE };  // the rules of sides
enum { CORE, LOWER, UPPER };                                 // what an index leads to

/// Applies the sides' rules until the index lies in the core or the value of a side is met.
FUNCTION int resolve(LONG* index, LONG size, int lower, int upper, bool* negate) {
  while (*index < 0 || *index >= size) {
    const bool below = *index < 0;
    const int rule = below ? lower : upper;
    if (rule == VALUE) return below ? LOWER : UPPER;
    if (rule == CYCLIC) {
      *index += below ? size : -size;
    } else if (rule == OUTFLOW) {
      *index = below ? 0 : size - 1;
    } else {
      *index = below ? -1 - *index : 2 * size - 1 - *index;
      if (rule == REFLECT_NEGATIVE) *negate = !*negate;
    }
  }
  return CORE;
}

)";

// As PlacesOfPartials of paraiso/support/device/partials.hpp.
constexpr const char* kPlacesText = R"(/// Where partial results of a reduction lie.
typedef struct {
  LONG first;
  LONG stride[3];
} Places;

)";

// 1: the parameters, 2: the same as a list.
constexpr const char* kNearestText =
    R"(/// Where the core cell lies that is nearest to a cell displaced.
FUNCTION LONG nearest(Grid grid, const LONG* cell{1}) {{
  const LONG offset[{0}] = {{{2}}};
  LONG place = grid.origin;
  for (int a = 0; a < {0}; ++a) {{
    const LONG index = cell[a] + offset[a];
    place += (index < 0 ? 0 : index < grid.size[a] ? index : grid.size[a] - 1) * grid.stride[a];
  }}
  return place;
}}

)";

template <class... Nodes>
bool any_mentions(const DeviceModule& module) {
  return std::ranges::any_of(module.functions, [](const Function& function) {
    return mentions(function.body, AnyOf<Nodes...>());
  });
}

/// What the functions share.
std::string prelude(const DeviceModule& module, const Dialect& dialect) {
  const int dimension = module.module.dimension;
  std::string text;
  if (module.functions.empty()) return text;
  text += fmt::format(fmt::runtime(kGridText), dimension);
  const bool fills = any_mentions<FillGhosts, KeptSources>(module);
  const bool shares_cells = any_mentions<ForThreads>(module);
  for (int a = 0; a < std::min(dimension, 3); ++a) {
    if (!shares_cells && (a > 0 || !fills)) continue;  // an unused function would be warned of
    text += fmt::format(fmt::runtime(a < 2 ? kThreadText : kDeepText), "xyz"[a], a);
    if (a == 0 && fills) text += kThreadsText;
  }
  if (any_mentions<Unroll, StoreGhosts>(module)) text += kUnrollText;
  text += vector_functions(dialect, module.functions);
  if (fills) text += fmt::format(fmt::runtime(kGhostsText), dimension);
  if (fills || any_mentions<FindSource>(module)) text += kResolveText;
  if (!module.module.partials.empty()) text += kPlacesText;
  if (any_mentions<NearestCell>(module)) {
    std::string parameters, list;
    for (int a = 0; a < dimension; ++a) {
      parameters += fmt::format(", LONG {}", "xyzw"[a]);
      list += fmt::format("{}{}", a ? ", " : "", "xyzw"[a]);
    }
    text += fmt::format(fmt::runtime(kNearestText), dimension, parameters, list);
  }
  return text;
}

/// A language that is compiled where it runs leaves out a kernel whose blocks are too large for the
/// device: drivers refuse a source that has one.
std::string where_it_fits(const Function& function, const Dialect& dialect, std::string text) {
  if (dialect.compiled_by || !function.kernel || !function.kernel->asks_for_shared()) return text;
  return fmt::format("#if !defined(BLOCK_SHARED) || BLOCK_SHARED >= {}\n{}#endif\n",
                     function.kernel->shared_bytes, text);
}

/// As the class declares it.
std::string scalars_text(const DeviceModule& module, const Dialect& dialect) {
  if (module.scalars.all.empty()) return {};
  std::string text =
      "/// All scalars, and what guards steps that follow each other without the host.\n"
      "typedef struct {\n";
  for (const DeviceScalar& scalar : module.scalars.all)
    text += fmt::format("  {} {};\n", memory_type(dialect, scalar.element), scalar.name);
  return text + "  double until;\n  LONG stop, done, guarded;\n} Scalars;\n\n";
}

}  // namespace

std::string kernels_text(const DeviceModule& module, const Dialect& dialect) {
  DevicePrinter printer(dialect, module.scalars.held);
  std::string functions;
  for (const Function& function : module.functions)
    functions += where_it_fits(function, dialect, printer.print(function)) + "\n";
  std::set<std::string> used = printer.used();
  used.merge(reduction_functions(module.reductions));
  const std::string repeats =
      repeat_functions(dialect, module.functions, module.module.dimension, used);
  const bool asks = std::ranges::any_of(module.functions, [](const Function& function) {
    return function.kernel && function.kernel->asks_for_shared();
  });
  return std::string(dialect.head) + (asks ? dialect.shared_of_launch : "") + "\n" +
         spell(dialect, prelude(module, dialect) + scalars_text(module, dialect)) +
         device_functions(dialect, used) + repeats +
         reduction_kernels(dialect, module.module.name, module.reductions) + functions;
}

}  // namespace paraiso::codegen
