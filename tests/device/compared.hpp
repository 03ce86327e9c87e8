// Compared: two steps of a plan on a device, and the interpreter's. Gives: Compared,
// expect_equal_interpreter, only_steps. Needs: backends, verify_backend.
#pragma once

#include <gtest/gtest.h>

#include "paraiso/verify/verify_backend.hpp"
#include "tests/device/backends.hpp"

namespace paraiso {

struct Compared {
  plan::Plan plan;
  std::vector<std::vector<std::int64_t>> sizes;
  std::string name;  // for failures
  passes::Fusion fusion = {};
  std::vector<std::string> problems = {};  // empty: all
};

/// An app's first problem and its step: PoCL takes long to compile kernels, and the others are
/// compared in verify_test.cpp.
inline om::Machine only_steps(om::Machine machine) {
  const std::string problem = machine.initial_kernels().front()->name;
  std::erase_if(machine.kernels, [&](const om::Kernel& kernel) {
    return kernel.role != om::KernelRole::step && kernel.name != problem;
  });
  return machine;
}

/// Builds all of them in one run of the compiler.
inline void expect_equal_interpreter(const runtime::Backend& backend, std::vector<Compared> all) {
  std::vector<plan::Plan> plans;
  for (Compared& one : all) plans.push_back(std::move(one.plan));
  const auto libraries = backend.compile(plans, quick_build(backend));
  ASSERT_EQ(libraries.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    verify::VerifyOptions wanted;
    wanted.backend = &backend;
    wanted.steps = 2;
    wanted.sizes = all[i].sizes;
    wanted.fusion = all[i].fusion;
    wanted.problems = all[i].problems;
    const auto difference = verify::verify_library(libraries[i], wanted);
    EXPECT_FALSE(difference) << all[i].name << ", case " << i << ": " << difference->text();
  }
}

}  // namespace paraiso
