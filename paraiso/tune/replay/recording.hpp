// Recording: the individuals of one problem as a text file, so that strategies can be tried again
// without compiler and clock, and a tuning can be analysed elsewhere.
// Gives: Recording, print, parse_recording, record, lineage_of. Needs: database, rating, lineage.
//
// A line of JSON each (jsonlines.org): first the problem with its gene table, then an array an
// individual, in the order of finishing:
//
//     {"paraiso_recording": 2, "machine": "heat", ..., "genes": [["proceed/vectors", ["1", "2"]]]}
//     ["A", 1.25e8, 310000.0, "start", [], ""]
//     ["B", 0.0, 0.0, "mutation", [1], "the state did not move"]
//
// These are: the genome in letters, score, deviation, method of birth, the parents' numbers (the
// first individual is 1), and the reason of a failure.
#pragma once

#include "paraiso/plan/schedule/genome.hpp"
#include "paraiso/tune/analysis/lineage.hpp"
#include "paraiso/tune/database/database.hpp"

namespace paraiso::tune {

struct Recording {
  struct Entry {
    plan::Genome genome;
    Measurement measurement;  // without samples and hashes
    std::string method;
    std::vector<std::size_t> parents;  // places in `entries`, before this one's
  };
  Problem problem;
  std::vector<Entry> entries;
};

[[nodiscard]] std::string print(const Recording& recording);
/// Throws Error at `file`:line.
[[nodiscard]] Recording parse_recording(std::string_view text, std::string_view file);

/// All individuals of a problem by their ratings. Parents that are not of it are left out.
[[nodiscard]] Recording record(Database& database, std::int64_t problem);

[[nodiscard]] Lineage lineage_of(const Recording& recording);

}  // namespace paraiso::tune
