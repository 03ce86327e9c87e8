// The gene table: which choices a program has, and which values each choice is about.
// Gives: StorageGene, KernelGenes, kernel_genes, GeneTable, gene_table, InnerState, Choices,
// choices_of, is_materialisable. Needs: schedule, plan.
//
// To add a gene: a row in `kernel_options`, its field in Choices, its use (most are used in
// group_options.cpp) and its legality in repair.cpp.
#pragma once

#include <set>

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// Values that share one choice of storage: a bundle that the user named, one unnamed value, or a
/// static's states between fused steps.
struct StorageGene {
  std::string name;  // `proceed/flux.storage`, `proceed_4/density.state`
  std::vector<om::ValueId> values;
  std::vector<std::string> alleles;
};

/// A choice for one kernel as a whole.
struct OptionGene {
  std::string name;  // `tile_y`
  std::vector<std::string> alleles;
};
[[nodiscard]] std::vector<OptionGene> kernel_options(int dimension);

/// In canonical order. Values annotated `delayed` have no gene; `manifest` ones are in `forced`.
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

/// A state between fused steps: what there is beside its storage.
struct InnerState {
  // Along each axis: whether cells beyond the core are filled from those within; else they are
  // computed.
  std::vector<bool> filled;
  // By now, what the statics that its boundary kernels read hold, where that is not what they hold
  // at entry.
  std::map<om::StaticId, om::ValueId> beside = {};
};

/// A kernel's choices, read out of a Schedule.
struct Choices {
  std::vector<Storage> storage;    // per value
  std::vector<bool> cut;           // per value: its group has no other array
  bool apart = false;              // no group has more than one array
  bool gather_divides = false;     // values that divide share a loop, ahead of their readers'
  bool split = false;              // groups are split where they can be
  std::vector<int> sweep;          // as Group::sweep
  std::vector<std::int64_t> tile;  // as Group::tile
  int vectors = 1, jam = 1;
  bool streaming = false, prefetch = false;
  std::map<om::ValueId, InnerState> states = {};
};
[[nodiscard]] Choices choices_of(const om::Machine& machine, const om::Kernel& kernel,
                                 const KernelGenes& genes, const Schedule& schedule);

/// Whether loops read a value from where it is kept: results of Arith, and states between fused
/// steps. All else is read, or computed, in place.
[[nodiscard]] bool is_materialisable(const om::Graph& graph, om::ValueId value);

inline constexpr const char* kInline = "inline";
inline constexpr const char* kScratch = "scratch";
inline constexpr const char* kRolling = "rolling";
inline constexpr const char* kArray = "array";
inline constexpr const char* kJoined = "joined";
inline constexpr const char* kApart = "apart";
inline constexpr const char* kOverlapped = "overlapped";
inline constexpr const char* kSplit = "split";
inline constexpr const char* kArrayAlone = "array_alone";  // an array made by a group of its own

}  // namespace paraiso::plan
