#include "paraiso/codegen/device/lower/lower_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/codegen/device/body/block_reductions.hpp"
#include "paraiso/codegen/device/body/frame.hpp"
#include "paraiso/codegen/device/body/sweep_stage.hpp"
#include "paraiso/plan/device/on_chip.hpp"

namespace paraiso::codegen {

using namespace claris;
using namespace om;
using plan::Group;
using plan::KeptValue;
using plan::Stage;
using plan::Term;

namespace {

class SweepLowering {
 public:
  SweepLowering(const plan::Plan& plan, const plan::KernelPlan& kernel, const Group& group,
                const std::string& function_name)
      : plan_(plan),
        kernel_(kernel),
        group_(group),
        dimension_(plan.machine.dimension),
        block_(plan::block_of(group, dimension_)),
        single_(plan::single_axes(group, dimension_)),
        names_(kernel_names()),
        parameters_(names_),
        reductions_(plan, kernel, group, names_, parameters_) {
    names_.take(function_name);
    for (const Static& field : plan.machine.statics) names_.take(repeat_routine(field.name));
    for (const char* own : {kTurn, "first", "last"}) names_.take(own);
    lowered_.all.function.name = function_name;
  }

  LoweredGroup run() {
    name_kept();
    Block planes = stages();
    Function& function = lowered_.all.function;
    function.body = declare_kept();
    append(function.body, columns());
    if (reductions_.any()) append(function.body, reductions_.declare());
    append(function.body, std::move(conditions_));
    append(function.body, std::move(ahead_.block));
    append(function.body,
           group_.sweep.empty() ? with_place(std::move(planes)) : sweep(std::move(planes)));
    append(function.body, reductions_.finish_blocks(static_cast<int>(shape().tiles.size())));
    function.comment = {"Computes the cells " + group_.box.text() +
                        (group_.sweep.empty() ? "." : ", plane by plane.")};
    function.kernel = shape();
    parameters_.add(FunctionParameter::Kind::grid, {}, "grid", GridArgument{});
    parameters_.finish(lowered_.all);
    return std::move(lowered_);
  }

 private:
  static void append(Block& block, Block more) {
    std::ranges::move(more, std::back_inserter(block));
  }

  void name_kept() {
    for (std::size_t b = 0; b < group_.buffers.size(); ++b) {
      const ValueId value = group_.buffers[b].value;
      std::string wanted = given_name(kernel_.kernel->graph, value);
      if (wanted.empty()) wanted = scope_name(kernel_.kernel->graph, value, "kept");
      const KeptValue& kept = group_.device.kept[b];
      called_.kept.push_back(kept.shared ? names_.unique(wanted) : "");
      called_.own.push_back(
          kept.in_registers() > 0 ? names_.unique(kept.shared ? wanted + "_here" : wanted) : "");
      for (int age = 1; age < kept.in_registers(); ++age)
        names_.take(aged(called_.own.back(), age));
    }
    for (std::size_t t = 0; t < block_.axes.size(); ++t)
      called_.columns.push_back(names_.unique(t == 0 ? "x" : "y"));
    reductions_.use_columns(called_.columns);
  }

  [[nodiscard]] Block declare_kept() const {
    Block block;
    for (std::size_t b = 0; b < group_.buffers.size(); ++b) {
      const KeptValue& kept = group_.device.kept[b];
      const Element element = group_.buffers[b].element;
      for (int age = 0; age < kept.in_registers(); ++age)
        block.push_back({DeviceStatement{DeclareVariable{
            element, aged(called_.own[b], age), literal(Constant::from_double(element, 0))}}});
      if (!kept.shared) continue;
      std::vector<int> extents;
      if (kept.planes > 1) extents.push_back(kept.planes);
      for (std::size_t t = block_.threads.size(); t-- > 0;) extents.push_back(block_.threads[t]);
      block.push_back({DeviceStatement{DeclareShared{element, called_.kept[b], extents}}});
    }
    return block;
  }

  /// Strides, and the thread's column.
  [[nodiscard]] Block columns() const {
    Block block;
    for (int a = 1; a < dimension_; ++a)
      block.push_back({Declare{{}, stride_name(a), make({GridStride{a}})}});
    for (std::size_t t = 0; t < block_.axes.size(); ++t) {
      const int axis = block_.axes[t], along = static_cast<int>(t);
      block.push_back(
          {Declare{Element::i32, called_.columns[t], make({DeviceExpr{ThreadOfBlock{along}}})}});
      block.push_back(
          {Declare{{},
                   loop_variable(axis),
                   plus(plus(tile_begin(along, axis, block_.tile[t]), name(called_.columns[t])),
                        integer(-group_.device.rim.lower[axis]))}});
    }
    for (std::size_t s = 0; s < single_.size(); ++s)
      block.push_back(
          {Declare{{},
                   loop_variable(single_[s]),
                   tile_begin(static_cast<int>(block_.axes.size() + s), single_[s], 1)}});
    return block;
  }

