// class_writer: a module as one C++ class: its statics as accessors and its kernels as methods.
// Gives: print_header, print_source. Needs: module; inside print_cpp.
#pragma once

#include "paraiso/codegen/lower/module.hpp"

namespace paraiso::codegen {

[[nodiscard]] std::string print_header(const Module& module);
[[nodiscard]] std::string print_source(const Module& module);

}  // namespace paraiso::codegen
