// GroupFrame: what the loops of a group have in common: names, parameters, the thread's memory.
// Gives: GroupFrame, braced, functor. Needs: body_lowering.
#pragma once

#include <map>

#include "paraiso/codegen/body_lowering.hpp"
#include "paraiso/plan/choices/coming_rows.hpp"

namespace paraiso::codegen {

/// `{0, 4}`, as an argument.
[[nodiscard]] claris::ExprPtr braced(const std::vector<std::int32_t>& numbers);
[[nodiscard]] claris::ExprPtr braced(const std::vector<std::int64_t>& numbers);
/// `support::Sum`: what combines two items of a reduction.
[[nodiscard]] std::string functor(om::ReduceOp op);

class GroupFrame {
 public:
  GroupFrame(const plan::Plan& plan, const plan::KernelPlan& kernel, const plan::Group& group);

  /// Whether all loops run at each row of a sweep, maybe apart.
  [[nodiscard]] bool swept() const { return !group.sweep.empty(); }
  [[nodiscard]] bool split() const { return group.form == plan::Form::split; }
  /// The variable that describes how a value's cells lie in the thread's memory; shared by alike
  /// ones.
  std::string window(const plan::Extent& reach, const std::vector<int>& lines);
  /// Of one row of the tile, widened along axis 0.
  std::string one_row(const plan::Extent& reach);
  /// A new piece of the thread's memory; `row`: only its first row is used, as a pointer to cell 0.
  std::string piece(plan::Lane element, const std::string& wanted, const std::string& window,
                    bool row);
  /// Where rows go that a loop makes outside the tile.
  std::string unused_row(plan::Lane element);
  /// The object that makes the ends of a static's rows, for loops by vectors of `unit` that reach
  /// so far along axis 0.
  std::string row_ends(om::StaticId id, plan::Lane unit, const plan::Extent& reach);
  /// The declarations of those.
  [[nodiscard]] claris::Block all_row_ends() const;
  /// Whether anything asked for `streaming`.
  [[nodiscard]] bool streams() const { return streams_; }
  [[nodiscard]] bool uses_memory() const { return !pieces_.empty(); }
  /// The declarations of windows and pieces.
  [[nodiscard]] claris::Block memory() const;
  /// The variable that tells whether arrays are written past the caches.
  std::string streaming();
  /// The variable that tells how far behind a row, in elements, the one lies that loops come to
  /// when memory has answered.
  std::string ahead();
  /// The variable that stands for a constant operand of a comparison.
  std::string opaque(om::Constant value);
  /// The declarations of those.
  [[nodiscard]] claris::Block constants() const;

  const plan::Plan& plan;
  const plan::KernelPlan& kernel;
  const plan::Group& group;
  const om::Graph& graph;
  const int dimension;
  Names names;
  Parameters parameters;
  const std::vector<std::vector<plan::ComingPart>> coming;  // per stage, or empty
  std::vector<int> buffer_of;  // per value: its place in group.buffers, or -1
  bool uses_grid = false;
  std::vector<std::string> buffers;                    // the variables of group.buffers
  std::map<int, std::string> states;                   // what fills a buffer beyond the grid
  std::map<om::ValueId, std::string> row_fills;        // the same of a value in an array
  std::map<om::ValueId, std::string> cells, partials;  // of each reduction's result

 private:
  struct Piece {
    plan::Lane element;
    std::string name, window;
    bool row;
  };

  /// How far beyond the tile loops write: those of split groups do.
  [[nodiscard]] plan::Extent reach_of_rows() const;
  [[nodiscard]] claris::ExprPtr first_row(const std::string& window) const;
  [[nodiscard]] claris::ExprPtr distance_ahead() const;

  using Shape = std::pair<plan::Extent, std::vector<int>>;  // reach and lines
  std::map<Shape, std::string> windows_;
  std::map<plan::Lane, std::string> unused_;
  std::vector<Piece> pieces_;
  std::vector<std::pair<om::Constant, std::string>> opaque_;
  std::map<std::tuple<om::StaticId, plan::Lane, std::int32_t, std::int32_t>, std::string> row_ends_;
  bool streams_ = false, asks_ahead_ = false;
};

}  // namespace paraiso::codegen
