// Parts of a champion: what each of its changes to the default schedule is worth, alone and
// together. Gives: GenePart, part_of, name, Crossing, crossings, GeneChange, changes,
// crossing_name. Needs: plan's genomes.
//
// Section 5.2 and Table 10 of the 2012 paper: artificial crossovers that take some parts of the
// genome from the champion and the others from the start.
#pragma once

#include <functional>

#include "paraiso/plan/schedule/genome.hpp"

namespace paraiso::tune {

enum class GenePart {
  launch,          // tiles, vectors, sweeps: how loops run (the paper's C)
  storage,         // what is stored, and where (M)
  synchronisation  // which loops share a group (S)
};
inline constexpr std::size_t kPartCount = 3;
[[nodiscard]] const char* name(GenePart part);
[[nodiscard]] GenePart part_of(const plan::Gene& gene);

/// An artificial crossover, named after what it has of the champion: "launch", "storage +
/// synchronisation", "only GENE", "all but GENE"; "nothing" is the start, "everything" the
/// champion.
struct Crossing {
  std::string name;
  plan::Genome genome;  // canonical
};

/// The eight of Table 10, then `only` and `all but` for each gene that differs. Repair may make
/// some of them equal.
[[nodiscard]] std::vector<Crossing> crossings(
    const std::vector<plan::Gene>& genes, const plan::Genome& start, const plan::Genome& champion,
    const std::function<plan::Genome(const plan::Genome&)>& canonical);
/// The names of the first eight; bit p of `parts` is set if part p is the champion's.
[[nodiscard]] std::string crossing_name(std::size_t parts);

/// A gene that the champion has changed.
struct GeneChange {
  std::string gene, from, to;
  GenePart part = GenePart::launch;
};
[[nodiscard]] std::vector<GeneChange> changes(const std::vector<plan::Gene>& genes,
                                              const plan::Genome& start,
                                              const plan::Genome& champion);

}  // namespace paraiso::tune
