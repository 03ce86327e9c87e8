// The solvers' tests run on each backend alike: an instance of an app from either.
#pragma once

#include <gtest/gtest.h>

#include <map>

#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/app.hpp"
#include "paraiso/runtime/build/compile.hpp"
#include "tests/support/compiled.hpp"

namespace paraiso::apps {

using Size = std::vector<std::int64_t>;
using InstancePointer = std::unique_ptr<runtime::Instance>;

/// Compiled once per app, dimension, precision, problem and choices.
inline InstancePointer compiled_instance(const App& app, const AppOptions& options,
                                         const Size& size) {
  using Key = std::tuple<std::string, int, om::Element, std::string, Choices>;
  static std::map<Key, runtime::Library> libraries;
  const Key key{app.name, options.dimension, options.precision, options.problem, options.choices};
  auto found = libraries.find(key);
  if (found == libraries.end()) {
    const auto machine = passes::prepare(app.build(options), passes::Numbers::fma);
    runtime::CompileOptions compile_options;
    compile_options.cache = PARAISO_BINARY_DIR "/test-cache";
    compile_options.optimization = "-O1";  // the bits are those of any
    found = libraries
                .emplace(key, runtime::compile(
                                  plan::plan_program(machine, plan::default_schedule(machine)),
                                  compile_options))
                .first;
  }
  return found->second.instance(size);
}

/// A test's parameter says whether it runs in the interpreter or as generated code.
enum class Backend { interpreter, openmp };

inline void PrintTo(Backend backend, std::ostream* out) {
  *out << (backend == Backend::openmp ? "openmp" : "interpreter");
}

class OnBackends : public testing::TestWithParam<Backend> {
 protected:
  static bool is_compiled() { return GetParam() == Backend::openmp; }
  static InstancePointer instance(const App& app, const AppOptions& options, const Size& size) {
    if (is_compiled()) return compiled_instance(app, options, size);
    const auto machine = passes::prepare(app.build(options), passes::Numbers::fma);
    return runtime::interpreter_instance(machine, size);
  }
};

#define PARAISO_ON_BACKENDS(suite)                                                 \
  INSTANTIATE_TEST_SUITE_P(Backends, suite,                                        \
                           testing::Values(Backend::interpreter, Backend::openmp), \
                           testing::PrintToStringParamName())

inline void run_steps(runtime::Instance& instance, int steps) {
  for (int i = 0; i < steps; ++i) instance.run("proceed");
}

/// The core cells of a field, axis 0 fastest.
inline std::vector<double> cells(runtime::Instance& instance, std::string_view field) {
  std::vector<double> values;
  const auto view = instance.field(field);
  runtime::for_each_cell(instance.size(),
                         [&](const Size& cell) { values.push_back(view.get(cell).to_double()); });
  return values;
}

/// The least and the greatest of what was seen, relative to the first.
class Fluctuation {
 public:
  void see(double value) {
    if (count_++ == 0) first_ = least_ = greatest_ = value;
    least_ = std::min(least_, value);
    greatest_ = std::max(greatest_, value);
  }
  [[nodiscard]] double relative() const { return (greatest_ - least_) / std::abs(first_); }

 private:
  int count_ = 0;
  double first_ = 0, least_ = 0, greatest_ = 0;
};

}  // namespace paraiso::apps
