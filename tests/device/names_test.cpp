// Fields and scalars may have any name: those that kernels' text uses itself, words of OpenCL C and
// functions that every device has.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <span>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/verify/verify_backend.hpp"
#include "tests/device/backends.hpp"

namespace paraiso {
namespace {

constexpr const char* kWords[] = {
    "grid",    "ghosts",  "cell",   "at",      "row",     "value",    "number",  "negate",
    "resolve", "size",    "stride", "origin",  "kernel",  "global",   "local",   "constant",
    "half",    "uchar",   "float4", "fabs",    "sqrt",    "barrier",  "as_long", "i",
    "device",  "finish",  "zero",   "kernels", "add_f64", "thread_x", "address", "nearest",
    "met_x",   "reducer", "upload", "cells",   "support", "Grid",     "LOWER",   "LONG"};

/// Of each pair: a field is moved by one cell and multiplied by a scalar; a boundary kernel reads
/// both.
om::Machine machine(std::span<const std::pair<std::string, std::string>> pairs) {
  std::string statics, edges, step;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const auto& [field, scalar] = pairs[p];
    statics += fmt::format(
        "static {0} local f64\n  boundary 0 kernel edge{2} outflow\n"
        "static {1} global f64 = 1.5\n",
        field, scalar, p);
    edges += fmt::format(
        "boundary_kernel edge{2}\n  %0: local f64 = load {0}\n"
        "  %1: global f64 = load {1}\n  %2: local f64 = broadcast %1\n"
        "  %3: local f64 = mul %0 %2\n  result %3\nend\n",
        field, scalar, p);
    step += fmt::format(
        "  %f{2} = load {0}\n  %n{2} = shift %f{2} (1)\n  %g{2} = load {1}\n"
        "  %s{2} = broadcast %g{2}\n  %m{2} = mul %n{2} %s{2}\n"
        "  store {0} %m{2}\n",
        field, scalar, p);
  }
  return om::parse(
      fmt::format("paraiso 1\nmachine m dimension 1\n{}{}kernel proceed step\n{}end\nend machine\n",
                  statics, edges, step));
}

/// Each word as a field and as a scalar, four pairs in a machine.
std::vector<om::Machine> machines() {
  constexpr std::size_t kTogether = 4;
  std::vector<std::pair<std::string, std::string>> pairs;
  for (std::size_t w = 0; w + 1 < std::size(kWords); w += 2)
    pairs.emplace_back(kWords[w], kWords[w + 1]);
  for (std::size_t w = 0; w + 1 < std::size(kWords); w += 2)
    pairs.emplace_back(kWords[w + 1], kWords[w]);
  std::vector<om::Machine> all;
  for (std::size_t first = 0; first < pairs.size(); first += kTogether)
    all.push_back(
        machine(std::span(pairs).subspan(first, std::min(kTogether, pairs.size() - first))));
  return all;
}

TEST(NamesOnDevice, MayBeAnyWord) {
  PARAISO_NEEDS_DEVICE();
  const runtime::Backend& opencl = *runtime::find_backend("opencl");
  std::vector<plan::Plan> plans;
  for (const om::Machine& machine : machines())
    plans.push_back(opencl.make_plan(passes::prepare(machine, passes::Numbers::fma), {}));
  verify::VerifyOptions once;
  once.sizes = {{3}};
  for (const runtime::Library& library : opencl.compile(plans, quick_build(opencl))) {
    const auto difference = verify::verify_library(library, once);
    EXPECT_FALSE(difference) << difference->text() << "\n" << library.source();
  }
}

}  // namespace
}  // namespace paraiso
