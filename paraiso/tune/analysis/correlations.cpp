#include "paraiso/tune/analysis/correlations.hpp"

#include "paraiso/tune/analysis/contribution.hpp"
#include "paraiso/tune/analysis/fitness_rank.hpp"

namespace paraiso::tune {

namespace {

/// The properties of an individual that the predicates use.
struct Traits {
  std::size_t number = 0, parents = 0;
  int distance = kNoDistance;
  std::optional<FitnessRank> rank;
};

using Predicate = bool (*)(const Traits&);

template <std::size_t count>
bool born_of(const Traits& i) {
  return i.parents == count;
}
template <FitnessRank rank>
bool ranks(const Traits& i) {
  return i.rank == rank;
}
bool contributes(const Traits& i) { return i.distance == 0; }
bool does_not(const Traits& i) { return i.distance != 0; }
bool anyone(const Traits&) { return true; }
bool combined(const Traits& i) { return i.parents >= 2; }
bool elite(const Traits& i) {
  return combined(i) && (i.rank == FitnessRank::much_faster || i.rank == FitnessRank::alike);
}
bool lucky(const Traits& i) { return i.number % 10 == 7; }
bool unlucky(const Traits& i) { return i.number % 100 == 13; }

struct TraitPair {
  const char* first_text;
  Predicate first;
  const char* second_text;
  Predicate second;
  const char* among_text;
  Predicate among;
};

constexpr TraitPair kQuestions[] = {
    {"mutation", born_of<1>, "d = 0", contributes, "all", anyone},
    {"crossover", born_of<2>, "d = 0", contributes, "all", anyone},
    {"triangulation", born_of<3>, "d = 0", contributes, "all", anyone},
    {"much faster", ranks<FitnessRank::much_faster>, "d = 0", contributes, "all", anyone},
    {"alike", ranks<FitnessRank::alike>, "d = 0", contributes, "all", anyone},
    {"slower", ranks<FitnessRank::slower>, "d = 0", contributes, "all", anyone},
    {"much slower", ranks<FitnessRank::much_slower>, "d = 0", contributes, "all", anyone},
    {"crossover", born_of<2>, "d = 0", contributes, "two parents or more", combined},
    {"triangulation", born_of<3>, "d = 0", contributes, "two parents or more", combined},
    {"crossover", born_of<2>, "much faster", ranks<FitnessRank::much_faster>, "the elite", elite},
    {"triangulation", born_of<3>, "much faster", ranks<FitnessRank::much_faster>, "the elite",
     elite},
    {"crossover", born_of<2>, "much faster", ranks<FitnessRank::much_faster>, "d = 0", contributes},
    {"crossover", born_of<2>, "alike", ranks<FitnessRank::alike>, "d = 0", contributes},
    {"triangulation", born_of<3>, "much faster", ranks<FitnessRank::much_faster>, "d = 0",
     contributes},
    {"triangulation", born_of<3>, "alike", ranks<FitnessRank::alike>, "d = 0", contributes},
    {"number ends with 7", lucky, "d = 0", contributes, "all", anyone},
    {"number ends with 13", unlucky, "d > 0", does_not, "all", anyone},
};

ChiSquared answer(const TraitPair& question, const std::vector<Traits>& population) {
  std::int64_t both = 0, first = 0, second = 0, all = 0;
  for (const Traits& i : population) {
    if (!question.among(i)) continue;
    const bool one = question.first(i), other = question.second(i);
    ++all, first += one, second += other, both += one && other;
  }
  return correlation(both, first, second, all);
}

}  // namespace

std::vector<CorrelationRow> correlations(const Lineage& lineage) {
  const std::vector<int> distances = contribution_distances(lineage);
  std::vector<Traits> population;
  for (std::size_t i = 0; i < lineage.size(); ++i)
    population.push_back({i + 1, lineage[i].parent_count(), distances[i], rank_of(lineage, i)});
  std::vector<CorrelationRow> rows;
  for (const TraitPair& question : kQuestions)
    rows.push_back({question.first_text, question.second_text, question.among_text,
                    answer(question, population)});
  return rows;
}

}  // namespace paraiso::tune
