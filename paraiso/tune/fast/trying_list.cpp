#include "paraiso/tune/fast/trying_list.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "paraiso/base/error.hpp"
#include "paraiso/tune/fast/expected_overlap.hpp"
#include "paraiso/tune/predict/likeness.hpp"

namespace paraiso::tune {

namespace {

/// Those with any overlap, the highest first.
std::vector<CloseInstance> closest(const std::vector<KnownInstance>& known,
                                   const ExpectedOverlap& overlap, const Features& features) {
  std::vector<CloseInstance> near;
  for (const KnownInstance& instance : known)
    if (const double shared = overlap(instance.features, features); shared > 0)
      near.push_back({instance, shared});
  std::ranges::stable_sort(near, std::greater(), &CloseInstance::likeness);
  if (near.size() > kNeighbours) near.resize(kNeighbours);
  return near;
}

double expected_gain(const std::vector<CloseInstance>& near) {
  double sum = 0, weights = 0;
  for (const CloseInstance& one : near) {
    sum += one.likeness * std::log(one.instance.gain);
    weights += one.likeness;
  }
  return weights > 0 ? std::exp(sum / weights) : 1;
}

/// The union of what is best in several instances, as genomes of one program.
class Union {
 public:
  explicit Union(const TunedProgram& tuned)
      : tuned_(tuned), roles_(roles_of(tuned.kernel(), tuned.backend->options, tuned.on_ranks())) {}

  void add(const std::vector<Recipe>& recipes, double weight) {
    TryingOrder list;
    for (const Recipe& recipe : recipes) {
      const plan::Genome genome =
          tuned_.genome(schedule_of(recipe, tuned_.problem.genes, roles_, tuned_.untuned));
      if (genome == tuned_.default_genome) continue;
      const std::size_t member = place_of(genome);
      if (std::ranges::find(list, member) == list.end()) list.push_back(member);
    }
    lists_.push_back(std::move(list));
    weights_.push_back(weight);
  }

  [[nodiscard]] std::vector<plan::Genome> in_order() const {
    std::vector<plan::Genome> genomes;
    for (const std::size_t member : order_by(votes(lists_, weights_, kSolutions, members_.size())))
      genomes.push_back(members_[member]);
    if (genomes.size() > kSolutions) genomes.resize(kSolutions);
    return genomes;
  }

 private:
  std::size_t place_of(const plan::Genome& genome) {
    const auto found = std::ranges::find(members_, genome);
    const auto place = static_cast<std::size_t>(found - members_.begin());
    if (found == members_.end()) members_.push_back(genome);
    return place;
  }

  const TunedProgram& tuned_;
  std::vector<Role> roles_;
  std::vector<plan::Genome> members_;
  std::vector<TryingOrder> lists_;
  RecipeValues weights_;
};

Features features_in(Database& database, std::int64_t problem) {
  const auto description = database.description(problem);
  auto features = features_from(nlohmann::ordered_json::parse(description.value().features));
  if (!features) throw Error("the description is of another version of Paraiso");
  return std::move(*features);
}

std::string why_empty(const TryingList& list, const KnownInstances& known) {
  if (!list.trials.empty()) return "";
  if (!list.near.empty()) return "what was best for the programs closest to it is the default here";
  return why_none_compares(known);
}

}  // namespace

TryingList trying_list(Database& database, std::int64_t problem, const TunedProgram& tuned) {
  const ExpectedOverlap overlap(solution_spaces(database, problem));
  const Features features = features_in(database, problem);
  const Nearby wanted{[&](const PlaceAxes& axes) { return overlap.away(features, axes); },
                      tuned.on_ranks(), [&](std::int64_t id) { return id == problem; }};
  const KnownInstances known = usable_for(nearest_known(database, wanted), tuned.on_ranks());
  TryingList list;
  if (!known.all.empty()) {
    list.learnt = overlap.learnt();
    list.near = closest(known.all, overlap, features);
    Union best(tuned);
    for (const CloseInstance& one : list.near)
      best.add(solutions_of(database, one.instance, kSolutions), one.likeness);
    list.trials = best.in_order();
    list.gain = expected_gain(list.near);
  }
  list.why_empty = why_empty(list, known);
  return list;
}

}  // namespace paraiso::tune
