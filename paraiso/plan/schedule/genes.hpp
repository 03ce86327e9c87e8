// The gene table: which choices a program has, and which values each choice is about.
// Gives: StorageGene, KernelGenes, kernel_genes, GeneTable, gene_table, genes. Needs: schedule.
//
// To add one for kernels as a whole: kernel_options.hpp says how.
#pragma once

#include <set>

#include "paraiso/plan/schedule/schedule.hpp"

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
[[nodiscard]] GeneTable gene_table(const om::Kernel& kernel);

/// The genes of a (already passed through `passes::prepare`) program, in canonical order.
[[nodiscard]] std::vector<Gene> genes(const om::Machine& machine);
/// Those of one of its kernels.
[[nodiscard]] std::vector<Gene> genes(const om::Kernel& kernel);

inline constexpr const char* kInline = "inline";
inline constexpr const char* kScratch = "scratch";
inline constexpr const char* kRolling = "rolling";
inline constexpr const char* kArray = "array";
inline constexpr const char* kArrayAlone = "array_alone";  // an array made by a group of its own

}  // namespace paraiso::plan
