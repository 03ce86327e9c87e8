#include "cli/thresholds/find_thresholds.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/call/turns.hpp"
#include "cli/choices/database_choice.hpp"
#include "cli/execution/versioned_code.hpp"
#include "cli/prepared/tuning_problem.hpp"
#include "paraiso/base/extents.hpp"
#include "paraiso/runtime/system/memory.hpp"
#include "paraiso/tune/tuning/tuned_program.hpp"

namespace paraiso::cli {
namespace {

/// The version of the default schedule, else the base.
std::size_t usual_version(const std::vector<plan::VersionLine>& lines) {
  const auto found = std::ranges::find(lines, "default", &plan::VersionLine::schedule);
  return found == lines.end() ? lines.size() - 1 : static_cast<std::size_t>(found - lines.begin());
}

/// Of this program, whatever the size. It says so where the database can't be read, and goes on.
std::vector<tune::Champion> known_champions(const Prepared& prepared, const Execution& execution) {
  const auto file = database_path(execution.database);
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return {};
  try {
    tune::Database database(file, kWaitForTuner, tune::Access::read);
    return tune::champions_alike(database, problem_of(prepared, execution.building));
  } catch (const Error& error) {
    say_aside(fmt::format("no champions are proposed, since the tuned ones can't be read: {}\n",
                          error.diagnostics()[0].message));
    return {};
  }
}

/// The same times of some of the versions, as a chain of as many guards that compare the first
/// value.
tune::VersionTimes of_versions(const tune::VersionTimes& times,
                               const std::vector<std::size_t>& versions) {
  tune::VersionTimes some;
  for (std::size_t s = 0; s < times.sizes.size(); ++s) {
    const tune::DataSet& size = times.sizes[s];
    some.sizes.push_back(
        {size.name, std::vector<std::int64_t>(versions.size() - 1, size.values.front())});
    some.seconds.emplace_back();
    for (const std::size_t version : versions)
      some.seconds.back().push_back(times.seconds[s][version]);
  }
  return some;
}

std::vector<std::size_t> versions_at(const tune::PayingVersions& paying,
                                     const tune::VersionTimes& times) {
  std::vector<std::size_t> versions;
  for (const tune::DataSet& size : times.sizes)
    versions.push_back(tune::version_at(paying, size.values.front()));
  return versions;
}

/// A version that runs in several stretches is there as often, under names of their own.
std::string name_of_stretch(const std::string& version, const std::vector<std::size_t>& order,
                            std::size_t place) {
  const auto after =
      std::count(order.begin() + static_cast<std::ptrdiff_t>(place) + 1, order.end(), order[place]);
  return after == 0 ? version : fmt::format("{}_{}", version, after + 1);
}

/// While all versions that were timed are there.
LadderComparison compare(const plan::Dispatch& dispatch, const tune::VersionTimes& times,
                         const std::vector<std::size_t>& runs, std::size_t usual) {
  const auto alone = [&](std::size_t version) {
    return tune::beside_fastest(times, std::vector<std::size_t>(times.sizes.size(), version));
  };
  LadderComparison found{tune::beside_fastest(times, runs), {}, alone(usual), {}};
  for (std::size_t v = 0; v <= dispatch.versions.size(); ++v) {
    const tune::BesideFastest one = alone(v);
    if (v > 0 && one.mean >= found.single.mean) continue;
    found.single = one;
    found.best_single = plan::version_name(dispatch, v);
  }
  return found;
}

class Finding {
 public:
  Finding(const Session& session, const ThresholdsCall& call)
      : call_(call),
        prepared_(read_names(session, call.execution, "time")),
        rungs_{prepared_.size, call.sizes, call.a_halving, call.shapes},
        ladders_(tune::ladders(rungs_)) {
    if (call.shapes && prepared_.size.size() < 2)
      throw WrongCall("`--shapes` needs two axes: it makes rows shorter, and more of them");
    if (ladders_.judged.empty())
      throw WrongCall(fmt::format(
          "no size lies between those up to {}, to judge thresholds by: take a larger `--size`",
          runtime::size_text(prepared_.size)));
    require_fields_fit();
  }

  FoundThresholds run() {
    FoundThresholds found;
    const auto lines = asked(found);
    found.usual = usual_version(lines);
    if (lines.size() < 2)
      throw Error("all versions have the same schedule here: there is nothing to choose from");
    plain_ = prepared_.program;
    kernel_ = timed().name;
    take_versions(prepared_, call_.execution.building,
                  with_versions(scheduled_program(), timed(), lines));
    runtime::require_all_fit(backend_of(call_.execution.building), *prepared_.plan->dispatch);
    time(found);
    if (found.proposed.empty())
      choose(found);
    else
      keep_paying(found);
    found.runs = tune::versions_of(guards_of(found), found.chosen.thresholds, found.judged.sizes);
    return found;
  }

