#include "paraiso/codegen/device/reduction_text.hpp"

#include <fmt/format.h>

#include <limits>

#include "paraiso/om/graph/reduces.hpp"

namespace paraiso::codegen {

using namespace om;

namespace {

/// 0: the dimension. As ReductionGrid of paraiso/support/device/reduce.hpp.
constexpr const char* kGrid = R"(typedef struct {{
  LONG before;  // elements of an array before core cell 0
  LONG size[{0}], stride[{0}];
  LONG bits[{0}];  // chunks of a row, rows, planes, ... are padded to 2^bits
  LONG to;         // where partial results begin
  LONG left;       // so many of them
}} ReductionGrid{0};

)";

/// Of the 2, 4, ..., {block} items of neighbouring threads, `groups` of them in a block.
constexpr const char* kPairs = R"(  for (int apart = 1; apart < {threads}; apart *= 2) {{
    BARRIER;
    if (thread % (2 * apart) == 0) items[thread] = {combine}(items[thread], items[thread + apart]);
  }}
)";

constexpr const char* kChunks =
    R"(/// Chunks of 256 cells, each by 16 threads, of which each combines every 16th cell.
KERNEL void {name}(GLOBAL const {memory}* array, GLOBAL {memory}* partials,
    ReductionGrid{dimension} grid) {{
  SHARED {type} items[256];
  const int thread = (int)THREAD_0, lane = thread % 16;
  const LONG first = ((LONG)BLOCK_0 * (LONG)BLOCK_SIZE_0 + thread) / 16;
  LONG chunks = 1;
  for (int a = 0; a < {dimension}; ++a) chunks <<= grid.bits[a];
  {type} item = {identity};
  for (LONG number = first; number < chunks; number += grid.left) {{
    LONG rest = number >> grid.bits[0], row = grid.before;
    bool inside = true;
    for (int a = 1; a < {dimension}; ++a) {{
      const LONG index = rest & (((LONG)1 << grid.bits[a]) - 1);
      rest >>= grid.bits[a];
      row += index * grid.stride[a];
      inside = inside && index < grid.size[a];
    }}
    const LONG begin = (number & (((LONG)1 << grid.bits[0]) - 1)) * 256;
    const LONG end = !inside ? begin : begin + 256 < grid.size[0] ? begin + 256 : grid.size[0];
    for (LONG i = begin + lane; i < end; i += 16) item = {combine}(item, array[row + i]);
  }}
  items[thread] = item;
{pairs}  if (lane == 0) partials[grid.to + first] = {result};
}}

)";

constexpr const char* kTree = R"(/// Up to 256 partial results by a thread each.
KERNEL void {name}(GLOBAL {memory}* partials, LONG from, LONG to) {{
  SHARED {type} items[256];
  const int thread = (int)THREAD_0, threads = (int)BLOCK_SIZE_0;
  items[thread] = partials[from + (LONG)BLOCK_0 * threads + thread];
{pairs}  if (thread == 0) partials[to + (LONG)BLOCK_0] = items[0];
}}

)";

constexpr const char* kInAnyOrder =
    R"(/// Partial results, of which a thread of the launch combines every one `step` further.
KERNEL void {name}(GLOBAL {memory}* partials, LONG from, LONG to, LONG count, LONG step) {{
  SHARED {type} items[256];
  const int thread = (int)THREAD_0, threads = (int)BLOCK_SIZE_0;
  const LONG first = (LONG)BLOCK_0 * threads + thread;
  {type} item = partials[from + first];
  for (LONG i = first + step; i < count; i += step) item = {combine}(item, partials[from + i]);
  items[thread] = item;
{pairs}  if (thread == 0) partials[to + (LONG)BLOCK_0] = items[0];
}}

)";

