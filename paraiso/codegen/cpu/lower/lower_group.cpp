#include "paraiso/codegen/cpu/lower/lower_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "paraiso/codegen/claris/walk.hpp"
#include "paraiso/codegen/cpu/lower/stage_lowering.hpp"
#include "paraiso/om/divide/late_reductions.hpp"
#include "paraiso/plan/cpu/jam.hpp"

namespace paraiso::codegen {

using namespace claris;
using namespace om;
using plan::Group;
using plan::Stage;

namespace {

bool is_streaming(const Expr&) { return false; }
bool is_streaming(const Statement& statement) {
  const auto* of_cpu = std::get_if<CpuStatement>(&statement.node);
  const auto* store = of_cpu ? std::get_if<StoreLanes>(of_cpu) : nullptr;
  return store && !store->streaming.empty();
}

bool is_ahead(const Statement&) { return false; }
bool is_ahead(const Expr& expr) {
  const auto* variable = std::get_if<Name>(&expr.node);
  return variable && variable->text == kAhead;
}

/// A group as two functions: one computes a tile, one shares the tiles between threads.
class GroupLowering {
 public:
  GroupLowering(const plan::Plan& plan, const plan::KernelPlan& kernel, const Group& group)
      : frame_(plan, kernel, group), group_(group) {}

  LoweredGroup run(const GroupNames& names) {
    LoweredGroup lowered;
    Function& one_tile = lowered.callees.emplace_back();
    frame_.names.take(names.tile);
    frame_.parameters.add(FunctionParameter::Kind::tile, {}, "tile", TileArgument{});
    name_memory();
    Block loops;
    const plan::Ranges ranges =
        group_.cpu.jam > 1 ? passes::value_ranges(frame_.graph) : plan::Ranges();
    for (std::size_t s = 0; s < group_.stages.size(); ++s) {
      const Stage turn = plan::jammed(frame_.graph, ranges, group_, group_.stages[s]);
      std::ranges::move(StageLowering(frame_, turn, s).run(), std::back_inserter(loops));
    }
    if (frame_.swept()) loops = sweep(std::move(loops));
    for (const Stage& stage : group_.stages)
      for (const auto& fill : stage.row_fills) declare_state(fill);
    one_tile.name = names.tile;
    one_tile.comment = {"Computes the cells of one tile."};
    one_tile.body = with_declarations(std::move(loops));
    if (mentions(one_tile.body, AnyOf<GridSize, GridStride, GridOrigin, GridRow, DeclareRowEnds,
                                      DeclareEdges, ReduceRow, TooLargeToKeep>()))
      frame_.parameters.add(FunctionParameter::Kind::grid, {}, "grid", GridArgument{});
    if (!frame_.memory.empty())
      frame_.parameters.add(FunctionParameter::Kind::scratch, {}, "memory", ScratchArgument{});
    Lowered tile;
    frame_.parameters.finish(tile);
    one_tile.parameters = std::move(tile.function.parameters);
    lowered.all = share(names.all, one_tile, tile.arguments);
    return lowered;
  }

 private:
  /// The declarations that the loops of a tile need, then the loops.
  [[nodiscard]] Block with_declarations(Block loops) {
    const auto streams = [](const auto& node) { return is_streaming(node); };
    const auto asks_ahead = [](const auto& node) { return is_ahead(node); };
    Block body = frame_.memory.declarations();
    const auto append = [&](Block more) { std::ranges::move(more, std::back_inserter(body)); };
    append(std::move(states_));
    append(frame_.row_ends.declarations());
    append(frame_.constants.declarations());
    if (mentions(loops, asks_ahead))
      body.push_back({Declare{Element::i64, kAhead, frame_.distance_ahead()}});
    const bool streaming = mentions(loops, streams);
    if (streaming)
      body.push_back({Declare{Element::boolean, kStreaming,
                              make({TooLargeToKeep{frame_.kernel.touched_bytes}})}});
    append(std::move(loops));
    if (streaming) body.push_back({If{name(kStreaming), {{StreamingFence{}}}}});
    return body;
  }

