// partials_text: what a solver's class says of the partial results that blocks leave
// (paraiso/support/device/partials.hpp). Gives: combining, tiles_text, layout_of, make_partials.
// Needs: DeviceModule, the words of C++.
#pragma once

#include <fmt/format.h>

#include <string>

#include "paraiso/codegen/cpp/cpp_words.hpp"
#include "paraiso/codegen/cpp/print_cpp.hpp"
#include "paraiso/codegen/device/lower/device_module.hpp"
#include "paraiso/om/graph/reduces.hpp"

namespace paraiso::codegen {

/// How what a reduction leaves may be combined.
[[nodiscard]] inline const char* combining(const DeviceReduction& reduction) {
  return om::has_order(reduction.op, reduction.element) ? "support::Combining::as_tree"
                                                        : "support::Combining::in_any_order";
}

/// Along each axis of a launch, the axis of the grid and the cells of a tile: `{0, 64}, {1, 4}`.
[[nodiscard]] inline std::string tiles_text(const claris::BlockShape& block) {
  std::string text;
  for (const auto& [axis, cells] : block.tiles)
    text += fmt::format("{}{{{}, {}}}", text.empty() ? "" : ", ", axis, cells);
  return text;
}

/// Where they lie, in a grid of `size`.
[[nodiscard]] inline std::string layout_of(const DeviceModule& device,
                                           const PartialResults& partials) {
  if (partials.of_chunks()) return "support::PartialsLayout::of_chunks(size)";
  return fmt::format("support::PartialsLayout::of_blocks(size, {{{}}})",
                     tiles_text(*device.function(partials.function).kernel));
}

/// In the constructor.
[[nodiscard]] inline std::string make_partials(const DeviceModule& device,
                                               const PartialResults& partials) {
  const bool truth = partials.element == om::Element::boolean;
  return wrap_line(fmt::format("  partials_.emplace_back(device_, {}, static_cast<{}>({}));",
                               layout_of(device, partials),
                               truth ? "std::uint8_t" : cpp_type(partials.element),
                               cpp_literal(identity(device.reduction(partials))))) +
         "\n";
}

}  // namespace paraiso::codegen
