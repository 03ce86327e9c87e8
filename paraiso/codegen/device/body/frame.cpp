#include "paraiso/codegen/device/body/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "paraiso/base/axis_name.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/codegen/device/operators.hpp"
#include "paraiso/codegen/lower/body_lowering.hpp"
#include "paraiso/plan/device/thread/several_cells.hpp"

namespace paraiso::codegen {

using namespace claris;

namespace {

// Words of OpenCL C and of CUDA that are none of C++: keywords, types, what headers define.
constexpr std::string_view kDeviceWords =
    "kernel global local constant private generic pipe read_only write_only read_write uniform "
    "half quad complex imaginary restrict uchar ushort uint ulong size_t ptrdiff_t intptr_t "
    "uintptr_t event_t sampler_t queue_t image1d_t image2d_t image3d_t vec_step typeof asm "
    "blockIdx blockDim threadIdx gridDim warpSize dim3 as_char as_uchar as_short as_ushort as_int "
    "as_uint as_long as_ulong as_float as_double as_half printf barrier fma";

// What the text of kernels calls its own.
constexpr std::string_view kFrameWords =
    "grid ghosts cell at row plane number value negate resolve address nearest ghost_cell thread_x "
    "thread_y thread_z threads_x threads_y threads_z lane UNROLL Grid Ghosts Places scalars "
    "reduced Scalars Sides_bool Sides_i32 Sides_i64 Sides_f32 Sides_f64 sides first_ghost "
    "last_ghost repeated going shared_of_launch SHARED_OF_LAUNCH BLOCK_SHARED";

std::string bound_name(int axis, std::string_view bound) {
  return fmt::format("{}_{}", loop_variable(axis), bound);
}

Names make_kernel_names() {
  Names names;
  for (const std::string_view words : {kDeviceWords, kFrameWords})
    for (const std::string& word : split(words, ' ')) names.take(word);
  for (const std::string& function : device_names()) names.take(function);
  for (int a = 0; a < 16; ++a) names.take(loop_variable(a));
  for (int a = 1; a < 16; ++a) names.take(stride_name(a));
  for (int a = 0; a < plan::kLaunchAxes; ++a)
    for (const char* bound : {"first", "last"}) names.take(bound_name(a, bound));
  for (int a = 0; a < 16; ++a) names.take(fmt::format("met_{}", axis_name(a)));
  for (const char* vector : {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong",
                             "float", "double", "half"})
    for (const int lanes : {1, 2, 3, 4, 8, 16}) names.take(fmt::format("{}{}", vector, lanes));
  return names;
}

}  // namespace

const Names& kernel_names() {
  static const Names names = make_kernel_names();
  return names;
}

std::string stride_name(int axis) {
  return axis == 1 ? "row" : axis == 2 ? "plane" : fmt::format("stride{}", axis);
}

std::string repeat_routine(const std::string& field) { return "store_ghosts_of_" + field; }

ExprPtr beside(const om::Offset& offset, ExprPtr place) {
  for (std::size_t a = offset.size(); a-- > 0;) {
    const int cells = offset[a];
    if (a == 0) {
      place = plus(std::move(place), integer(cells));
    } else if (cells != 0) {
      ExprPtr distance = times(integer(std::abs(cells)), name(stride_name(static_cast<int>(a))));
      place = cells > 0 ? plus(std::move(place), std::move(distance))
                        : minus(std::move(place), std::move(distance));
    }
  }
  return place;
}

BlockShape block_shape(const plan::DeviceOptions& options, int dimension) {
  BlockShape shape{options.block_x, dimension == 1 ? 1 : options.block_y};
  shape.resident = options.resident;
  const int launched[] = {shape.x * options.vector, shape.y, 1};
  for (int a = 0; a < std::min(dimension, plan::kLaunchAxes); ++a)
    shape.tiles.push_back(
        {a, launched[a] * (a == plan::axis_of_cells(dimension) ? options.cells : 1)});
  return shape;
}

std::string first_cell(int axis) { return bound_name(axis, "first"); }

ExprPtr end_of(const plan::Extent& box, int axis) {
  return plus(make({GridSize{axis}}), integer(box.upper[axis]));
}

namespace {

/// Along `axis`, the cells of a thread that starts at a variable of its own. Written out, the loads
/// of all come first.
Block over_cells(const plan::Extent& box, int axis, int cells, bool written_out, AtCell cell) {
  const ExprPtr first = name(first_cell(axis));
  const std::string last = bound_name(axis, "last");
  const auto loop = [&](Block body) -> Statement {
    return {For{loop_variable(axis), first, name(last), std::move(body)}};
  };
  Block all = {
      {Declare{{}, last, make({Smaller{plus(first, integer(cells)), end_of(box, axis)}})}}};
  if (written_out) all.push_back({DeviceStatement{Unroll{cells}}});
  all.push_back(loop(std::move(cell.first)));
  if (cell.then.empty()) return all;
  all.push_back({DeviceStatement{Unroll{1}}});  // few threads have something to do
  all.push_back(loop(std::move(cell.then)));
  return all;
}

}  // namespace

Block over_box(const plan::Extent& box, AtCell cell, int cells, int vector) {
  const int dimension = static_cast<int>(box.lower.size());
  const int launched = std::min(dimension, plan::kLaunchAxes);
  const int several = plan::axis_of_cells(dimension);
  Block all;
  ExprPtr place =
      plus(make({DeviceExpr{CoreCell{}}}), name(vector > 1 ? first_cell(0) : loop_variable(0)));
  for (int a = 1; a < dimension; ++a) {
    all.push_back({Declare{{}, stride_name(a), make({GridStride{a}})}});
    place = plus(std::move(place), times(name(loop_variable(a)), name(stride_name(a))));
  }
  const Statement at{Declare{{}, "at", std::move(place)}};
  cell.first.insert(cell.first.begin(), at);
  if (cells > 1 && !cell.then.empty()) cell.then.insert(cell.then.begin(), at);
  Block body;
  if (cells > 1) {
    body = over_cells(box, several, cells, vector == 1, std::move(cell));
  } else {
    body = std::move(cell.first);
    std::ranges::move(cell.then, std::back_inserter(body));
  }
  for (int a = launched; a < dimension; ++a)
    body = {{For{loop_variable(a), integer(-box.lower[a]), end_of(box, a), std::move(body)}}};
  ForThreads threads{{}, std::move(body)};
  for (int a = 0; a < launched; ++a) {
    const int own = a == 0 ? vector : a == several ? cells : 1;
    threads.axes.push_back({a, own > 1 ? first_cell(a) : loop_variable(a), integer(-box.lower[a]),
                            end_of(box, a), own});
  }
  all.push_back({DeviceStatement{std::move(threads)}});
  return all;
}

}  // namespace paraiso::codegen