  void name_memory() {
    for (std::size_t b = 0; b < group_.buffers.size(); ++b) {
      const plan::Buffer& buffer = group_.buffers[b];
      std::string wanted = given_name(frame_.graph, buffer.value);
      if (const auto* load = frame_.graph.producer_as<Load>(buffer.value))
        wanted = state_name(frame_.plan.machine, *load);
      if (wanted.empty()) wanted = scope_name(frame_.graph, buffer.value, "kept");
      frame_.buffers.push_back(frame_.memory.piece(
          buffer.lane, wanted, frame_.memory.window(buffer.reach, buffer.lines), false));
    }
    for (const Stage& stage : group_.stages) {
      for (const auto& fill : stage.fills) declare_state(fill);
      for (const auto& fill : stage.row_fills)
        frame_.row_fills[fill.value] = frame_.names.unique(
            state_name(frame_.plan.machine, *frame_.graph.producer_as<Load>(fill.value)) +
            "_edges");
    }
    for (const Stage& stage : group_.stages)
      for (const auto& reduction : stage.reductions) {
        std::string base = given_name(frame_.graph, reduction.result);
        if (base.empty()) base = om::name(reduction.op);
        const Element element = frame_.graph.type(reduction.result).element;
        frame_.partials[reduction.result] = frame_.parameters.scalar(
            reduction.result, element, base + "_partials", FunctionParameter::Kind::partials);
        frame_.cells[reduction.result] =
            frame_.memory.piece(reduction.lane, base + "_cells",
                                frame_.memory.one_row(plan::Extent(frame_.dimension)), true);
      }
  }

  /// Declares the object that fills the ghost cells of a buffer.
  void declare_state(const plan::BufferFill& fill) {
    const plan::Buffer& buffer = group_.buffers[fill.buffer];
    const std::string& cells = frame_.buffers[fill.buffer];
    const std::string state = frame_.names.unique(cells + "_edges");
    frame_.states[fill.buffer] = state;
    states_.push_back({DeclareEdges{state, buffer.element, cells,
                                    frame_.memory.window(buffer.reach, buffer.lines), fill.reach,
                                    fill.width, frame_.plan.machine.at(fill.rules).boundary}});
  }

  /// The same for a value in an array. The loops of the tiles fill each row once.
  void declare_state(const plan::RowFill& fill) {
    const plan::ArrayRef& array = group_.arrays.at(fill.value);
    states_.push_back(
        {DeclareEdges{frame_.row_fills.at(fill.value),
                      array.element,
                      frame_.parameters.array(array, "", FunctionParameter::Kind::output_array),
                      {},
                      fill.box,
                      fill.width,
                      frame_.plan.machine.at(fill.rules).boundary}});
  }

  /// The loops over rows that all stages share.
  [[nodiscard]] Block sweep(Block body) const {
    for (auto axis = group_.sweep.rbegin(); axis != group_.sweep.rend(); ++axis) {
      std::int32_t lower = INT_MIN, upper = INT_MIN;
      for (const Stage& stage : group_.stages) {
        lower = std::max(lower, stage.reach.lower[*axis]);
        upper = std::max(upper, stage.reach.upper[*axis]);
      }
      body = Block{{For{loop_variable(*axis), plus(make({TileBegin{*axis}}), integer(-lower)),
                        plus(make({TileEnd{*axis}}), integer(upper)), std::move(body),
                        plan::rows_at_a_time(group_, *axis)}}};
    }
    return body;
  }

  /// The function that shares the tiles between threads.
  [[nodiscard]] Lowered share(const std::string& function_name, const Function& tile,
                              const std::vector<Argument>& arguments) {
    Lowered lowered;
    lowered.function.name = function_name;
    lowered.function.comment = {describe()};
    lowered.function.parameters = {{FunctionParameter::Kind::grid, {}, "grid"},
                                   {FunctionParameter::Kind::threads, {}, "threads"}};
    lowered.arguments = {GridArgument{}, ThreadsArgument{}};
    Block body;
    Names names{tile.name};
    for (const auto own : kNamesOfSharing) names.take(own);
    if (group_.cpu.overlapped)
      for (const auto own : kNamesOfRegions) names.take(own);
    for (const FunctionParameter& parameter : tile.parameters) names.take(parameter.name);
    std::vector<CombinePartials> results;
    for (std::size_t p = 0; p < tile.parameters.size(); ++p) {
      const FunctionParameter& parameter = tile.parameters[p];
      if (parameter.kind == FunctionParameter::Kind::tile ||
          parameter.kind == FunctionParameter::Kind::grid)
        continue;
      if (parameter.kind == FunctionParameter::Kind::scratch) body.push_back({ReserveScratch{}});
      if (parameter.kind != FunctionParameter::Kind::partials) {
        lowered.function.parameters.push_back(parameter);
        lowered.arguments.push_back(arguments[p]);
        continue;
      }
      const ValueId value = std::get<ValueId>(arguments[p]);
      const std::string result =
          names.unique(parameter.name.substr(0, parameter.name.rfind("_partials")));
      body.push_back({DeclarePartials{parameter.name, parameter.element, op_of(value)}});
      results.push_back({result, parameter.name, late_number(value)});
      lowered.function.parameters.push_back(
          {FunctionParameter::Kind::result, parameter.element, result});
      lowered.arguments.push_back(value);
    }
    add_tiles(lowered, body, tile);
    add_results(body, std::move(results));
    lowered.function.body = std::move(body);
    return lowered;
  }