 private:
  /// Before anything is compiled, where the fields alone of the largest grid are too much.
  void require_fields_fit() const {
    runtime::require_memory(prepared_.size, [&](const std::vector<std::int64_t>& size) {
      double bytes = static_cast<double>(plan::cell_bytes_of(prepared_.program));
      for (const std::int64_t extent : size) bytes *= static_cast<double>(extent);
      return bytes;
    });
  }

  [[nodiscard]] ScheduledProgram scheduled_program() const {
    const Building& building = call_.execution.building;
    return {backend_of(building), prepared_.program, machine_lookup(building), prepared_.genes};
  }

  [[nodiscard]] const om::Kernel& timed() const {
    return tune::timed_kernel(prepared_.program, prepared_.fusion);
  }

  std::vector<plan::VersionLine> asked(FoundThresholds& found) const {
    const Building& building = call_.execution.building;
    if (!building.versions.file.empty())
      return versions_asked(scheduled_program(), timed(), building.versions.file);
    const ProposedFor wanted{ladders_.tuned,
                             call_.shapes ? plan::Measure::row_bytes : plan::Measure::state_bytes,
                             machine_with(building, prepared_.threads)};
    found.proposed = propose_versions(scheduled_program(), timed(), wanted,
                                      known_champions(prepared_, call_.execution));
    std::vector<plan::VersionLine> lines;
    for (const ProposedVersion& one : found.proposed) lines.push_back(one.line);
    return lines;
  }

  [[nodiscard]] runtime::Library build() const {
    runtime::CompileOptions options;
    options.compiler = prepared_.compiler;
    options.target = prepared_.target.name;
    options.threads = prepared_.threads;
    return backend_of(prepared_.record.backend).compile({&*prepared_.plan, 1}, options).front();
  }

  static tune::GuardTree guards_of(const FoundThresholds& found) {
    return tune::parse_guards(plan::thresholds_text(found.dispatch));
  }

  void time(FoundThresholds& found) {
    library_ = build();
    const runtime::Library& library = *library_;
    found.dispatch = *library.dispatch();
    const tune::GuardTree guards = guards_of(found);
    const std::size_t count = ladders_.tuned.size() + ladders_.judged.size();
    const auto on = [&](const std::vector<tune::LadderSize>& sizes, std::size_t before) {
      for (const auto& size : sizes)
        runtime::require_memory(size, [&](const auto& cells) { return library.bytes(cells); });
      return time_versions(prepared_, library, guards, sizes, call_.rounds, [&](std::size_t done) {
        if (isatty(STDERR_FILENO)) say_aside(fmt::format("\r{} of {} sizes", before + done, count));
      });
    };
    turn_ = take_host_and_device(prepared_.record.backend);
    found.tuned = on(ladders_.tuned, 0);
    found.judged = on(ladders_.judged, ladders_.tuned.size());
    if (isatty(STDERR_FILENO)) say_aside("\n");
  }

  /// A size that is on neither ladder.
  std::optional<tune::VersionTimes> time_midway(const FoundThresholds& found,
                                                const std::string& below,
                                                const std::string& above) {
    std::vector<tune::LadderSize> taken;
    for (const tune::VersionTimes* ladder : {&found.tuned, &found.judged})
      for (const tune::DataSet& size : ladder->sizes) taken.push_back(extents_of(size.name));
    const auto size = tune::size_between(rungs_, extents_of(below), extents_of(above), taken);
    if (!size) return std::nullopt;
    return time_versions(prepared_, *library_, guards_of(found), {*size}, call_.rounds,
                         [](std::size_t) {});
  }

  /// Adds sizes to the ladder that was tuned on.
  void narrow(FoundThresholds& found,
              const std::function<tune::SplitSizes(const tune::VersionTimes&)>& choose) {
    auto between = tune::narrow_splits(found.tuned, choose,
                                       [&](const std::string& below, const std::string& above) {
                                         return time_midway(found, below, above);
                                       });
    for (std::size_t s = 0; s < std::min(between.size(), found.between.size()); ++s)
      between[s].added += found.between[s].added;
    found.between = std::move(between);
  }

