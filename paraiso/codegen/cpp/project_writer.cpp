#include "paraiso/codegen/cpp/project_writer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/codegen/generate.hpp"
#include "paraiso/codegen/lower/names.hpp"
#include "paraiso/passes/analysis/diagnostics.hpp"

namespace paraiso::codegen {

using namespace om;

namespace {

/// The kernel with that role that comes first, by its method's name; empty if there is none.
std::string first_kernel(const Machine& machine, const Module& module, KernelRole role) {
  for (std::size_t k = 0; k < machine.kernels.size(); ++k)
    if (machine.kernels[k].role == role) return module.kernels[k].name;
  return {};
}

/// The further flags of processors with vectors of so many bytes.
std::string flags_of_vectors(int bytes) {
  plan::Target target;
  target.vector_bytes = bytes;
  return fmt::format("{}", fmt::join(target.more_flags(), " "));
}

/// The build for a processor: this machine's with NATIVE, else `target`.
std::string for_processor(const std::string& library, const std::optional<plan::Target>& target) {
  std::string otherwise;
  if (target) {
    otherwise =
        fmt::format("else()\n  target_compile_options({} PRIVATE {})\n", library, target->march);
    const auto more = flags_of_vectors(target->vector_bytes);
    if (!more.empty()) otherwise += fmt::format("  set(more_flags {})\n", more);
  }
  return fmt::format(R"(set(more_flags)
if(NATIVE)
  set(native {4})
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(native {5})
  endif()
  target_compile_options({0} PRIVATE ${{native}})
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS ${{native}})
  check_cxx_source_compiles("int main() {{ return __AVX512F__; }}" PARAISO_NATIVE_512)
  check_cxx_source_compiles("int main() {{ return __AVX__; }}" PARAISO_NATIVE_256)
  unset(CMAKE_REQUIRED_FLAGS)
  if(PARAISO_NATIVE_512)
    set(more_flags {2})
  elseif(PARAISO_NATIVE_256)
    set(more_flags {3})
  endif()
{1}endif()
include(CheckCXXCompilerFlag)
foreach(flag ${{more_flags}}) # not every compiler has these
  string(MAKE_C_IDENTIFIER "HAS${{flag}}" has)
  check_cxx_compiler_flag(${{flag}} ${{has}})
  if(${{has}})
    target_compile_options({0} PRIVATE ${{flag}})
  endif()
endforeach()
)",
                     library, otherwise, flags_of_vectors(64), flags_of_vectors(32),
                     plan::native_flag("x86_64"), plan::native_flag("aarch64"));
}

constexpr const char* kOpenCl = R"(
It finds OpenCL when it runs (`libOpenCL.so.1`; `apt install ocl-icd-libopencl1` has it, `pocl-opencl-icd` a driver for
any processor) and takes the first GPU, else the first device, or the one that `$PARAISO_DEVICE` names: a number or a
part of its name.
)";

// What compiles kernels for cards, in words of a project.
struct CardWords {
  const char *suffix, *kit, *compiler, *oldest;
  const char *home, *usual;  // the variable that names its folder, and that folder if it is not set
  const char *language, *architecture;  // an example of these
  const char *native, *chosen;          // the option's default, and the flags that come of it
  std::vector<std::string> (*flags)();
};

constexpr CardWords kCuda{
    ".cu",       "CUDA",
    "nvcc",      "12",
    "CUDA_PATH", "/usr/local/cuda",
    "CUDA",      "sm_90",
    "native",    "-fatbin -std=c++17 -arch=${CUDA_ARCHITECTURE}",
    nvcc_flags,
};
constexpr CardWords kHip{
    ".hip",
    "ROCm",
    "hipcc",
    "5",
    "ROCM_PATH",
    "/opt/rocm",
    "HIP",
    "gfx90a",
    "\"\"",
    "--genco -std=c++17 \"$<$<BOOL:${HIP_ARCHITECTURE}>:--offload-arch=${HIP_ARCHITECTURE}>\"",
    hipcc_flags,
};

const CardWords* words_of(RunsOn runs_on) {
  return runs_on == RunsOn::cuda ? &kCuda : runs_on == RunsOn::hip ? &kHip : nullptr;
}

std::string about_cards(const CardWords& words, const std::string& class_name) {
  return fmt::format(R"(
Its kernels ({0}{1}) are compiled by `{2}` ({3} or later; of {4}, on PATH or in ${5}/bin) for the
cards here, or with `-D{6}_ARCHITECTURE={7}` for that architecture. It runs on the first card, or on the one that
`$PARAISO_DEVICE` names: a number or a part of its name. With `-DEMULATED=ON` no {4} is needed: kernels run on the
processor, slowly, if `PARAISO_DEVICE=emulated`.
)",
                     class_name, words.suffix, words.compiler, words.oldest, words.kit, words.home,
                     words.language, words.architecture);
}