  /// The first cell of the block's tile.
  [[nodiscard]] ExprPtr tile_begin(int along, int axis, int cells) const {
    return plus(times(make({DeviceExpr{BlockOfLaunch{along}}}), integer(cells)),
                integer(-group_.box.lower[axis]));
  }

  [[nodiscard]] Block with_place(Block body) const {
    ExprPtr place = plus(make({DeviceExpr{CoreCell{}}}), name(loop_variable(0)));
    for (int a = 1; a < dimension_; ++a)
      place = plus(std::move(place), times(name(loop_variable(a)), name(stride_name(a))));
    Block all{{Declare{{}, "at", std::move(place)}}};
    append(all, std::move(body));
    return all;
  }

  /// All loops at one plane, with the barriers between them.
  Block stages() {
    Block all;
    for (std::size_t s = 0; s < group_.stages.size(); ++s) {
      const Stage& stage = group_.stages[s];
      if (group_.device.waits[s]) all.push_back({DeviceStatement{Barrier{}}});
      SweepStageLowering lowering({plan_, kernel_, group_, stage, names_, parameters_}, called_,
                                  ahead_);
      Block body = lowering.body();
      append(body, lowering.keeps());
      std::vector<Block> stores = lowering.stores(), ghosts = lowering.ghosts();
      for (std::size_t o = 0; o < stores.size(); ++o) append(stores[o], std::move(ghosts[o]));
      append(body, store_where_due(stage, std::move(stores)));
      Block finished;
      for (const std::size_t number : reductions_.of(stage)) {
        const int behind = behind_sweep(stage, reductions_.root(number));
        const ExprPtr own = is_own(stage, behind);
        body.push_back({If{own, reductions_.take(number, lowering)}});
        append(finished, reductions_.finish_chunks(number, own, places(behind)));
      }
      body.insert(body.begin(), {Comment{lowering.describe()}});
      if (ExprPtr condition = runs_at(stage))
        all.push_back({If{std::move(condition), std::move(body)}});
      else
        append(all, std::move(body));
      append(all, std::move(finished));
      if (plan::waits_to_fill(group_, stage)) all.push_back({DeviceStatement{Barrier{}}});
      for (const plan::BufferFill& fill : stage.fills) append(all, fill_kept(stage, fill));
    }
    return all;
  }

  [[nodiscard]] int behind_sweep(const Stage& stage, int root) const {
    return group_.sweep.empty() ? 0 : stage.behind(root)[group_.sweep.front()];
  }
  [[nodiscard]] ExprPtr plane_behind(int behind) const {
    return plus(name(loop_variable(group_.sweep.front())), integer(behind));
  }
  /// Whether a loop's cell so many planes behind is one of the block's tile and of the grid.
  ExprPtr is_own(const Stage& stage, int behind) {
    Stage tile = stage;
    for (const auto& axes : {block_.axes, single_})
      for (const int axis : axes)
        tile.reach.lower[axis] = tile.reach.upper[axis] = tile.limit.lower[axis] =
            tile.limit.upper[axis] = 0;
    ExprPtr column = in_column(tile);
    if (group_.sweep.empty()) return column;
    return both(std::move(column),
                make({Within{plane_behind(behind), name("first"), name("last")}}));
  }
  /// Its indices along the axes above x.
  [[nodiscard]] std::vector<ExprPtr> places(int behind) const {
    std::vector<ExprPtr> indices;
    for (int a = 1; a < dimension_; ++a)
      indices.push_back(!group_.sweep.empty() && a == group_.sweep.front()
                            ? plane_behind(behind)
                            : name(loop_variable(a)));
    return indices;
  }

  /// Ghost cells of a state that the block keeps, which the loop has just made.
  Block fill_kept(const Stage& stage, const plan::BufferFill& fill) {
    const int sweep = group_.sweep.front();
    KeptSources sources{{}, {}, fill_axis(fill, sweep), {}};
    Stage wide = stage;
    Block all;
    for (const int axis : block_.axes) {
      sources.across.push_back(fill_axis(fill, axis));
      if (!sources.across.back().is_filled()) continue;
      wide.limit.lower[axis] = fill.width.lower[axis];
      wide.limit.upper[axis] = fill.width.upper[axis];
    }
    ExprPtr made = in_column(wide);
    sources.made = std::get<Name>(made->node).text;
    name_sources(sources, fill);
    const auto b = static_cast<std::size_t>(fill.buffer);
    FillKept filled{group_.buffers[b].element,
                    called_.kept[b],
                    group_.device.kept[b].planes,
                    std::move(sources),
                    called_.columns,
                    -fill.lag[sweep],
                    kTurn};
    all.push_back({If{std::move(made), {{DeviceStatement{std::move(filled)}}}}});
    return all;
  }
  [[nodiscard]] KeptSources::Axis fill_axis(const plan::BufferFill& fill, int axis) const {
    const auto& sides = plan_.machine.at(fill.rules).boundary[axis];
    return {axis, sides[0], sides[1], fill.width.lower[axis], fill.width.upper[axis]};
  }
  /// States whose ghost cells are filled alike share their sources.
  void name_sources(KeptSources& sources, const plan::BufferFill& fill) {
    std::vector<int> key{static_cast<int>(fill.rules.index)};
    for (const std::vector<int>* widths : {&fill.width.lower, &fill.width.upper})
      key.insert(key.end(), widths->begin(), widths->end());
    auto [known, added] = sources_.try_emplace({sources.made, std::move(key)});
    if (added) known->second = names_.unique("ghost");
    sources.called = known->second;
    if (added) conditions_.push_back({DeviceStatement{sources}});
  }

