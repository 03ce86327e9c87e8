// Fields and scalars may have any name: those that kernels' text uses itself, words of OpenCL C and
// functions that every device has.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "paraiso/om/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/verify/verify_backend.hpp"
#include "tests/device/opened.hpp"

namespace paraiso {
namespace {

constexpr const char* kWords[] = {
    "grid",    "ghosts",  "cell",   "at",      "row",     "value",    "number",  "negate",
    "resolve", "size",    "stride", "origin",  "kernel",  "global",   "local",   "constant",
    "half",    "uchar",   "float4", "fabs",    "sqrt",    "barrier",  "as_long", "i",
    "device",  "finish",  "zero",   "kernels", "add_f64", "thread_x", "address", "nearest",
    "met_x",   "reducer", "upload", "cells",   "support", "Grid",     "LOWER",   "LONG"};

/// A field is moved by one cell and multiplied by a scalar; a boundary kernel reads both.
om::Machine machine(const std::string& field, const std::string& scalar) {
  return om::parse(
      fmt::format("paraiso 1\nmachine m dimension 1\n"
                  "static {0} local f64\n  boundary 0 kernel edge outflow\n"
                  "static {1} global f64 = 1.5\n"
                  "boundary_kernel edge\n  %0: local f64 = load {0}\n"
                  "  %1: global f64 = load {1}\n  %2: local f64 = broadcast %1\n"
                  "  %3: local f64 = mul %0 %2\n  result %3\nend\n"
                  "kernel proceed step\n  %0: local f64 = load {0}\n"
                  "  %1: local f64 = shift %0 (1)\n  %2: global f64 = load {1}\n"
                  "  %3: local f64 = broadcast %2\n  %4: local f64 = mul %1 %3\n"
                  "  store {0} %4\nend\nend machine\n",
                  field, scalar));
}

TEST(NamesOnDevice, MayBeAnyWord) {
  PARAISO_NEEDS_DEVICE();
  const runtime::Backend& opencl = *runtime::find_backend("opencl");
  std::vector<plan::Plan> plans;
  for (std::size_t w = 0; w + 1 < std::size(kWords); w += 2)
    for (const auto& [field, scalar] :
         {std::pair(kWords[w], kWords[w + 1]), std::pair(kWords[w + 1], kWords[w])})
      plans.push_back(
          opencl.make_plan(passes::prepare(machine(field, scalar), passes::Numbers::fma), {}));
  runtime::CompileOptions options;
  options.optimization = "-O1";
  options.cache = PARAISO_BINARY_DIR "/test-cache";
  verify::VerifyOptions once;
  once.sizes = {{3}};
  for (const runtime::Library& library : opencl.compile(plans, options)) {
    const auto difference = verify::verify_library(library, once);
    EXPECT_FALSE(difference) << difference->text() << "\n" << library.source();
  }
}

}  // namespace
}  // namespace paraiso
