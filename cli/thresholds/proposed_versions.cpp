#include "cli/thresholds/proposed_versions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/choices/version_choice.hpp"
#include "paraiso/plan/schedule/genome.hpp"
#include "paraiso/runtime/system/memory.hpp"

namespace paraiso::cli {
namespace {

using runtime::size_text;

/// A schedule of the whole program that may become a version.
struct VersionCandidate {
  std::string name, text;  // of the version; its schedule, as `--schedule` takes it
  std::string from;        // in words
  plan::Schedule schedule;
  const tune::Champion* champion = nullptr;
  plan::Genome genome = {};           // of the kernel
  std::vector<double> expected = {};  // nanoseconds of a cell, at each size
};

/// `for_32x16`: what is no letter or digit becomes `_`.
std::string version_named(const std::string& kind, const std::string& size) {
  std::string name = kind + "_" + size;
  for (char& letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return name;
}

class Proposals {
 public:
  Proposals(const ScheduledProgram& scheduled, const om::Kernel& kernel, const ProposedFor& asked)
      : scheduled_(scheduled),
        kernel_(kernel),
        asked_(asked),
        genes_(plan::genes_of(scheduled.genes, kernel)),
        canonical_(scheduled.backend.canonical(scheduled.program, kernel.name)) {}

  void add_defaults() {
    add({"usual", "default", "the default schedule", untuned_schedule(scheduled_)});
    const auto& sizes = asked_.sizes;
    for (const std::size_t place : {std::size_t{0}, sizes.size() / 2, sizes.size() - 1}) {
      const std::string size = size_text(sizes[place]), text = std::string(kPlannedFor) + size;
      add({version_named("for", size), text, fmt::format("the default schedule for {}", size),
           schedule_of_version(scheduled_, {"", text, {}})});
    }
  }

  void add(const tune::Champion& champion) {
    plan::Schedule schedule = plan::overlaid(untuned_schedule(scheduled_), champion.schedule());
    add({version_named("tuned", champion.problem.size), genome_text(scheduled_.genes, schedule),
         fmt::format("tuned at {}, {:.2f} times the default there", champion.problem.size,
                     gain_of(champion)),
         schedule, &champion});
  }

  /// The default first.
  std::vector<VersionCandidate> best() {
    if (candidates_.size() <= plan::kMostVersions) return candidates_;
    for (VersionCandidate& candidate : candidates_) candidate.expected = expected_of(candidate);
    std::vector<VersionCandidate> taken{candidates_.front()};
    while (taken.size() < plan::kMostVersions) {
      const VersionCandidate* next = nullptr;
      double least = std::numeric_limits<double>::infinity();
      for (const VersionCandidate& candidate : candidates_)
        if (!is_among(taken, candidate))
          if (const double time = time_with(taken, candidate); time < least)
            least = time, next = &candidate;
      taken.push_back(*next);
    }
    return taken;
  }

 private:
  static double gain_of(const tune::Champion& champion) {
    return champion.contest.best.score / champion.contest.start.score;
  }

  static bool is_among(const std::vector<VersionCandidate>& some,
                       const VersionCandidate& candidate) {
    return std::ranges::any_of(some, [&](const VersionCandidate& one) {
      return one.name == candidate.name || one.genome == candidate.genome;
    });
  }

  void add(VersionCandidate candidate) {
    candidate.genome = canonical_(plan::genome_of(genes_, candidate.schedule));
    if (!is_among(candidates_, candidate)) candidates_.push_back(std::move(candidate));
  }

  /// By the cost model; of a champion near its size, by the default's time and what it gained.
  [[nodiscard]] std::vector<double> expected_of(const VersionCandidate& candidate) const {
    const plan::Plan plan = scheduled_.backend.make_plan(scheduled_.program, candidate.schedule);
    const plan::KernelPlan& kernel = *plan.find_kernel(kernel_.name);
    std::vector<double> expected;
    for (std::size_t s = 0; s < asked_.sizes.size(); ++s) {
      const auto& size = asked_.sizes[s];
      const bool near =
          candidate.champion != nullptr &&
          tune::size_distance(candidate.champion->problem.size, size_text(size)) <= tune::kNear;
      expected.push_back(
          near ? candidates_.front().expected[s] / gain_of(*candidate.champion)
               : scheduled_.backend.predict(plan.machine, kernel, {size, asked_.machine})
                     .nanoseconds);
    }
    return expected;
  }

  /// The sum over all sizes of the logarithm of the fastest one's expected time.
  static double time_with(const std::vector<VersionCandidate>& taken,
                          const VersionCandidate& another) {
    double sum = 0;
    for (std::size_t s = 0; s < another.expected.size(); ++s) {
      double least = another.expected[s];
      for (const VersionCandidate& one : taken) least = std::min(least, one.expected[s]);
      sum += std::log(least);
    }
    return sum;
  }

  const ScheduledProgram& scheduled_;
  const om::Kernel& kernel_;
  const ProposedFor& asked_;
  std::vector<plan::Gene> genes_;  // of the kernel
  std::function<plan::Genome(const plan::Genome&)> canonical_;
  std::vector<VersionCandidate> candidates_;  // the default first
};

}  // namespace

std::vector<ProposedVersion> propose_versions(const ScheduledProgram& scheduled,
                                              const om::Kernel& kernel, const ProposedFor& asked,
                                              const std::vector<tune::Champion>& champions) {
  Proposals proposals(scheduled, kernel, asked);
  proposals.add_defaults();
  for (const tune::Champion& champion : champions) proposals.add(champion);
  std::vector<ProposedVersion> proposed;
  for (const VersionCandidate& one : proposals.best())
    proposed.push_back(
        {{one.name, one.text, plan::GuardedName{one.name, asked.measure, 0}}, one.from});
  std::rotate(proposed.begin(), proposed.begin() + 1, proposed.end());
  proposed.back().line.guard.reset();
  return proposed;
}

}  // namespace paraiso::cli
