#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "paraiso/codegen/print_cpp.hpp"
#include "paraiso/codegen/sides.hpp"
#include "paraiso/codegen/stage_lowering.hpp"
#include "paraiso/plan/choices/jam.hpp"

namespace paraiso::codegen {

using namespace claris;
using namespace om;
using plan::Group;
using plan::Stage;

namespace {

/// A group as two functions: one makes a tile, one shares the tiles between threads.
class GroupLowering {
 public:
  GroupLowering(const plan::Plan& plan, const plan::KernelPlan& kernel, const Group& group)
      : frame_(plan, kernel, group), group_(group) {}

  LoweredGroup run(const GroupNames& names) {
    LoweredGroup lowered;
    frame_.names.take(names.tile);
    frame_.parameters.add(Parameter::Kind::tile, {}, "tile", TileArgument{});
    name_memory();
    Block loops;
    const plan::Ranges ranges =
        group_.jam > 1 ? passes::value_ranges(frame_.graph) : plan::Ranges();
    for (std::size_t s = 0; s < group_.stages.size(); ++s) {
      const Stage turn = plan::jammed(frame_.graph, ranges, group_, group_.stages[s]);
      std::ranges::move(StageLowering(frame_, turn, s).run(), std::back_inserter(loops));
    }
    if (frame_.swept()) loops = sweep(std::move(loops));
    for (const Stage& stage : group_.stages)
      for (const auto& fill : stage.row_fills) declare_state(fill);
    lowered.tile.name = names.tile;
    lowered.tile.comment = {"Makes one tile."};
    lowered.tile.body = frame_.memory();
    std::ranges::move(states_, std::back_inserter(lowered.tile.body));
    std::ranges::move(frame_.all_row_ends(), std::back_inserter(lowered.tile.body));
    std::ranges::move(frame_.constants(), std::back_inserter(lowered.tile.body));
    if (frame_.uses_grid) frame_.parameters.add(Parameter::Kind::grid, {}, "grid", GridArgument{});
    if (frame_.uses_memory())
      frame_.parameters.add(Parameter::Kind::scratch, {}, "memory", ScratchArgument{});
    std::ranges::move(loops, std::back_inserter(lowered.tile.body));
    if (frame_.streams())
      lowered.tile.body.push_back(
          {If{name("streaming"), {{Evaluate{call("support::streaming_fence", {})}}}}});
    Lowered tile;
    frame_.parameters.finish(tile);
    lowered.tile.parameters = std::move(tile.function.parameters);
    lowered.all = share(names.all, lowered.tile, tile.arguments);
    return lowered;
  }

 private:
  void name_memory() {
    for (std::size_t b = 0; b < group_.buffers.size(); ++b) {
      const plan::Buffer& buffer = group_.buffers[b];
      std::string wanted = given_name(frame_.graph, buffer.value);
      if (const auto* load = frame_.graph.producer_as<Load>(buffer.value))
        wanted = state_name(frame_.plan.machine, *load);
      if (wanted.empty()) wanted = "kept";
      frame_.buffers.push_back(
          frame_.piece(buffer.lane, wanted, frame_.window(buffer.reach, buffer.lines), false));
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
            reduction.result, element, base + "_partials", Parameter::Kind::partials);
        frame_.cells[reduction.result] = frame_.piece(
            reduction.lane, base + "_cells", frame_.one_row(plan::Extent(frame_.dimension)), true);
      }
  }

  /// What fills the cells of a buffer beyond the grid.
  void declare_state(const plan::BufferFill& fill) {
    const plan::Buffer& buffer = group_.buffers[fill.buffer];
    const std::string& cells = frame_.buffers[fill.buffer];
    const std::string state = frame_.names.unique(cells + "_edges");
    frame_.states[fill.buffer] = state;
    states_.push_back({DeclareObject{
        fmt::format("const support::InnerState<{}, {}>", frame_.dimension,
                    cpp_type(buffer.element)),
        state,
        {name(cells), name(frame_.window(buffer.reach, buffer.lines)), name("grid"), name("tile"),
         braced(fill.reach.lower), braced(fill.reach.upper), braced(fill.width.lower),
         braced(fill.width.upper), rules_of(fill.rules, buffer.element)}}});
  }

  /// The same for a value in an array. The tiles' loops see to it that each row is filled once.
  void declare_state(const plan::RowFill& fill) {
    const plan::ArrayRef& array = group_.arrays.at(fill.value);
    frame_.uses_grid = true;
    states_.push_back(
        {DeclareObject{fmt::format("const support::InnerState<{0}, {1}, support::Grid<{0}>>",
                                   frame_.dimension, cpp_type(array.element)),
                       frame_.row_fills.at(fill.value),
                       {name(frame_.parameters.array(array, "", Parameter::Kind::output_array)),
                        name("grid"), name("grid"), call("support::whole_core", {name("grid")}),
                        braced(fill.box.lower), braced(fill.box.upper), braced(fill.width.lower),
                        braced(fill.width.upper), rules_of(fill.rules, array.element)}}});
  }

