// Runs of a small machine that the interpreter computes. Gives: Running. Needs: run.
#pragma once

#include "machines.hpp"
#include "paraiso/runtime/output/checkpoint.hpp"
#include "paraiso/runtime/output/output.hpp"
#include "paraiso/runtime/run/run.hpp"
#include "support.hpp"

namespace paraiso::runtime {

class Running : public testing::Test {
 protected:
  using Steps = std::vector<std::int64_t>;

  test::Folder folder;
  std::unique_ptr<Instance> instance = interpreter_instance(test::drift<double>(), {6, 4});
  RunOptions options = quiet();

  static RunOptions quiet() {
    RunOptions options;
    options.progress = false;
    return options;
  }
  void set(const std::vector<std::string>& assignments) {
    options.parameters = parse_parameters(instance->machine(), assignments);
  }
  RunResult go() { return run(*instance, options); }
  std::string complaint() {
    return folder.shown(test::error_text([&] { (void)go(); }));
  }
  /// The state of a fresh instance after so many steps of a run that nobody watches.
  static std::vector<std::vector<char>> plain(std::int64_t steps) {
    auto fresh = interpreter_instance(test::drift<double>(), {6, 4});
    auto options = quiet();
    options.steps = steps;
    run(*fresh, options);
    return save(*fresh).statics;
  }
  Steps snapshot_steps(const RunResult& result) {
    Steps steps;
    for (const auto& path : result.snapshots) steps.push_back(read_snapshot_info(path).step);
    return steps;
  }
};

}  // namespace paraiso::runtime
