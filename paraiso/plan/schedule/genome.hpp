// Genome: a schedule as a list of allele numbers, and as a string of letters.
// Gives: Genome, letters_of, genome_from, genome_of, schedule_of, gene_table_hash. Needs: schedule.
//
// A genome is positional for one gene table, whose hash is stored with it. A gene with up to 52
// alleles takes one letter, `A` to `Z`, then `a` to `z`; one with more alleles takes as many
// letters as it needs, the most significant first. Numbers are read modulo the number of alleles;
// missing letters at the end are defaults, surplus ones are ignored. So every string of letters is
// a schedule, also a truncated one.
#pragma once

#include <cstdint>

#include "paraiso/plan/schedule/schedule.hpp"

namespace paraiso::plan {

/// For each gene of the table, in its order, the number of its allele.
using Genome = std::vector<std::uint16_t>;

[[nodiscard]] std::string letters_of(const std::vector<Gene>& table, const Genome& genome);
/// Throws Error that names the first character that is no letter.
[[nodiscard]] Genome genome_from(const std::vector<Gene>& table, std::string_view letters);

/// A gene or allele that the table does not know takes its default.
[[nodiscard]] Genome genome_of(const std::vector<Gene>& table, const Schedule& schedule);
/// Not repaired.
[[nodiscard]] Schedule schedule_of(const std::vector<Gene>& table, const Genome& genome);

/// The hash of names and alleles, in order: genomes of tables with equal hashes are compatible.
[[nodiscard]] std::string gene_table_hash(const std::vector<Gene>& table);

}  // namespace paraiso::plan
