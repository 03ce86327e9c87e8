#include "paraiso/codegen/device/lower/partials_text.hpp"

#include <fmt/format.h>

#include "paraiso/codegen/cpp/cpp_words.hpp"
#include "paraiso/codegen/cpp/print_cpp.hpp"

namespace paraiso::codegen {

std::string tiles_text(const claris::BlockShape& block) {
  std::string text;
  for (const auto& [axis, cells] : block.tiles)
    text += fmt::format("{}{{{}, {}}}", text.empty() ? "" : ", ", axis, cells);
  return text;
}

std::string layout_of(const DeviceModule& device, const PartialResults& partials) {
  if (partials.of_chunks()) return "support::PartialsLayout::of_chunks(size)";
  return fmt::format("support::PartialsLayout::of_blocks(size, {{{}}})",
                     tiles_text(*device.function(partials.function).kernel));
}

std::string make_partials(const DeviceModule& device, const PartialResults& partials) {
  const bool truth = partials.element == om::Element::boolean;
  return wrap_line(fmt::format("  partials_.emplace_back(device_, {}, static_cast<{}>({}));",
                               layout_of(device, partials),
                               truth ? "std::uint8_t" : cpp_type(partials.element),
                               cpp_literal(identity(device.reduction(partials))))) +
         "\n";
}

}  // namespace paraiso::codegen
