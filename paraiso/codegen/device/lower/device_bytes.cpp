#include "paraiso/codegen/device/lower/device_bytes.hpp"

#include <algorithm>
#include <utility>

#include "paraiso/codegen/device/lower/device_module.hpp"
#include "paraiso/om/verify/verify.hpp"
#include "paraiso/support/device/partials.hpp"

namespace paraiso::codegen {
namespace {

using paraiso_support::DeviceTile;
using paraiso_support::PartialsLayout;
using paraiso_support::ReductionTree;

/// The size of a grid, whose dimension is in the support header's types, passed on.
template <int D = 1, class Visit>
double with_size(const std::vector<std::int64_t>& size, const Visit& visit) {
  if constexpr (D < om::kLargestDimension)
    if (size.size() > D) return with_size<D + 1>(size, visit);
  std::int64_t cells[D];
  std::ranges::copy(size, cells);
  return visit(cells);
}

/// Of all scalars, as a structure has them, and of what counts steps behind them.
double scalars_bytes(const DeviceScalars& scalars) {
  if (scalars.all.empty()) return 0;
  std::size_t bytes = 0;
  const auto add = [&](std::size_t size) { bytes = (bytes + size - 1) / size * size + size; };
  for (const DeviceScalar& scalar : scalars.all) add(om::size_of(scalar.element));
  for (int more = 0; more < 4; ++more) add(8);  // until, stop, done, guarded
  return static_cast<double>(bytes);
}

/// Partial results of one reduction of blocks.
struct LeftByBlocks {
  std::size_t element_bytes;
  bool of_chunks;
  std::vector<DeviceTile> tiles;

  [[nodiscard]] double bytes(const std::vector<std::int64_t>& size) const {
    return with_size(size, [&](const auto& cells) {
      if (of_chunks) return PartialsLayout::of_chunks(cells).bytes(element_bytes);
      return PartialsLayout::of_blocks(cells, tiles).bytes(element_bytes);
    });
  }
};

}  // namespace

BytesOfSize device_bytes(const plan::Plan& plan, bool has_graphs) {
  const DeviceModule device = make_device_module(plan, "", has_graphs);
  std::vector<LeftByBlocks> left;
  for (const PartialResults& partials : device.module.partials) {
    left.push_back({om::size_of(partials.element), partials.of_chunks(), {}});
    for (const auto& [axis, cells] : device.function(partials.function).kernel->tiles)
      left.back().tiles.push_back({axis, cells});
  }
  return [&plan, left = std::move(left), reduces = !device.reductions.empty(),
          scalars = scalars_bytes(device.scalars)](const std::vector<std::int64_t>& size) {
    double sum = array_bytes(plan, size) + scalars;
    if (reduces)
      sum += with_size(size, [](const auto& cells) {
        return 8 * static_cast<double>(ReductionTree(cells).partials);  // as Reducer has them
      });
    for (const LeftByBlocks& partials : left) sum += partials.bytes(size);
    return sum;
  };
}

}  // namespace paraiso::codegen
