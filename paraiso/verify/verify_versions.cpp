#include "paraiso/verify/verify_versions.hpp"

#include "paraiso/plan/dispatch/versions_text.hpp"
#include "paraiso/runtime/build/toolchain.hpp"

namespace paraiso::verify {
namespace {

/// The tunings that force each version; the empty one where there is but one.
std::vector<plan::Thresholds> every_version(const std::optional<plan::Dispatch>& dispatch) {
  if (!dispatch) return {{}};
  std::vector<plan::Thresholds> tunings;
  for (std::size_t version = 0; version <= dispatch->versions.size(); ++version)
    tunings.push_back(plan::forcing(*dispatch, version));
  return tunings;
}

runtime::CompileOptions build_of(const VerifyOptions& options, const std::string& compiler,
                                 const std::string& target, int threads) {
  runtime::CompileOptions build;
  build.compiler = compiler;
  build.optimization = options.first_optimization;
  build.target = target;
  build.threads = threads;
  build.cache = options.cache;
  return build;
}

}  // namespace

VerifyReport verify_versions(const plan::Plan& plan, const VerifyOptions& given,
                             const std::function<void(int, int)>& progress) {
  VerifyOptions options = given;
  options.dispatch = plan.dispatch;
  if (options.compilers.empty()) options.compilers = runtime::usable_toolchains(*options.backend);
  if (plan.dispatch) runtime::require_all_fit(*options.backend, *plan.dispatch);
  const std::vector<plan::Thresholds> tunings = every_version(plan.dispatch);
  VerifyReport report;
  const auto total = static_cast<int>(options.compilers.size() * options.targets.size());
  for (const std::string& target : options.targets)
    for (const std::string& compiler : options.compilers) {
      for (const int threads : options.threads) {
        const runtime::Library library =
            options.backend->compile({&plan, 1}, build_of(options, compiler, target, threads))
                .front();
        for (std::size_t version = 0; version < tunings.size(); ++version) {
          report.difference =
              verify_library(library.with_thresholds(tunings[version]), options, report);
          if (!report.difference) continue;
          report.difference->compiler = compiler;
          report.difference->target = target;
          report.difference->schedule = static_cast<int>(version);
          report.difference->schedule_text = plan::print_tuning(tunings[version]);
          return report;
        }
      }
      if (progress)
        progress(++report.libraries, total);
      else
        ++report.libraries;
    }
  report.schedules = static_cast<int>(tunings.size());
  return report;
}

}  // namespace paraiso::verify