// 0: the class, 1: the library, 2: flags; then of CardWords: 3: suffix, 4: kit, 5: compiler,
// 6: home, 7: usual, 8: language, 9: architecture, 10: native, 11: chosen;
// 12: flags of the emulation.
constexpr const char* kCardKernels = R"(
# The kernels: {0}.cpp takes in what {5} makes of them. The flags keep each operation's rounding.
option(EMULATED "kernels run on the processor (PARAISO_DEVICE=emulated), without {4}" OFF)
set({8}_ARCHITECTURE {10} CACHE STRING "{9}, ...: what cards the kernels are for, instead of those here")
if(EMULATED)  # by what g++ simplifies as compilers of cards do
  set_source_files_properties({0}{3} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-x;c++;{12}")
  target_sources({1} PRIVATE {0}{3})
  target_compile_definitions({1} PRIVATE PARAISO_EMULATED)
else()
  find_program(KERNEL_COMPILER {5} HINTS ENV {6} {7} PATH_SUFFIXES bin REQUIRED)
  add_custom_command(OUTPUT {0}.fatbin DEPENDS {0}{3} VERBATIM COMMAND_EXPAND_LISTS
    COMMAND ${{KERNEL_COMPILER}} {11} {2}
            ${{CMAKE_CURRENT_SOURCE_DIR}}/{0}{3} -o {0}.fatbin)
  add_custom_target({1}_kernels DEPENDS {0}.fatbin)
  add_dependencies({1} {1}_kernels)
  set_source_files_properties({0}.cpp PROPERTIES OBJECT_DEPENDS ${{CMAKE_CURRENT_BINARY_DIR}}/{0}.fatbin)
  target_compile_options({1} PRIVATE -Wa,-I${{CMAKE_CURRENT_BINARY_DIR}})
endif()
)";

std::string kernels_by(const CardWords& words, const std::string& class_name,
                       const std::string& library) {
  return fmt::format(fmt::runtime(kCardKernels), class_name, library, fmt::join(words.flags(), " "),
                     words.suffix, words.kit, words.compiler, words.home, words.usual,
                     words.language, words.architecture, words.native, words.chosen,
                     fmt::join(codegen::emulation_flags(), ";"));
}

/// What the example does with its solver, and tells of it.
std::string calls_of_example(const Machine& machine, const Module& module) {
  std::string initial = first_kernel(machine, module, KernelRole::initial);
  std::string step = first_kernel(machine, module, KernelRole::step);
  std::string body;
  if (auto limit = machine.find_role(StaticRole::time_limit))
    body += fmt::format("  solver.{}() = 1e30;\n", module.statics[limit->index].name);
  if (!initial.empty()) body += fmt::format("  solver.{}();\n", initial);
  if (!step.empty())
    body += fmt::format("  for (std::int64_t step = 0; step < steps; ++step) solver.{}();\n", step);
  for (const om::Kernel* kernel : passes::diagnostics(machine))
    body += fmt::format("  solver.{}();\n", module.kernels[kernel - machine.kernels.data()].name);
  for (std::size_t s = 0; s < machine.statics.size(); ++s) {
    const auto& name = module.statics[s].name;
    if (machine.statics[s].type.is_local())
      body += fmt::format("  std::cout << \"{0}[0] = \" << solver.{0}()[0] << '\\n';\n", name);
    else
      body += fmt::format("  std::cout << \"{0} = \" << solver.{0}() << '\\n';\n", name);
  }
  return body;
}

}  // namespace

std::string_view number_function() {
  return R"(std::int64_t number(const std::string& text) {
  char* end = nullptr;
  errno = 0;
  const long long value = std::strtoll(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || errno != 0 || value < 0)
    throw std::invalid_argument("`" + text + "` is no number of steps or cells");
  return value;
}
)";
}

std::string read_arguments(int dimension) {
  const int cells = dimension <= 3 ? 64 : dimension == 4 ? 16 : dimension <= 6 ? 4 : 2;
  return fmt::format(
      R"(  [[maybe_unused]] const std::int64_t steps = argc > 1 ? number(argv[1]) : 10;
  std::int64_t size[] = {{{}}};
  for (int a = 0; a < {} && a + 2 < argc; ++a) size[a] = number(argv[a + 2]);
)",
      fmt::join(std::vector<int>(static_cast<std::size_t>(dimension), cells), ", "), dimension);
}

std::string name_of_target(const std::string& class_name) {
  Names names{"all",           "clean",          "cmake_force",
              "depend",        "edit_cache",     "example",
              "help",          "install",        "list_install_components",
              "package",       "package_source", "preinstall",
              "rebuild_cache", "test",           "ALL_BUILD",
              "INSTALL",       "PACKAGE",        "RUN_TESTS",
              "ZERO_CHECK",    "INTERFACE",      "LINK_INTERFACE_LIBRARIES",
              "LINK_PRIVATE",  "LINK_PUBLIC",    "PRIVATE",
              "PUBLIC",        "debug",          "general",
              "optimized"};
  return names.unique(class_name);
}

