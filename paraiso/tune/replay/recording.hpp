// Recording: the individuals of one problem as a text file, so that strategies can be tried again
// without compiler and clock, and a tuning can be analysed elsewhere.
// Gives: Recording, print, parse_recording, first_repeated, record, complete, record_complete,
// lineage_of. Needs: database, rating, lineage, allele order.
//
// One line of JSON each (jsonlines.org): first the problem with its gene table, then one array per
// individual, in the order of finishing:
//
//     {"paraiso_recording": 3, "recorded": "trajectory", "machine": "heat", ...,
//      "genes": [["proceed/vectors", ["1", "2"]]], "kinds": ["numbers"]}
//     ["A", 1.25e8, 310000.0, "start", [], "", [1.2, null, null], [1.3e8, 1.2e8]]
//     ["B", 0.0, 0.0, "mutation", [1], "the state did not move", [0.9, null, null], []]
//
// An array holds: the genome in letters, score, deviation, method of birth, the parents' numbers
// (the first individual is 1), the reason of a failure, the seconds that building, checking and
// timing took (null: unknown), and the samples. Files of version 2 end with the reason, and are
// trajectories.
#pragma once

#include <array>
#include <optional>
#include <utility>

#include "paraiso/plan/schedule/genome.hpp"
#include "paraiso/tune/allele_order.hpp"
#include "paraiso/tune/analysis/lineage.hpp"
#include "paraiso/tune/database/database.hpp"

namespace paraiso::tune {

/// How the individuals came into a recording.
enum class Recorded {
  trajectory,  // a search chose them: full of its near-best ones, it compares no searches
  exhaustive,  // all that there are
  drawn        // each independently of all scores, from the distribution that is named
};

struct Recording {
  struct Entry {
    plan::Genome genome;
    Measurement measurement;  // without hashes
    std::string method;
    std::vector<std::size_t> parents;  // indices in `entries`, all lower than this one's
    std::array<std::optional<double>, 3> seconds = {};  // of building, checking, timing
  };
  TuningProblem problem;
  std::vector<Entry> entries;
  Recorded recorded = Recorded::trajectory;
  std::string distribution = {};     // of `drawn`: the strategy that drew, "random" or "scattered"
  std::vector<GeneKind> kinds = {};  // of the genes; none: what `kind_of` says
  std::string source = {}, licence = {};  // of data of others
};

[[nodiscard]] std::string print(const Recording& recording);
/// Throws Error at `file`:line.
[[nodiscard]] Recording parse_recording(std::string_view text, std::string_view file);
/// The places of the first two individuals with the same genome.
[[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> first_repeated(
    const Recording& recording);

/// All individuals of a problem with their ratings: a trajectory. Parents from other problems are
/// left out.
[[nodiscard]] Recording record(Database& database, std::int64_t problem);
/// The recording as a complete one, by the methods of its births: all `exhaustive`, or all drawn
/// alike, beside the starts. Throws Error if a search chose any of them.
[[nodiscard]] Recording complete(Recording recording);
/// The same of a problem, by the strategies of its sessions, too: what a search draws at random is
/// still its choice. Throws Error also for an exhaustive search that did not come to its end.
[[nodiscard]] Recording record_complete(Database& database, std::int64_t problem);

[[nodiscard]] Lineage lineage_of(const Recording& recording);

}  // namespace paraiso::tune