  /// Arrays are stored within the chunk only, each at its own plane.
  [[nodiscard]] Block store_where_due(const Stage& stage, std::vector<Block> stores) const {
    Block block;
    if (group_.sweep.empty()) {
      for (Block& store : stores) append(block, std::move(store));
      return block;
    }
    const int axis = group_.sweep.front();
    std::map<int, Block> by_plane;  // behind the loop's
    for (std::size_t o = 0; o < stores.size(); ++o)
      append(by_plane[stage.behind(stage.outputs[o].root)[axis]], std::move(stores[o]));
    for (auto& [behind, due] : by_plane)
      if (stage.reach.lower[axis] == behind && stage.reach.upper[axis] == -behind)
        append(block, std::move(due));
      else
        block.push_back({If{make({Within{plus(name(loop_variable(axis)), integer(behind)),
                                         name("first"), name("last")}}),
                            std::move(due)}});
    return block;
  }

  /// Where a loop runs: in columns of the block and of the grid, and at planes of the sweep.
  [[nodiscard]] ExprPtr runs_at(const Stage& stage) {
    ExprPtr all = in_column(stage);
    if (group_.sweep.empty()) return all;
    const int axis = group_.sweep.front();
    const plan::Extent most = sweep_reach();
    ExprPtr begin = plus(name("first"), integer(-stage.reach.lower[axis]));
    ExprPtr end = plus(name("last"), integer(stage.reach.upper[axis]));
    bool needed =
        stage.reach.lower[axis] < most.lower[axis] || stage.reach.upper[axis] < most.upper[axis];
    if (stage.limit.lower[axis] < stage.reach.lower[axis] + group_.box.lower[axis]) {
      begin = make({Larger{std::move(begin), integer(-stage.limit.lower[axis])}});
      needed = true;
    }
    if (stage.limit.upper[axis] < stage.reach.upper[axis] + group_.box.upper[axis]) {
      end = make({Smaller{std::move(end), beyond_grid(axis, stage.limit.upper[axis])}});
      needed = true;
    }
    if (!needed) return all;
    ExprPtr planes =
        make({Within{name(loop_variable(axis)), hoisted("begin", begin), hoisted("end", end)}});
    return all ? both(std::move(all), std::move(planes)) : planes;
  }

  /// A variable for a bound, declared ahead of the sweep.
  ExprPtr hoisted(const char* wanted, ExprPtr bound) {
    const std::string variable = names_.unique(wanted);
    bounds_.push_back({Declare{{}, variable, std::move(bound)}});
    return name(variable);
  }

  [[nodiscard]] static ExprPtr beyond_grid(int axis, int cells) {
    return plus(make({GridSize{axis}}), integer(cells));
  }

  /// A variable for whether the thread's column is one that the loop makes; loops that make the
  /// same ones share it. Declared ahead of the sweep.
  ExprPtr in_column(const Stage& stage) {
    std::vector<int> key;
    ExprPtr all;
    const auto add = [&](ExprPtr one) { all = all ? both(std::move(all), std::move(one)) : one; };
    for (std::size_t t = 0; t < block_.axes.size(); ++t) {
      const int a = block_.axes[t];
      const plan::Extent& rim = group_.device.rim;
      const int skipped = rim.lower[a] - stage.reach.lower[a];
      const int left = rim.upper[a] - stage.reach.upper[a];
      const int lower = std::min(stage.limit.lower[a], stage.reach.lower[a] + group_.box.lower[a]);
      const int upper = std::min(stage.limit.upper[a], stage.reach.upper[a] + group_.box.upper[a]);
      if (skipped > 0 || left > 0)
        add(make({Within{name(called_.columns[t]), integer(skipped),
                         integer(block_.threads[t] - left)}}));
      add(make({Within{name(loop_variable(a)), integer(-lower), beyond_grid(a, upper)}}));
      key.insert(key.end(), {skipped, left, lower, upper});
    }
    for (const int a : single_) {
      const int lower = std::min(stage.limit.lower[a], group_.box.lower[a]);
      const int upper = std::min(stage.limit.upper[a], group_.box.upper[a]);
      if (lower < group_.box.lower[a] || upper < group_.box.upper[a])
        add(make({Within{name(loop_variable(a)), integer(-lower), beyond_grid(a, upper)}}));
      key.insert(key.end(), {lower, upper});
    }
    auto [known, added] = columns_.try_emplace(std::move(key));
    if (added) {
      known->second = names_.unique("makes");
      conditions_.push_back({Declare{Element::boolean, known->second, std::move(all)}});
    }
    return name(known->second);
  }