const char* function_of(const DeviceReduction& reduction) {
  const bool floats = is_float(reduction.element);
  switch (reduction.op) {
    case ReduceOp::sum: return "add";
    case ReduceOp::product: return "mul";
    case ReduceOp::min: return floats ? "min_or_nan" : "min";
    case ReduceOp::max: return floats ? "max_or_nan" : "max";
    case ReduceOp::any: return "or";
    case ReduceOp::all: break;
  }
  return "and";
}

/// That of min and max of floats is +0 where it is zero.
const char* result(const DeviceReduction& reduction) {
  return makes_zeros_positive(reduction) ? "items[thread] + 0" : "items[thread]";
}

std::string text(const Dialect& dialect, const char* form, const DeviceReduction& reduction,
                 const std::string& kernel, const char* threads) {
  const std::string combining = combining_function(reduction);
  const std::string pairs = fmt::format(fmt::runtime(kPairs), fmt::arg("threads", threads),
                                        fmt::arg("combine", combining));
  return fmt::format(fmt::runtime(form), fmt::arg("name", kernel), fmt::arg("combine", combining),
                     fmt::arg("type", device_type(dialect, reduction.element)),
                     fmt::arg("memory", memory_type(dialect, reduction.element)),
                     fmt::arg("dimension", reduction.dimension),
                     fmt::arg("identity", device_literal(dialect, identity(reduction))),
                     fmt::arg("result", result(reduction)), fmt::arg("pairs", pairs));
}

}  // namespace

std::string combining_function(const DeviceReduction& reduction) {
  return fmt::format("{}_{}", function_of(reduction), name(reduction.element));
}

Constant identity(const DeviceReduction& reduction) {
  return with_element(reduction.element, [&](auto element) {
    using T = decltype(element);
    using limits = std::numeric_limits<T>;
    switch (reduction.op) {
      case ReduceOp::sum: return Constant(static_cast<T>(is_float(reduction.element) ? -0.0 : 0));
      case ReduceOp::product: return Constant(static_cast<T>(1));
      case ReduceOp::min:
        return Constant(limits::has_infinity ? limits::infinity() : limits::max());
      case ReduceOp::max:
        return Constant(limits::has_infinity ? static_cast<T>(-limits::infinity()) : limits::min());
      case ReduceOp::any: return Constant(static_cast<T>(0));
      case ReduceOp::all: break;
    }
    return Constant(static_cast<T>(1));
  });
}

bool makes_zeros_positive(const DeviceReduction& reduction) {
  const bool extreme = reduction.op == ReduceOp::min || reduction.op == ReduceOp::max;
  return extreme && is_float(reduction.element);
}

std::string chunks_kernel(const std::string& solver, const DeviceReduction& reduction) {
  return fmt::format("{}_reduce_{}_{}_{}d", solver, name(reduction.op), name(reduction.element),
                     reduction.dimension);
}

std::string tree_kernel(const std::string& solver, const DeviceReduction& reduction) {
  return fmt::format("{}_reduce_{}_{}_tree", solver, name(reduction.op), name(reduction.element));
}

std::set<std::string> reduction_functions(const std::set<DeviceReduction>& reductions) {
  std::set<std::string> functions;
  for (const DeviceReduction& reduction : reductions)
    functions.insert(combining_function(reduction));
  return functions;
}

std::string reduction_kernels(const Dialect& dialect, const std::string& solver,
                              const std::set<DeviceReduction>& reductions) {
  std::string all;
  std::set<int> dimensions;
  std::set<std::string> trees;
  for (const DeviceReduction& reduction : reductions) {
    if (dimensions.insert(reduction.dimension).second)
      all += fmt::format(fmt::runtime(kGrid), reduction.dimension);
    all += text(dialect, kChunks, reduction, chunks_kernel(solver, reduction), "16");
    if (const std::string tree = tree_kernel(solver, reduction); trees.insert(tree).second)
      all += text(dialect, om::has_order(reduction.op, reduction.element) ? kTree : kInAnyOrder,
                  reduction, tree, "threads");
  }
  return spell(dialect, all);
}

}  // namespace paraiso::codegen
