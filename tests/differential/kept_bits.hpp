// A kept program, and whether generated code equals the interpreter on it bit for bit.
// Gives: KeptProgram, kept_program, expect_bits. Needs: programs, the runtime.
#pragma once

#include <gtest/gtest.h>

#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/verify/verify_backend.hpp"
#include "tests/differential/programs.hpp"
#include "tests/support/compiled.hpp"
#include "tests/support/usable_compilers.hpp"

namespace paraiso::test {

struct KeptProgram {
  om::Machine machine;
  verify::VerifyOptions options;  // sizes are the caller's matter
};

/// With so many steps fused.
inline KeptProgram kept_program(const std::string& name, int steps) {
  KeptProgram kept{passes::prepare(read_program(name), passes::Numbers::fma), {}};
  if (steps == 1) return kept;
  auto fused = passes::fuse(kept.machine, steps);
  kept.machine = std::move(fused.machine);
  kept.options.fusion = std::move(fused.fusion);
  return kept;
}

inline void expect_bits(const KeptProgram& kept, const plan::Schedule& schedule, int threads) {
  runtime::CompileOptions compile;
  compile.compiler = usable_compilers().at(0);
  compile.threads = threads;
  compile.optimization = "-O1";
  compile.cache = PARAISO_BINARY_DIR "/test-cache";
  const auto library = runtime::compile(plan::plan_program(kept.machine, schedule), compile);
  const auto difference = verify::verify_library(library, kept.options);
  ASSERT_FALSE(difference) << difference->text();
}

}  // namespace paraiso::test