std::string write_cmake(const std::string& class_name, const std::optional<plan::Target>& target,
                        RunsOn runs_on) {
  const std::string library = name_of_target(class_name);
  const bool device = runs_on != RunsOn::threads;
  const CardWords* const words = words_of(runs_on);
  return fmt::format(R"(cmake_minimum_required(VERSION 3.16)
project({0} LANGUAGES CXX)

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
  set(CMAKE_CXX_FLAGS_RELEASE "-O3")
endif()
option(NATIVE "use every instruction of this machine's processor" {2})
{4}
# No contraction and no -ffast-math: the same bits everywhere. The other two flags change no value.
add_library({1} {0}.cpp paraiso_support.cpp)
target_include_directories({1} SYSTEM PUBLIC ${{CMAKE_CURRENT_SOURCE_DIR}})
target_compile_options({1} PRIVATE -ffp-contract=off -fno-math-errno -fno-trapping-math)
{3}{6}target_link_libraries({1} PUBLIC {5})

add_executable({1}_example main.cpp)
set_target_properties({1}_example PROPERTIES OUTPUT_NAME example)
target_link_libraries({1}_example PRIVATE {1})
)",
                     class_name, library, target ? "OFF" : "ON", for_processor(library, target),
                     device ? "" : "find_package(OpenMP REQUIRED)\n",
                     device ? "${CMAKE_DL_LIBS}" : "OpenMP::OpenMP_CXX",
                     words ? kernels_by(*words, class_name, library) : "");
}

std::string write_example(const Machine& machine, const Module& module, RunsOn runs_on) {
  return fmt::format(R"(// An example: some steps of `{0}` on a small grid.
//
//     build/example [STEPS [CELLS ALONG EACH AXIS ...]]
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

#include "{0}.hpp"

namespace {{

{4}
void run(int argc, char** argv) {{
{1}  paraiso_solver::{0} solver(size{3});
{2}}}

}}  // namespace

int main(int argc, char** argv) {{
  try {{
    run(argc, argv);
  }} catch (const std::exception& error) {{
    std::cerr << "error: " << error.what() << '\n';
    return 1;
  }}
}}
)",
                     module.name, read_arguments(machine.dimension),
                     calls_of_example(machine, module), runs_on != RunsOn::threads ? "" : ", 2",
                     number_function());
}

// How a program of one's own uses the class.
std::string write_usage(const Module& module, const std::string& library) {
  std::string cells = "256", axes = "x", place = "x";
  for (int a = 1; a < module.dimension; ++a) {
    const std::string axis = a < 3 ? std::string(1, "xyz"[a]) : fmt::format("i{}", a);
    cells += ", 256";
    axes += ", " + axis;
    place += fmt::format(" + {} * solver.stride({})", axis, a);
  }
  const auto field = std::ranges::find(module.statics, true, &Variable::is_field);
  return fmt::format(
             "In a program of your own, `add_subdirectory` of this folder gives CMake's target "
             "`{}`:\n\n"
             "    paraiso_solver::{} solver({{{}}});  // cells along each axis\n",
             library, module.name, cells) +
         (field == module.statics.end() ? ""
                                        : fmt::format("    solver.{}()[{}];  // core cell ({})\n",
                                                      field->name, place, axes)) +
         "    solver.save(\"state\");  // and `load`: the whole state\n\n"
         "An instance is neither copied nor moved: what must move holds a `std::unique_ptr`.\n";
}

std::string write_readme(const Machine& machine, const Module& module,
                         const std::optional<plan::Target>& target, RunsOn runs_on) {
  const bool device = runs_on != RunsOn::threads;
  const CardWords* const words = words_of(runs_on);
  const std::string built =
      target ? fmt::format(
                   "It is built for `{}` processors; with `-DNATIVE=ON`, for this machine's own.",
                   target->name)
             : "It is built for this machine's processor; with `-DNATIVE=OFF`, for any of its "
               "architecture.";
  std::string kernels;
  for (std::size_t k = 0; k < machine.kernels.size(); ++k)
    kernels += fmt::format("- `{}()`: {} kernel `{}`\n", module.kernels[k].name,
                           name(machine.kernels[k].role), machine.kernels[k].name);
  return fmt::format(R"(# {0}

Generated by Paraiso; needs g++ 12 or clang++ 14 (or later){3}, CMake, and nothing of Paraiso's.

    cmake -S . -B build && cmake --build build && build/example

The example's arguments are a number of steps, and the cells along each axis.

{2}

The class `paraiso_solver::{0}` (`{0}.hpp`) holds the state and has these kernels:

{1}
{5}{4})",
                     module.name, kernels, built, device ? "" : " with OpenMP",
                     runs_on == RunsOn::opencl ? kOpenCl
                     : words                   ? about_cards(*words, module.name)
                                               : "",
                     write_usage(module, name_of_target(module.name)));
}

}  // namespace paraiso::codegen
