#include "cli/tuners_table.hpp"
#include "cli/json_text.hpp"

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

nlohmann::ordered_json to_json(const std::vector<tune::TunerTrial>& runs, double best) {
  auto rows = nlohmann::ordered_json::array();
  for (const tune::TunerTrial& run : runs)
    rows.push_back({{"tuner", run.tuner},
                    {"seed", run.seed},
                    {"tries", run.tries},
                    {"eliminated", run.eliminated},
                    {"runs", run.runs},
                    {"seconds", run.seconds},
                    {"found_after_runs", run.found},
                    {"result", run.cost / best}});
  return rows;
}

void print_text(const std::vector<tune::TunerTrial>& runs, double best) {
  fmt::print("{:<11} {:>4} {:>6} {:>10} {:>6} {:>9} {:>11} {:>7}\n", "tuner", "seed", "tries",
             "eliminated", "runs", "seconds", "found after", "result");
  for (const tune::TunerTrial& run : runs)
    fmt::print("{:<11} {:>4} {:>6} {:>10} {:>6} {:>9.3g} {:>11} {:>7.3f}\n", run.tuner,
               run.seed == 0 ? "" : std::to_string(run.seed), run.tries, run.eliminated, run.runs,
               run.seconds, run.found, run.cost / best);
}

}  // namespace

void print_tuners(const std::string& machine, const std::string& file, bool json) {
  const tune::VersionMap map = tune::version_map_from(runtime::read_file(file), file);
  if (!map.guards.front().name.starts_with(machine + "."))
    throw Error(fmt::format("`{}` is not of `{}`: it has a threshold `{}`", file, machine,
                            map.guards.front().name));
  const auto runs = tune::compare_tuners(map.guards, map.tuned, map.usual, {1, 2, 3}, kTries);
  const double best = std::ranges::min(runs, {}, &tune::TunerTrial::cost).cost;
  if (json)
    fmt::print("{}\n", json_text(to_json(runs, best)));
  else
    print_text(runs, best);
}

}  // namespace paraiso::cli
