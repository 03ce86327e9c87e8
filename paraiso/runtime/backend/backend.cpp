#include "paraiso/runtime/backend/backend.hpp"

#include <algorithm>

#include "paraiso/codegen/cpu/openmp.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/make/repair.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/system/host.hpp"

namespace paraiso::runtime {
namespace {

std::vector<std::string> this_host() { return {host().cpu}; }

constexpr Backend kBackends[] = {
    {
        .name = "openmp",
        .code = "C++ with OpenMP threads and vectors",
        .kernel_options = plan::kernel_options,
        .repair = plan::repair,
        .default_schedule = plan::default_schedule,
        .usual_schedule = plan::default_schedule,
        .make_plan = plan::plan_program,
        .predict = plan::predict,
        .generate = codegen::generate_openmp,
        .toolchains = survey_toolchains,
        .compile = compile_together,
        .devices = this_host,
    },
};

}  // namespace

std::span<const Backend> backends() { return kBackends; }

std::vector<std::string> backend_names() {
  std::vector<std::string> names;
  for (const Backend& row : kBackends) names.emplace_back(row.name);
  return names;
}

const Backend* find_backend(std::string_view name) {
  const auto* row = std::ranges::find(kBackends, name, &Backend::name);
  return row == std::end(kBackends) ? nullptr : row;
}

const Backend& default_backend() { return kBackends[0]; }

}  // namespace paraiso::runtime