  /// How far the sweep runs beyond its chunk.
  [[nodiscard]] plan::Extent sweep_reach() const {
    const int axis = group_.sweep.front();
    plan::Extent most = group_.stages[0].reach;
    for (const Stage& stage : group_.stages) {
      most.lower[axis] = std::max(most.lower[axis], stage.reach.lower[axis]);
      most.upper[axis] = std::max(most.upper[axis], stage.reach.upper[axis]);
    }
    return most;
  }

  [[nodiscard]] Block sweep(Block body) {
    const int axis = group_.sweep.front(), chunk = group_.device.chunk;
    const plan::Extent most = sweep_reach();
    const ExprPtr end_of_box = beyond_grid(axis, group_.box.upper[axis]);
    Block all;
    if (chunk == 0) {
      all.push_back({Declare{{}, "first", integer(-group_.box.lower[axis])}});
      all.push_back({Declare{{}, "last", end_of_box}});
    } else {
      const int along = static_cast<int>(block_.axes.size());
      all.push_back({Declare{{}, "first", tile_begin(along, axis, chunk)}});
      all.push_back(
          {Declare{{}, "last", make({Smaller{plus(name("first"), integer(chunk)), end_of_box}})}});
    }
    append(all, std::move(bounds_));
    const bool rings = std::ranges::any_of(
        group_.device.kept, [](const KeptValue& kept) { return kept.shared && kept.planes > 1; });
    if (rings) all.push_back({DeviceStatement{DeclareVariable{Element::i32, kTurn, integer(0)}}});
    body = with_place(std::move(body));
    append(body, hand_on());
    if (rings) body.push_back({Assign{name(kTurn), plus(name(kTurn), integer(1))}});
    // At the beginning of each turn: of barriers at the end PoCL 3.1 has made wrong code.
    if (plan::waits_between_turns(group_)) body.insert(body.begin(), {DeviceStatement{Barrier{}}});
    all.push_back({For{loop_variable(axis), plus(name("first"), integer(-most.lower[axis])),
                       plus(name("last"), integer(most.upper[axis])), std::move(body)}});
    return all;
  }

  /// At the end of a plane each register takes the value of the next younger one.
  [[nodiscard]] Block hand_on() const {
    Block block;
    for (std::size_t b = 0; b < group_.buffers.size(); ++b) {
      for (int age = group_.device.kept[b].in_registers() - 1; age > 0; --age)
        block.push_back(
            {Assign{name(aged(called_.own[b], age)), name(aged(called_.own[b], age - 1))}});
    }
    return block;
  }

  [[nodiscard]] BlockShape shape() const {
    BlockShape shape{block_.threads[0], block_.threads.size() > 1 ? block_.threads[1] : 1};
    for (std::size_t t = 0; t < block_.axes.size(); ++t)
      shape.tiles.push_back({block_.axes[t], block_.tile[t]});
    for (const int axis : single_) shape.tiles.push_back({axis, 1});
    if (!group_.sweep.empty() && single_.empty())
      shape.tiles.push_back({group_.sweep.front(), group_.device.chunk});
    shape.shared_bytes = plan::shared_bytes(group_, dimension_);
    shape.resident = group_.device.resident;
    return shape;
  }

  const plan::Plan& plan_;
  const plan::KernelPlan& kernel_;
  const Group& group_;
  const int dimension_;
  const plan::ThreadBlock block_;
  const std::vector<int> single_;  // axes along which a block has one cell
  Names names_;
  ParameterList parameters_;
  BlockReductions reductions_;
  SweepNames called_;
  GhostSources ahead_;
  std::map<std::vector<int>, std::string> columns_;  // variables of in_column
  std::map<std::pair<std::string, std::vector<int>>, std::string> sources_;  // of fill_kept
  Block conditions_, bounds_;
  LoweredGroup lowered_;
};

}  // namespace

LoweredGroup lower_device_sweep(const plan::Plan& plan, const plan::KernelPlan& kernel,
                                const Group& group, const GroupNames& names) {
  return SweepLowering(plan, kernel, group, names.all).run();
}

}  // namespace paraiso::codegen
