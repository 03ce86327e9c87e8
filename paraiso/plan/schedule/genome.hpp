// Genome: a schedule as a row of allele numbers, and as a string of letters.
// Gives: Genome, letters_of, genome_from, genome_of, schedule_of, gene_table_hash. Needs: schedule.
//
// A genome is positional for one gene table, whose hash is stored beside it. A gene with up to 52
// alleles takes one letter, `A` to `Z`, then `a` to `z`; one with more takes as many as it needs,
// the first being the most significant. A letter string is read with its numbers modulo the number
// of alleles; what is missing at its end is the default, what is left over is ignored. So every
// string of letters is a schedule, and a genome that lost its tail still means something.
#pragma once

#include <cstdint>

#include "paraiso/plan/schedule/schedule.hpp"

namespace paraiso::plan {

/// Of each gene of the table, in its order, which of its alleles.
using Genome = std::vector<std::uint16_t>;

[[nodiscard]] std::string letters_of(const std::vector<Gene>& table, const Genome& genome);
/// Throws Error that names the first character that is no letter.
[[nodiscard]] Genome genome_from(const std::vector<Gene>& table, std::string_view letters);

/// A gene or allele that the table does not know takes its default.
[[nodiscard]] Genome genome_of(const std::vector<Gene>& table, const Schedule& schedule);
/// Not repaired.
[[nodiscard]] Schedule schedule_of(const std::vector<Gene>& table, const Genome& genome);

/// Of names and alleles, in order: genomes of equal hashes may be exchanged.
[[nodiscard]] std::string gene_table_hash(const std::vector<Gene>& table);

}  // namespace paraiso::plan
