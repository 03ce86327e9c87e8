#include "cli/thresholds/tuners_table.hpp"
#include "cli/call/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/tune/report/data/version_map.hpp"
#include "paraiso/tune/versions/compare_tuners.hpp"

namespace paraiso::cli {
namespace {

constexpr int kTries = 1000;  // of the one that knows nothing of comparisons

/// Seconds of all sizes.
struct Costs {
  double best, untuned;  // of all tuners; of the usual version everywhere
};

using Json = nlohmann::ordered_json;

Json to_json(const std::vector<tune::NotMonotone>& all, const tune::VersionMap& map) {
  Json rows = Json::array();
  for (const tune::NotMonotone& one : all)
    rows.push_back({{"threshold", map.guards[one.guard].name},
                    {"size", map.tuned.sizes[one.data].name},
                    {"ratio", one.ratio}});
  return rows;
}

Json to_json(const std::vector<tune::TunerTrial>& runs, const Costs& costs,
             const tune::VersionMap& map) {
  Json rows = Json::array();
  for (const tune::TunerTrial& run : runs)
    rows.push_back({{"tuner", run.tuner},
                    {"seed", run.seed},
                    {"tries", run.tries},
                    {"eliminated", run.eliminated},
                    {"runs", run.runs},
                    {"seconds", run.seconds},
                    {"found_after_runs", run.found},
                    {"result", run.cost / costs.best},
                    {"over_untuned", costs.untuned / run.cost},
                    {"not_monotone", to_json(run.not_monotone, map)}});
  return rows;
}

void print_text(const std::vector<tune::TunerTrial>& runs, const Costs& costs,
                const tune::VersionMap& map) {
  fmt::print("{:<11} {:>4} {:>6} {:>10} {:>6} {:>9} {:>11} {:>7} {:>12}\n", "tuner", "seed",
             "tries", "eliminated", "runs", "seconds", "found after", "result", "over untuned");
  for (const tune::TunerTrial& run : runs)
    fmt::print("{:<11} {:>4} {:>6} {:>10} {:>6} {:>9.3g} {:>11} {:>7.3f} {:>12.3f}\n", run.tuner,
               run.seed == 0 ? "" : std::to_string(run.seed), run.tries, run.eliminated, run.runs,
               run.seconds, run.found, run.cost / costs.best, costs.untuned / run.cost);
  for (const tune::TunerTrial& run : runs)
    for (const tune::NotMonotone& one : run.not_monotone)
      fmt::print("{}\n", tune::not_monotone_text(one, map.guards[one.guard].name, {}, map.tuned));
}

}  // namespace

void print_tuners(const std::string& machine, const std::string& file, bool json) {
  const tune::VersionMap map = tune::version_map_from(runtime::read_file(file), file);
  if (!map.guards.front().name.starts_with(machine + "."))
    throw Error(fmt::format("`{}` is not of `{}`: it has a threshold `{}`", file, machine,
                            map.guards.front().name));
  const auto runs = tune::compare_tuners(map.guards, map.tuned, map.usual, {1, 2, 3}, kTries);
  Costs costs{std::ranges::min(runs, {}, &tune::TunerTrial::cost).cost, 0};
  for (const auto& seconds : map.tuned.seconds) costs.untuned += seconds[map.usual];
  if (json)
    fmt::print("{}\n", json_text(to_json(runs, costs, map)));
  else
    print_text(runs, costs, map);
}

}  // namespace paraiso::cli
