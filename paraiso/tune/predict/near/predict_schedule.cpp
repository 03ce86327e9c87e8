#include "paraiso/tune/predict/near/predict_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "paraiso/plan/schedule/exchange_gene.hpp"
#include "paraiso/tune/predict/likeness.hpp"

namespace paraiso::tune {

namespace {

std::vector<CloseInstance> closest(const Features& features,
                                   const std::vector<KnownInstance>& known) {
  std::vector<std::pair<double, const KnownInstance*>> order;
  for (const KnownInstance& instance : known) {
    const double far = distance(instance.features, features);
    if (std::isfinite(far)) order.emplace_back(far, &instance);
  }
  std::ranges::stable_sort(order, {}, [](const auto& one) { return one.first; });
  if (order.size() > kNeighbours) order.resize(kNeighbours);
  std::vector<CloseInstance> near;
  for (const auto& [far, instance] : order) near.push_back({*instance, likeness(far)});
  return near;
}

/// What the cost model says of the kernel under a schedule, in nanoseconds a cell.
double predicted_time(const Untuned& untuned, const plan::Schedule& schedule) {
  const plan::Plan plan = untuned.backend.make_plan(untuned.program, schedule);
  const plan::KernelPlan* kernel = plan.find_kernel(untuned.kernel.name);
  return kernel ? untuned.backend.predict(plan.machine, *kernel, untuned.setting).nanoseconds : 0;
}

/// What the neighbours that are like it vote for, as schedules of the program.
class Vote {
 public:
  explicit Vote(const Untuned& untuned)
      : untuned_(untuned),
        roles_(roles_of(untuned.kernel, untuned.backend.options, untuned.on_ranks)),
        canonical_(untuned.backend.canonical(untuned.program, untuned.kernel.name)) {
    if (untuned.on_ranks) canonical_ = plan::canonical_on_ranks(std::move(canonical_));
    default_ = genome(untuned.schedule);
  }

  [[nodiscard]] std::vector<Candidate> of(const std::vector<CloseInstance>& near) {
    std::vector<Ballot> ballots;
    for (const CloseInstance& neighbour : near)
      if (neighbour.likeness >= kAlike) ballots.push_back(ballot(neighbour));
    if (ballots.empty()) return {};
    const double time = predicted_time(untuned_, untuned_.schedule);
    std::vector<Candidate> candidates;
    for (const Elected& elected : count_votes(ballots)) {
      Candidate candidate{
          plan::overlaid(untuned_.schedule,
                         plan::schedule_of(untuned_.genes, genomes_[elected.choice])),
          elected.gain, elected.confidence, 1, elected.nearest};
      candidate.model_ratio = predicted_time(untuned_, candidate.schedule) / time;
      candidates.push_back(std::move(candidate));
    }
    return candidates;
  }

 private:
  [[nodiscard]] plan::Genome genome(const plan::Schedule& schedule) const {
    return canonical_(plan::genome_of(untuned_.genes, schedule));
  }

  Ballot ballot(const CloseInstance& neighbour) {
    const plan::Genome chosen =
        genome(schedule_of(neighbour.instance.best, untuned_.genes, roles_, untuned_.schedule));
    if (chosen == default_) return {neighbour.likeness, std::nullopt, 1};
    const auto found = std::ranges::find(genomes_, chosen);
    const auto choice = static_cast<std::size_t>(found - genomes_.begin());
    if (found == genomes_.end()) genomes_.push_back(chosen);
    return {neighbour.likeness, choice, neighbour.instance.gain};
  }

  const Untuned& untuned_;
  std::vector<Role> roles_;
  std::function<plan::Genome(const plan::Genome&)> canonical_;
  plan::Genome default_;
  std::vector<plan::Genome> genomes_;
};

std::string name_of(const KnownInstance& instance) {
  return fmt::format("`{}` {}", instance.problem.machine, instance.problem.size);
}

std::string doubts(const Predicted& found, const KnownInstances& known) {
  if (found.near.empty()) return why_none_compares(known);
  const CloseInstance& first = found.near.front();
  if (first.likeness < kAlike)
    return fmt::format(
        "no tuned program is like it: the closest, {}, by {:.2f} of 1, and {} is "
        "needed",
        name_of(first.instance), first.likeness, kAlike);
  if (found.candidates.empty()) return "what was best for programs like it is the default here";
  const Candidate& best = found.candidates.front();
  if (best.gain < kLeastGain)
    return fmt::format("a gain of {:.3f} times is expected, and {} is needed", best.gain,
                       kLeastGain);
  if (best.model_ratio > kMostModelRatio)
    return fmt::format("the cost model expects {:.2f} times the default's time of it",
                       best.model_ratio);
  return "";
}

}  // namespace

Predicted no_prediction(const KnownInstances& known) {
  Predicted none;
  none.why_not = doubts(none, known);
  none.nothing_known = known.all.empty() && known.of_other_version == 0;
  return none;
}

Predicted predict_schedule(const Untuned& untuned, const KnownInstances& all) {
  const KnownInstances known = usable_for(all, untuned.on_ranks);
  Predicted found{closest(untuned.features, known.all), {}, false, ""};
  if (found.near.empty()) return no_prediction(known);
  found.candidates = Vote(untuned).of(found.near);
  found.why_not = doubts(found, known);
  found.sure = found.why_not.empty();
  return found;
}

}  // namespace paraiso::tune
