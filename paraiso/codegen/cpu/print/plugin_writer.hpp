// plugin_writer: the entry points of plugin.hpp, for a module's class.
// Gives: print_plugin. Needs: module.
#pragma once

#include "paraiso/codegen/lower/module.hpp"

namespace paraiso::codegen {

[[nodiscard]] std::string print_plugin(const Module& module);

}  // namespace paraiso::codegen
