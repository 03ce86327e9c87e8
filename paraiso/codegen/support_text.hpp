// The text that every generated library carries with it: paraiso_support.hpp and
// paraiso_support.cpp. Gives: support_header, support_source, libm_header, mpi_headers,
// LayerText, find_layer, emulation_header. Needs: cmake/embed.cmake,
// which defines them from support's files.
//
// The header holds the operators and reductions (arithmetic.hpp, reduction.hpp), vectors and their
// instructions (vector.hpp, vector_cast.hpp, vector_cells.hpp, instructions.hpp), the grid of a
// solver, its file, threads, thresholds, memory and halos (grid.hpp, state_file.hpp, threads.hpp,
// thresholds.hpp, memory.hpp, fill_halo.hpp, row_ends.hpp), its tiles and their scratch
// (traversal.hpp, inner_state.hpp); the source holds what is compiled once for all programs: the
// elementary functions of scalars (elementary.cpp), and what runs seldom (state_file.cpp,
// thresholds.cpp, memory.cpp). Both include only the C++ standard library and, where available,
// OpenMP, POSIX files, the target's vectors and Linux's memory advice.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace paraiso::codegen {

[[nodiscard]] std::string_view support_header();
[[nodiscard]] std::string_view support_source();

/// paraiso_libm.hpp, of solvers that call the C library for cells.
[[nodiscard]] std::string_view libm_header();

/// Of solvers of parts of a grid that processes of MPI share: names and texts of what they include.
/// Of all that is generated paraiso_mpi.hpp alone includes <mpi.h>.
[[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> mpi_headers();

/// Of solvers on devices also: the layer between them and a dialect's language, reductions, fields
/// that the host may look at.
struct LayerText {
  std::string_view dialect;
  std::string_view header;  // paraiso_device.hpp
  std::string_view source;  // what their paraiso_support.cpp has besides
};
/// nullptr where a dialect has no layer.
[[nodiscard]] const LayerText* find_layer(std::string_view dialect);

/// paraiso_emulation.hpp, which kernels in CUDA C++ and HIP include where a C++ compiler compiles
/// them.
[[nodiscard]] std::string_view emulation_header();

}  // namespace paraiso::codegen
