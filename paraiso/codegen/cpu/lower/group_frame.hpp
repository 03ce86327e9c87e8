// GroupFrame: what the loops of a group share: names, parameters, the thread's memory.
// Gives: GroupFrame, XGhostCells, OpaqueConstants. Needs: body_lowering, thread_memory.
#pragma once

#include "paraiso/codegen/cpu/lower/thread_memory.hpp"
#include "paraiso/codegen/lower/body_lowering.hpp"
#include "paraiso/plan/cpu/prefetch_rows.hpp"

namespace paraiso::codegen {

/// The objects that compute the ghost cells at the ends of rows, by name.
class XGhostCells {
 public:
  XGhostCells(const om::Machine& machine, Names& names) : machine_(machine), names_(names) {}
  /// For a static's rows, read as far as `reach` along axis 0 by loops in vectors of `unit`.
  std::string of(om::StaticId id, plan::Lane unit, const plan::Extent& reach);
  [[nodiscard]] claris::Block declarations() const;

 private:
  using Key = std::tuple<om::StaticId, plan::Lane, std::int32_t, std::int32_t>;
  const om::Machine& machine_;
  Names& names_;
  std::map<Key, std::string> known_;
};

/// The variables that stand for constant operands of comparisons.
class OpaqueConstants {
 public:
  explicit OpaqueConstants(Names& names) : names_(names) {}
  std::string opaque(om::Constant value);
  [[nodiscard]] claris::Block declarations() const;

 private:
  Names& names_;
  std::vector<std::pair<om::Constant, std::string>> known_;
};

/// Variables that are declared if the body mentions them: whether arrays are stored past the
/// caches, and the distance, in elements, from a row to the row that loops prefetch.
inline constexpr const char* kStreaming = "streaming";
inline constexpr const char* kAhead = "ahead";

/// What the function that shares the tiles calls its own. A tile's function leaves these names to
/// it, since its parameters are passed on under their names.
inline constexpr const char* kNamesOfSharing[] = {"grid", "threads", "tiles", "number"};
/// The same where a group is computed in regions.
inline constexpr const char* kNamesOfRegions[] = {"arrive", "regions", "region"};

class GroupFrame {
 public:
  GroupFrame(const plan::Plan& plan, const plan::KernelPlan& kernel, const plan::Group& group);

  /// Whether all loops run at each row of a sweep, each at its lag.
  [[nodiscard]] bool swept() const { return !group.sweep.empty(); }
  [[nodiscard]] bool split() const { return group.form == plan::Form::split; }
  /// The indices along axes 1, 2, ... of the row at `offset` from the loop's own.
  [[nodiscard]] std::vector<claris::ExprPtr> row_at(const om::Offset& offset) const;
  /// How far ahead of the loops rows are prefetched.
  [[nodiscard]] claris::ExprPtr distance_ahead() const;

  const plan::Plan& plan;
  const plan::KernelPlan& kernel;
  const plan::Group& group;
  const om::Graph& graph;
  const int dimension;
  Names names;
  ParameterList parameters;
  ThreadMemory memory;
  XGhostCells row_ends;
  OpaqueConstants constants;
  const std::vector<std::vector<plan::PrefetchPart>> coming;  // per stage, or empty
  std::vector<int> buffer_of;                    // per value: its place in group.buffers, or -1
  std::vector<std::string> buffers;              // the variables of group.buffers
  std::map<int, std::string> states;             // the objects that fill ghost cells of buffers
  std::map<om::ValueId, std::string> row_fills;  // the same for a value in an array
  std::map<om::ValueId, std::string> cells, partials;  // of each reduction's result
};

}  // namespace paraiso::codegen
