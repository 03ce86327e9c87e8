// AlleleOrder: which alleles of a gene lie between which. Numbers have an order, names have none.
// Gives: GeneKind, kind_of, kinds_of, number_in, AlleleOrder. Needs: plan's genes.
//
// A gene is one of numbers if at least two of its alleles are numbers; others beside them (the tile
// `all`) lie outside the order. Two numbers are as far apart as their ranks, not their values: tile
// widths double from one to the next.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "paraiso/base/rng.hpp"
#include "paraiso/plan/schedule/genome.hpp"

namespace paraiso::tune {

enum class GeneKind { names, numbers };

[[nodiscard]] GeneKind kind_of(const plan::Gene& gene);
[[nodiscard]] std::vector<GeneKind> kinds_of(const std::vector<plan::Gene>& genes);
/// Nothing for a name.
[[nodiscard]] std::optional<double> number_in(const std::string& allele);

class AlleleOrder {
 public:
  /// `kinds` has one for each gene, or none: then what `kind_of` says. Numbers without two numbers
  /// among their alleles are names.
  explicit AlleleOrder(const std::vector<plan::Gene>& genes, std::vector<GeneKind> kinds = {});

  /// 0 for the same allele, 1 for names and for the two ends of an order.
  [[nodiscard]] double distance(std::size_t gene, std::uint16_t one, std::uint16_t other) const;
  /// Summed over the genes.
  [[nodiscard]] double distance(const plan::Genome& one, const plan::Genome& other) const;

  /// The alleles one step away: of a number the next two at most and all words, else all others.
  [[nodiscard]] const std::vector<std::uint16_t>& next_to(std::size_t gene,
                                                          std::uint16_t allele) const {
    return genes_[gene].next_to[allele];
  }
  /// Another allele, if there is one: with probability `stepping` one step away, else any.
  [[nodiscard]] std::uint16_t changed(std::size_t gene, std::uint16_t allele, double stepping,
                                      Rng& rng) const;

  /// A number's place in its order, from 0; others beyond the largest. Of a name, its own number.
  [[nodiscard]] double place(std::size_t gene, std::uint16_t allele) const {
    return genes_[gene].places[allele];
  }
  [[nodiscard]] bool ordered(std::size_t gene) const { return genes_[gene].ordered; }
  /// Whether the allele is a number of an order.
  [[nodiscard]] bool placed(std::size_t gene, std::uint16_t allele) const {
    return genes_[gene].ordered && genes_[gene].placed[allele];
  }
  /// How many alleles the order has; of names, all.
  [[nodiscard]] std::size_t length(std::size_t gene) const { return genes_[gene].in_order.size(); }
  /// The allele whose place is nearest; in an order one of its numbers.
  [[nodiscard]] std::uint16_t allele_at(std::size_t gene, double place) const;

 private:
  struct Row {
    bool ordered = false;
    std::vector<double> places;           // by allele
    std::vector<bool> placed;             // whether the allele is a number of the order
    std::vector<std::uint16_t> in_order;  // alleles by place
    std::vector<std::vector<std::uint16_t>> next_to;
  };
  static Row row_of(const plan::Gene& gene, GeneKind kind);

  std::vector<Row> genes_;
};

}  // namespace paraiso::tune
