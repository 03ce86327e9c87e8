// The text that every generated library carries with it: paraiso_support.hpp and
// paraiso_support.cpp. Gives: support_header, support_source. Needs: cmake/embed.cmake, which
// defines them from om's files.
//
// The header holds what operators and reductions mean (paraiso/support/arithmetic.hpp,
// reduction.hpp), vectors and their instructions (vector.hpp, instructions.hpp), the grid of a
// solver, its threads, memory and halos (grid.hpp, threads.hpp, memory.hpp, fill_halo.hpp,
// row_ends.hpp), its tiles and what a thread keeps of them (traversal.hpp, inner_state.hpp); the
// source holds the elementary functions of scalars (elementary.cpp). Both include the C++ standard
// library only and, where there are such, OpenMP, the target's vectors and Linux's memory advice.
#pragma once

#include <string_view>

namespace paraiso::codegen {

[[nodiscard]] std::string_view support_header();
[[nodiscard]] std::string_view support_source();

}  // namespace paraiso::codegen