  [[nodiscard]] ExprPtr rules_of(StaticId id, Element element) const {
    std::string rules;
    for (const auto& [lower, upper] : frame_.plan.machine.at(id).boundary)
      rules += fmt::format("{}{{{}, {}, {}, {}}}", rules.empty() ? "" : ", ", side_name(lower),
                           side_name(upper), side_constant(lower, element),
                           side_constant(upper, element));
    return name("{" + rules + "}");
  }

  /// The loops over rows that all stages share.
  [[nodiscard]] Block sweep(Block body) const {
    for (auto axis = group_.sweep.rbegin(); axis != group_.sweep.rend(); ++axis) {
      std::int32_t lower = INT_MIN, upper = INT_MIN;
      for (const Stage& stage : group_.stages) {
        lower = std::max(lower, stage.reach.lower[*axis]);
        upper = std::max(upper, stage.reach.upper[*axis]);
      }
      For loop{For::Kind::sequential,
               loop_variable(*axis),
               plus(name(fmt::format("tile.begin[{}]", *axis)), integer(-lower)),
               plus(name(fmt::format("tile.end[{}]", *axis)), integer(upper)),
               {},
               1,
               std::move(body)};
      loop.step = plan::rows_at_a_time(group_, *axis);
      body = Block{{std::move(loop)}};
    }
    return body;
  }

  /// The function that shares the tiles between threads.
  [[nodiscard]] Lowered share(const std::string& function_name, const Function& tile,
                              const std::vector<Argument>& arguments) {
    Lowered lowered;
    lowered.function.name = function_name;
    lowered.function.comment = {describe()};
    Block& body = lowered.function.body;
    body.push_back({declare_tiles()});
    lowered.function.parameters = {{Parameter::Kind::grid, {}, "grid"},
                                   {Parameter::Kind::threads, {}, "threads"}};
    lowered.arguments = {GridArgument{}, ThreadsArgument{}};
    std::vector<ExprPtr> passed;
    std::size_t place_of_tile = 0;
    Names names{"grid", "threads", "tiles", "number", tile.name};
    for (const Parameter& parameter : tile.parameters) names.take(parameter.name);
    Block results;
    for (std::size_t p = 0; p < tile.parameters.size(); ++p) {
      const Parameter& parameter = tile.parameters[p];
      switch (parameter.kind) {
        case Parameter::Kind::tile:
          place_of_tile = passed.size();
          passed.emplace_back();
          continue;
        case Parameter::Kind::grid: passed.push_back(name("grid")); continue;
        case Parameter::Kind::partials: {
          const ValueId result = std::get<ValueId>(arguments[p]);
          body.push_back(
              {DeclareObject{fmt::format("support::Partials<{}>", cpp_type(parameter.element)),
                             parameter.name,
                             {call("support::chunks", {name("grid")})}}});
          passed.push_back(call(parameter.name + ".data", {}));
          const std::string result_name =
              names.unique(parameter.name.substr(0, parameter.name.rfind("_partials")));
          results.push_back({Assign{
              name(result_name),
              call(parameter.name + ".combine<" + functor(op_of(result)) + ">", {name("grid")})}});
          lowered.function.parameters.push_back(
              {Parameter::Kind::result, parameter.element, result_name});
          lowered.arguments.push_back(result);
          continue;
        }
        default: passed.push_back(name(parameter.name));
      }
      lowered.function.parameters.push_back(parameter);
      lowered.arguments.push_back(arguments[p]);
      if (parameter.kind == Parameter::Kind::scratch)
        body.push_back({Evaluate{call("memory.reserve", {name("threads")})}});
    }
    for (auto& [count, one] : all_tiles()) {
      passed[place_of_tile] = one;
      body.push_back({For{For::Kind::parallel,
                          "number",
                          integer(0),
                          std::move(count),
                          {},
                          1,
                          Block{{Evaluate{call(tile.name, passed)}}}}});
    }
    std::ranges::move(results, std::back_inserter(body));
    return lowered;
  }

  /// For each loop over tiles their count, and one of them.
  [[nodiscard]] std::vector<std::pair<ExprPtr, ExprPtr>> all_tiles() const {
    const ExprPtr count = name("tiles.count"), number = name("number");
    if (!frame_.split()) return {{count, name("tiles[number]")}};
    return {{count, call("tiles.shrinking", {number})},
            {minus(count, integer(1)), call("tiles.growing", {number})}};
  }

  [[nodiscard]] DeclareObject declare_tiles() const {
    std::vector<ExprPtr> shape{name("grid"), braced(group_.box.lower), braced(group_.box.upper)};
    if (frame_.split()) {
      for (std::int64_t number : {std::int64_t{group_.cut}, group_.tile[group_.cut]})
        shape.push_back(integer(number));
      shape.push_back(integer(group_.steepest()));
    } else {
      shape.push_back(braced(group_.tile));
      shape.push_back(integer(group_.granule));
    }
    shape.push_back(name("threads"));
    return {fmt::format("const support::{}<{}>", frame_.split() ? "SplitTiles" : "Tiles",
                        frame_.dimension),
            "tiles", std::move(shape)};
  }

  [[nodiscard]] ReduceOp op_of(ValueId result) const {
    return frame_.graph.producer_as<Reduce>(result)->op;
  }

  [[nodiscard]] std::string describe() const {
    std::string text = "Makes " + group_.box.text();
    return text + (frame_.swept() ? ", row by row." : ".");
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