  void choose(FoundThresholds& found) {
    const tune::GuardTree guards = guards_of(found);
    narrow(found, [&](const tune::VersionTimes& tuned) {
      const auto chosen = tune::choose_thresholds(guards, tuned, found.judged, found.usual);
      tune::SplitSizes splits{{}, tune::versions_of(guards, chosen.thresholds, tuned.sizes)};
      for (std::size_t g = 0; g < guards.size(); ++g)
        splits.splits.push_back({g, chosen.thresholds[g]});
      return splits;
    });
    found.chosen = tune::choose_thresholds(guards, found.tuned, found.judged, found.usual);
    judge(found, [&](const tune::VersionTimes& times) {
      return tune::versions_of(guards, found.chosen.thresholds, times.sizes);
    });
  }

  /// `runs(times)`: the version of each size.
  static void judge(FoundThresholds& found, const auto& runs) {
    found.on_tuned = compare(found.dispatch, found.tuned, runs(found.tuned), found.usual);
    found.on_judged = compare(found.dispatch, found.judged, runs(found.judged), found.usual);
    found.verdict = tune::judge(found.tuned, found.judged, runs(found.judged), found.usual);
    found.best_single = plan::version_name(found.dispatch, found.verdict.best_single);
  }

  /// Where a version is left out for one size of the second ladder, that size is tuned on.
  tune::PayingVersions find_paying(FoundThresholds& found) {
    for (;;) {
      narrow(found, [&](const tune::VersionTimes& tuned) {
        const auto paying = tune::paying_versions(tuned, found.judged, found.usual);
        tune::SplitSizes splits{{}, versions_at(paying, tuned)};
        for (const std::int64_t threshold : paying.thresholds)
          splits.splits.push_back({0, threshold});
        return splits;
      });
      auto paying = tune::paying_versions(found.tuned, found.judged, found.usual);
      const auto slower =
          std::ranges::find(paying.fates, tune::Fate::Kind::slower, &tune::Fate::kind);
      if (slower == paying.fates.end() || found.taken_in.size() == tune::kMostTakenIn ||
          found.judged.sizes.size() == 1)
        return paying;
      found.taken_in.push_back(slower->size);
      tune::take_in(found.tuned, found.judged, slower->size,
                    [&](const std::string& below, const std::string& above) {
                      return time_midway(found, below, above);
                    });
    }
  }

  /// Leaves the versions that pay, in the order in which they are tried.
  void keep_paying(FoundThresholds& found) {
    auto paying = find_paying(found);
    const plan::Measure measure = found.proposed.front().line.guard->measure;
    std::vector<plan::GuardedName> guards;
    for (std::size_t place = 0; place < paying.order.size(); ++place) {
      plan::VersionLine& line = found.kept.emplace_back(found.proposed[paying.order[place]].line);
      line.name = name_of_stretch(line.name, paying.order, place);
      line.guard.reset();
      if (place == paying.thresholds.size()) continue;
      guards.push_back({line.name, measure, paying.thresholds[place]});
      line.guard = guards.back();
    }
    judge(found, [&](const tune::VersionTimes& times) { return versions_at(paying, times); });
    found.tuned = of_versions(found.tuned, paying.order);
    found.judged = of_versions(found.judged, paying.order);
    const auto last = std::find(paying.order.rbegin(), paying.order.rend(), found.usual);
    found.usual = static_cast<std::size_t>(paying.order.rend() - last) - 1;  // it has the name
    found.dispatch = {kernel_, found.kept.back().name, {}};
    if (!guards.empty())
      found.dispatch = plan::make_dispatch(plain_, kernel_, found.kept.back().name, guards);
    found.chosen = {std::move(paying.thresholds), true, {}, std::move(paying.not_monotone)};
    found.fates = std::move(paying.fates);
  }

  const ThresholdsCall& call_;
  Prepared prepared_;
  tune::Rungs rungs_;
  tune::Ladders ladders_;
  std::optional<runtime::Library> library_;
  std::shared_ptr<const void> turn_;  // as long as something is timed
  om::Machine plain_;                 // without versions
  std::string kernel_;
};

}  // namespace

plan::Thresholds FoundThresholds::thresholds() const {
  plan::Thresholds thresholds;
  for (std::size_t v = 0; v < dispatch.versions.size(); ++v)
    thresholds[dispatch.versions[v].threshold] = chosen.thresholds[v];
  return thresholds;
}

FoundThresholds find_thresholds(const Session& session, const ThresholdsCall& call) {
  (void)backend_of(call.execution.building);
  return Finding(session, call).run();
}

}  // namespace paraiso::cli
