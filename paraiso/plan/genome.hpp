// Genome: a schedule as a row of allele numbers, and as a string of letters.
// Gives: Genome, letters_of, genome_from, genome_of, schedule_of, Canonical, gene_table_hash,
// encode, decode. Needs: schedule.
//
// A genome is positional for one gene table, whose hash is stored beside it. A gene with up to 52
// alleles takes one letter, `A` to `Z`, then `a` to `z`; one with more takes as many as it needs,
// the first being the most significant. A letter string is read with its numbers modulo the number
// of alleles; what is missing at its end is the default, what is left over is ignored. So every
// string of letters is a schedule, and a genome that lost its tail still means something.
#pragma once

#include <cstdint>
#include <memory>

#include "paraiso/plan/schedule.hpp"

namespace paraiso::plan {

struct GeneTable;

/// Of each gene of the table, in its order, which of its alleles.
using Genome = std::vector<std::uint16_t>;

[[nodiscard]] std::string letters_of(const std::vector<Gene>& table, const Genome& genome);
/// Throws Error that names the first character that is no letter.
[[nodiscard]] Genome genome_from(const std::vector<Gene>& table, std::string_view letters);

/// A gene or allele that the table does not know takes its default.
[[nodiscard]] Genome genome_of(const std::vector<Gene>& table, const Schedule& schedule);
/// Not repaired.
[[nodiscard]] Schedule schedule_of(const std::vector<Gene>& table, const Genome& genome);

/// From a genome of one kernel to that of its repaired schedule: where two are equal, they are the
/// same program. To be made once and asked often.
class Canonical {
 public:
  /// The machine must have a kernel of that name.
  Canonical(const om::Machine& machine, std::string_view kernel);

  /// What the genomes are of.
  [[nodiscard]] const std::vector<Gene>& genes() const;
  [[nodiscard]] Genome operator()(const Genome& genome) const;

 private:
  std::shared_ptr<const om::Machine> machine_;
  const om::Kernel* kernel_;
  std::shared_ptr<const GeneTable> table_;
};

/// Of names and alleles, in order: genomes of equal hashes may be exchanged.
[[nodiscard]] std::string gene_table_hash(const std::vector<Gene>& table);

/// The letters of the repaired schedule.
[[nodiscard]] std::string encode(const om::Machine& machine, const Schedule& schedule);
/// The repaired schedule that the letters mean. Throws Error as `genome_from`.
[[nodiscard]] Schedule decode(const om::Machine& machine, std::string_view letters);

}  // namespace paraiso::plan