  /// Those that are waited for together.
  static void add_results(Block& body, std::vector<CombinePartials> results) {
    const auto late = std::stable_partition(results.begin(), results.end(),
                                            [](const CombinePartials& one) { return !one.late; });
    CombineTogether awaited{{results.begin(), late}};
    if (awaited.all.size() > 1)
      body.push_back({std::move(awaited)});
    else if (!awaited.all.empty())
      body.push_back({awaited.all[0]});
    for (auto one = late; one != results.end(); ++one) body.push_back({*one});
  }

  /// Adds the tiles and the loop over them, within one over regions if messages travel meanwhile.
  void add_tiles(Lowered& lowered, Block& body, const Function& tile) const {
    const auto kinds = frame_.split() ? std::vector{TileKind::shrinking, TileKind::growing}
                                      : std::vector{TileKind::whole};
    Block tiles{{declare_tiles()}};
    for (const TileKind kind : kinds)
      tiles.push_back({ForTiles{kind, {{Evaluate{call(tile.name, passed_to(tile, kind))}}}}});
    if (const auto& reach = group_.cpu.overlapped) {
      lowered.function.parameters.push_back(
          {FunctionParameter::Kind::arrival, {}, kNamesOfRegions[0]});
      lowered.arguments.push_back(ArrivalArgument{});
      body.push_back(
          {ForRegions{group_.box, *reach, group_.cpu.granule, whole_rows(), std::move(tiles)}});
    } else {
      body.insert(body.begin(), tiles.front());
      body.insert(body.end(), tiles.begin() + 1, tiles.end());
    }
  }

  /// Whether loops compute x ghost cells themselves: from whole rows.
  [[nodiscard]] bool whole_rows() const {
    return std::ranges::any_of(group_.stages, [](const Stage& stage) {
      const plan::Extent& ends = stage.cpu.row_ends;
      return !ends.lower.empty() && (ends.lower[0] > 0 || ends.upper[0] > 0);
    });
  }

  /// The arguments of a tile's function.
  [[nodiscard]] static std::vector<ExprPtr> passed_to(const Function& tile, TileKind kind) {
    std::vector<ExprPtr> passed;
    for (const FunctionParameter& parameter : tile.parameters)
      passed.push_back(parameter.kind == FunctionParameter::Kind::tile ? make({OneTile{kind}})
                       : parameter.kind == FunctionParameter::Kind::partials
                           ? make({PartialsOf{parameter.name}})
                           : name(parameter.name));
    return passed;
  }

  [[nodiscard]] DeclareTiles declare_tiles() const {
    if (!frame_.split())
      return {group_.box, DeclareTiles::Whole{group_.cpu.tile, group_.cpu.granule},
              group_.cpu.overlapped.has_value()};
    return {group_.box,
            DeclareTiles::Cut{group_.cut, group_.cpu.tile[group_.cut], group_.steepest()}};
  }

  /// Of a reduction that is late.
  [[nodiscard]] std::optional<int> late_number(ValueId result) const {
    const std::vector<ValueId> late = late_reductions(frame_.graph).results;
    const auto found = std::ranges::find(late, result);
    if (found == late.end()) return std::nullopt;
    return static_cast<int>(found - late.begin());
  }

  [[nodiscard]] ReduceOp op_of(ValueId result) const {
    return frame_.graph.producer_as<Reduce>(result)->op;
  }

  [[nodiscard]] std::string describe() const {
    const char* tiles =
        frame_.split() ? "in tiles that shrink, then in tiles that fill the gaps" : "tile by tile";
    return fmt::format("Computes the cells {}, {}{}.", group_.box.text(), tiles,
                       frame_.swept() ? ", each tile row by row" : "");
  }

  GroupFrame frame_;
  const Group& group_;
  Block states_;
};

}  // namespace

LoweredGroup lower_group(const plan::Plan& plan, const plan::KernelPlan& kernel, const Group& group,
                         const GroupNames& names) {
  return GroupLowering(plan, kernel, group).run(names);
}

}  // namespace paraiso::codegen
