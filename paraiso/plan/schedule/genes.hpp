// The gene table: which choices a program has, and which values each choice is about.
// Gives: StorageGene, KernelGenes, kernel_genes, GeneTable, gene_table, genes, genes_of,
// genes_help. Needs: kernel_options.
//
// To add one for kernels as a whole: kernel_options.hpp says how.
#pragma once

#include <set>

#include "paraiso/plan/schedule/kernel_options.hpp"

namespace paraiso::plan {

/// Values that share one choice of storage: a bundle that the user named, one unnamed value, or a
/// static's states between fused steps.
struct StorageGene {
  std::string name;  // `proceed/flux.storage`, `proceed_4/density.state`
  std::vector<om::ValueId> values;
  std::vector<std::string> alleles;
};

/// In canonical order. Values annotated `delayed` have no gene; those annotated `manifest` are in
/// `forced`.
struct KernelGenes {
  std::vector<StorageGene> storage;
  std::set<om::ValueId> forced;
};
[[nodiscard]] KernelGenes kernel_genes(const om::Kernel& kernel);

/// All genes of a kernel: those for the whole of it, then those of its values.
struct GeneTable {
  std::vector<Gene> genes;
  KernelGenes values;
};
[[nodiscard]] GeneTable gene_table(const om::Kernel& kernel, OptionTable options);

/// The genes of a (already passed through `passes::prepare`) program, in canonical order.
[[nodiscard]] std::vector<Gene> genes(const om::Machine& machine, OptionTable options);
/// Those of one of its kernels.
[[nodiscard]] std::vector<Gene> genes(const om::Kernel& kernel, OptionTable options);
/// The same, out of the table of its program.
[[nodiscard]] std::vector<Gene> genes_of(const std::vector<Gene>& table, const om::Kernel& kernel);

/// What each kind of gene of the machine or the schedule is about, and its alleles: a comment line
/// each, for a schedule's file.
[[nodiscard]] std::string genes_help(const Schedule& schedule, const om::Machine& machine,
                                     OptionTable options);

inline constexpr const char* kInline = "inline";
inline constexpr const char* kScratch = "scratch";
inline constexpr const char* kRolling = "rolling";
inline constexpr const char* kArray = "array";
inline constexpr const char* kArrayAlone = "array_alone";  // an array made by a group of its own

}  // namespace paraiso::plan
