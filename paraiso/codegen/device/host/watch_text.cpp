#include "paraiso/codegen/device/host/watch_text.hpp"

#include <fmt/format.h>

#include "paraiso/codegen/cpp/cpp_words.hpp"
#include "paraiso/codegen/cpp/print_cpp.hpp"
#include "paraiso/codegen/device/reduction_text.hpp"

namespace paraiso::codegen {
namespace {

constexpr const char* kDeclareWatch =
    R"(  /// Whether a cell of a field is NaN. Found on the device, where the host looks at no cell;
  /// `number` is that of the field among all of the state below, from 0.
  bool has_nan(int number);
  /// Frees the host's copy of that field: what was written there is brought to the device before,
  /// and what was looked at there is no longer valid.
  void free_copy(int number);
  /// Keeps a copy of all fields on the device; false where it has no memory for one.
  bool keep_fields();
  void restore_fields();
)";

/// 0: the class, 1: cases of fields, 2 and 3: what keeps and restores, 4: cases of all fields.
constexpr const char* kDefineWatch = R"(bool {0}::has_nan(int number) {{
  switch (number) {{
{1}    default: return false;
  }}
}}

void {0}::free_copy(int number) {{
  switch (number) {{
{4}    default: return;
  }}
}}

bool {0}::keep_fields() {{
{2}
}}

void {0}::restore_fields() {{
{3}
}}

)";

}  // namespace

std::string declare_watch() { return kDeclareWatch; }

std::string define_watch(const DeviceModule& device, const std::string& fields) {
  const Module& module = device.module;
  std::string cases, copies;
  for (std::size_t number = 0; number < module.statics.size(); ++number) {
    const Variable& variable = module.statics[number];
    if (variable.is_field)
      copies += fmt::format("    case {}: return {}.free_copy();\n", number, variable.member);
    if (const auto watch = device.nan_watch(variable))
      cases += wrap_line(fmt::format("    case {}: return support::has_nan(reducer_, grid_, "
                                     "kernels_->{}, kernels_->{}, {});",
                                     number, chunks_kernel(module.name, *watch),
                                     tree_kernel(module.name, *watch), variable.member)) +
               "\n";
  }
  return fmt::format(fmt::runtime(kDefineWatch), module.name, cases,
                     wrap_line(fmt::format("  return support::keep(device_, kept_{});", fields)),
                     wrap_line(fmt::format("  support::go_back(kept_{});", fields)), copies);
}

}  // namespace paraiso::codegen
