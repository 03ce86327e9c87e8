// GroupFrame: what the loops of a group have in common: names, parameters, the thread's memory.
// Gives: GroupFrame, RowEnds, OpaqueConstants. Needs: body_lowering, thread_memory.
#pragma once

#include "paraiso/codegen/cpu/lower/thread_memory.hpp"
#include "paraiso/codegen/lower/body_lowering.hpp"
#include "paraiso/plan/choices/coming_rows.hpp"

namespace paraiso::codegen {

/// What makes the ghost cells at the ends of rows, by name.
class RowEnds {
 public:
  RowEnds(const om::Machine& machine, Names& names) : machine_(machine), names_(names) {}
  /// Of a static's rows, for loops in vectors of `unit` that reach so far along axis 0.
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

/// Variables that are declared where the body mentions them: whether arrays are written past the
/// caches, and how far behind a row, in elements, the one lies that loops come to when memory has
/// answered.
inline constexpr const char* kStreaming = "streaming";
inline constexpr const char* kAhead = "ahead";

class GroupFrame {
 public:
  GroupFrame(const plan::Plan& plan, const plan::KernelPlan& kernel, const plan::Group& group);

  /// Whether all loops run at each row of a sweep, maybe apart.
  [[nodiscard]] bool swept() const { return !group.sweep.empty(); }
  [[nodiscard]] bool split() const { return group.form == plan::Form::split; }
  /// The indices along axes 1, 2, ... of the row that lies so far from the loop's own.
  [[nodiscard]] std::vector<claris::ExprPtr> row_at(const om::Offset& offset) const;
  /// How far ahead of the loops memory is asked for.
  [[nodiscard]] claris::ExprPtr distance_ahead() const;

  const plan::Plan& plan;
  const plan::KernelPlan& kernel;
  const plan::Group& group;
  const om::Graph& graph;
  const int dimension;
  Names names;
  Parameters parameters;
  ThreadMemory memory;
  RowEnds row_ends;
  OpaqueConstants constants;
  const std::vector<std::vector<plan::ComingPart>> coming;  // per stage, or empty
  std::vector<int> buffer_of;                    // per value: its place in group.buffers, or -1
  std::vector<std::string> buffers;              // the variables of group.buffers
  std::map<int, std::string> states;             // what fills a buffer beyond the grid
  std::map<om::ValueId, std::string> row_fills;  // the same of a value in an array
  std::map<om::ValueId, std::string> cells, partials;  // of each reduction's result
};

}  // namespace paraiso::codegen
