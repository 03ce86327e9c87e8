#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <map>
#include <set>

#include "paraiso/base/axis_name.hpp"
#include "paraiso/codegen/body_lowering.hpp"
#include "paraiso/codegen/print_cpp.hpp"
#include "paraiso/codegen/sides.hpp"
#include "paraiso/plan/traversal.hpp"

namespace paraiso::codegen {

using namespace claris;
using namespace om;
using plan::ArrayRef;
using plan::Group;
using plan::Stage;
using plan::Term;

namespace {

// Compilers take minutes over explicit vectors in larger bodies, which no sensible schedule has.
constexpr std::size_t kLargestVectorBody = 1500, kLargestPairedBody = 700;  // terms

std::string functor(ReduceOp op) {
  std::string text = om::name(op);
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return "support::" + text;
}

/// `{0, 4}`, as an argument.
template <class Number>
ExprPtr list(const std::vector<Number>& widths) {
  return name(fmt::format("{{{}}}", fmt::join(widths, ", ")));
}

/// What the loops of a group have in common: its names, its parameters, the thread's memory.
class GroupFrame {
 public:
  GroupFrame(const plan::Plan& plan, const plan::KernelPlan& kernel, const Group& group)
      : plan(plan),
        kernel(kernel),
        group(group),
        graph(kernel.kernel->graph),
        dimension(plan.machine.dimension),
        names{"grid",  "tile",   "threads", "memory", "scratch",
              "tiles", "number", "lanes",   "Lanes",  "streaming"},
        parameters(names),
        buffer_of(graph.value_count(), -1) {
    for (int a = 0; a < 16; ++a) names.unique(loop_variable(a));
    for (std::size_t b = 0; b < group.buffers.size(); ++b)
      buffer_of[group.buffers[b].value.index] = static_cast<int>(b);
  }

  [[nodiscard]] bool swept() const { return group.form == plan::Form::swept; }

  /// The variable that describes how a value's cells lie in the thread's memory; shared by alike
  /// ones.
  std::string window(const plan::Extent& reach, const std::vector<int>& lines) {
    auto [known, added] = windows_.try_emplace({reach, lines});
    if (added) known->second = names.unique("window");
    return known->second;
  }

  /// Of one row of the tile.
  std::string one_row() {
    std::vector<int> lines(dimension, 1);
    lines[0] = 0;
    return window(plan::Extent(dimension), lines);
  }

  /// A new piece of the thread's memory; `row`: only its first row is used, as a pointer to cell 0.
  std::string piece(Element element, const std::string& wanted, const std::string& window,
                    bool row) {
    const std::string variable = names.unique(wanted);
    pieces_.push_back({element, variable, window, row});
    return variable;
  }

  /// Where rows go that a loop makes outside the tile.
  std::string unused_row(Element element) {
    auto [known, added] = unused_.try_emplace(element);
    if (added) known->second = piece(element, "unused", one_row(), true);
    return known->second;
  }

  [[nodiscard]] bool streams() const { return streams_; }
  [[nodiscard]] bool uses_memory() const { return !pieces_.empty(); }
  /// The declarations of windows and pieces.
  [[nodiscard]] Block memory() const {
    Block block;
    if (pieces_.empty()) return block;
    std::vector<std::pair<std::string, const Shape*>> windows;
    for (const auto& [key, variable] : windows_) windows.emplace_back(variable, &key);
    std::ranges::sort(windows, {},
                      [](const auto& w) { return std::pair(w.first.size(), w.first); });
    for (const auto& [variable, key] : windows)
      block.push_back({DeclareObject{
          fmt::format("const support::Window<{}>", dimension),
          variable,
          {name("tile"), list(key->first.lower), list(key->first.upper), list(key->second)}}});
    block.push_back({DeclareObject{"support::Scratch", "scratch", {name("memory")}}});
    for (const Piece& piece : pieces_) {
      ExprPtr start =
          call(fmt::format("scratch.take<{}>", cpp_type(piece.element)), {name(piece.window)});
      if (piece.row) start = plus(start, first_row(piece.window));
      block.push_back({DeclarePointer{piece.element, false, piece.name, start}});
    }
    return block;
  }

  /// The variable that tells whether arrays are written past the caches.
  std::string streaming() {
    uses_grid = streams_ = true;
    return "streaming";
  }

  /// The variable that stands for a constant operand of a comparison.
  std::string opaque(Constant value) {
    for (const auto& [known, variable] : opaque_)
      if (known == value) return variable;
    opaque_.emplace_back(value, names.unique(value.bits() == 0 ? "zero" : "constant"));
    return opaque_.back().second;
  }
  [[nodiscard]] Block constants() const {
    Block block;
    for (const auto& [value, variable] : opaque_)
      block.push_back(
          {Declare{value.element(), variable, call("support::opaque", {literal(value)})}});
    if (!streams_) return block;
    double bytes = 0;
    for (const Stage& stage : group.stages)
      for (const auto& output : stage.outputs) bytes += size_of(output.array.element);
    block.push_back({Declare{
        Element::boolean, "streaming",
        call("support::too_large_to_keep",
             {name(fmt::format("{:.0f}.0 * static_cast<double>(grid.elements)", bytes))})}});
    return block;
  }

  const plan::Plan& plan;
  const plan::KernelPlan& kernel;
  const Group& group;
  const Graph& graph;
  const int dimension;
  Names names;
  Parameters parameters;
  std::vector<int> buffer_of;  // per value: its place in group.buffers, or -1
  bool uses_grid = false;
  std::vector<std::string> buffers;                // the variables of group.buffers
  std::map<int, std::string> states;               // what fills a buffer beyond the grid
  std::map<ValueId, std::string> cells, partials;  // of each reduction's result

 private:
  struct Piece {
    Element element;
    std::string name, window;
    bool row;
  };

  [[nodiscard]] ExprPtr first_row(const std::string& window) const {
    std::vector<ExprPtr> cell;
    for (int a = 1; a < dimension; ++a) cell.push_back(name(fmt::format("tile.begin[{}]", a)));
    return call(window + ".row", std::move(cell));
  }

  using Shape = std::pair<plan::Extent, std::vector<int>>;  // reach and lines
  std::map<Shape, std::string> windows_;
  std::map<Element, std::string> unused_;
  std::vector<Piece> pieces_;
  std::vector<std::pair<Constant, std::string>> opaque_;
  bool streams_ = false;
};

/// One loop nest of a group.
class StageLowering : public BodyLowering {
 public:
  StageLowering(GroupFrame& frame, const Stage& stage)
      : StageLowering(frame, stage,
                      stage.expansion.terms.size() > kLargestVectorBody
                          ? std::nullopt
                          : plan::vector_element(frame.graph, stage.expansion)) {}

  Block run() {
    name_outputs();
    Block values = BodyLowering::run();
    Block cell = prefetches();
    std::ranges::move(values, std::back_inserter(cell));
    write_roots(cell);
    Block row = std::move(hoisted());
    std::ranges::move(rows_, std::back_inserter(row));
    row.push_back({vector_loop(std::move(cell))});
    reduce_row(row);
    if (frame_.swept()) {
      Block rows = at_its_rows(std::move(row));
      fill_states(rows);
      return rows;
    }
    Block nest = std::move(row);
    for (int a = 1; a < frame_.dimension; ++a) {
      For loop{For::Kind::sequential, loop_variable(a), begin(a), end(a), {}, 1, std::move(nest)};
      nest = Block{{std::move(loop)}};
    }
    describe(nest);
    fill_states(nest);
    return nest;
  }

 protected:
  ExprPtr read(const Term& term) override {
    const std::string row = row_read(term);
    if (lanes_ && term.offset[0] != 0 && distances_.at(row_of(term)).size() > 1)
      return call(fmt::format("support::neighbour<{}>", term.offset[0]),
                  {name("lanes"), plus(name(row), name("i"))});
    ExprPtr cell = plus(name("i"), integer(term.offset[0]));
    if (lanes_) return call("Lanes::load", {plus(name(row), std::move(cell))});
    return subscript(name(row), std::move(cell));
  }
  ExprPtr index(int axis, std::int32_t offset) override {
    return plus(name(loop_variable(axis)), integer(offset));
  }
  ExprPtr scalar(ValueId value) override {
    return name(frame_.parameters.scalar(value, graph_.type(value).element,
                                         scalar_name(frame_.plan.machine, graph_, value),
                                         Parameter::Kind::scalar));
  }
  bool hoists() const override { return true; }
  ExprPtr compared(Constant value) override { return name(frame_.opaque(value)); }
  /// A cell that this loop overwrites is read before anything is written.
  bool must_read_first(const Term& term) const override {
    if (term.kind == Term::Kind::read_buffer)
      return std::ranges::any_of(stage_.keeps, [&](const plan::Keep& keep) {
        return frame_.group.buffers[keep.buffer].value == term.value;
      });
    if (term.kind != Term::Kind::read_static && term.kind != Term::Kind::read_array) return false;
    const ArrayRef ref = array_of(term);
    return std::ranges::any_of(stage_.outputs, [&](const auto& o) { return o.array == ref; });
  }

 private:
  /// In a sweep all loops share the loops over rows; this one runs where its values are needed.
  Block at_its_rows(Block row) {
    describe(row);
    for (auto axis = frame_.group.sweep.rbegin(); axis != frame_.group.sweep.rend(); ++axis)
      row =
          Block{{If{call("support::within", {name(loop_variable(*axis)), begin(*axis), end(*axis)}),
                    std::move(row)}}};
    return row;
  }

  StageLowering(GroupFrame& frame, const Stage& stage, std::optional<Element> lanes)
      : BodyLowering(frame.graph, stage.expansion, frame.names, lanes),
        frame_(frame),
        stage_(stage),
        lanes_(lanes) {
    for (const Term& term : stage.expansion.terms)
      if (is_read(term)) distances_[row_of(term)].insert(term.offset[0]);
  }

  [[nodiscard]] static bool is_read(const Term& term) {
    return term.kind == Term::Kind::read_static || term.kind == Term::Kind::read_array ||
           term.kind == Term::Kind::read_buffer;
  }
  using Row = std::pair<ValueId, Offset>;  // its displacement along axis 0 is 0
  [[nodiscard]] static Row row_of(const Term& term) {
    Offset across = term.offset;
    across[0] = 0;
    return {term.value, across};
  }

  [[nodiscard]] ArrayRef array_of(const Term& term) const {
    if (term.kind == Term::Kind::read_static)
      return {graph_.producer_as<Load>(term.value)->source, 0, graph_.type(term.value).element};
    return frame_.kernel.arrays.at(term.value);
  }

  /// The row that a term reads, declared before the vector loop the first time it is asked for.
  std::string row_read(const Term& term) {
    const Element element = graph_.type(term.value).element;
    const auto [value, across] = row_of(term);
    auto known = known_rows_.find({value, across});
    if (known != known_rows_.end()) return known->second;
    std::string base;
    ExprPtr place;
    if (term.kind == Term::Kind::read_buffer) {
      const int b = frame_.buffer_of[term.value.index];
      base = frame_.buffers[b];
      place = place_in_buffer(b, across);
    } else {
      const ArrayRef ref = array_of(term);
      base =
          frame_.parameters.array(ref, array_name(frame_.plan.machine, graph_, ref, term.value, {}),
                                  Parameter::Kind::input_array);
      if (frame_.dimension == 1) return known_rows_[{term.value, across}] = base;
      place = place_in_grid(across);
    }
    const std::string row = names_.unique(base + offset_suffix(across) + "_row");
    rows_.push_back({DeclarePointer{element, true, row, plus(name(base), std::move(place))}});
    return known_rows_[{term.value, across}] = row;
  }

  /// The row of the loop's cell, displaced, in every array of the grid.
  [[nodiscard]] ExprPtr place_in_grid(const Offset& offset) const {
    frame_.uses_grid = true;
    std::vector<ExprPtr> cell;
    for (int a = 1; a < frame_.dimension; ++a)
      cell.push_back(plus(name(loop_variable(a)), integer(offset[a])));
    return call("grid.row", std::move(cell));
  }

  /// The same in a buffer.
  [[nodiscard]] ExprPtr place_in_buffer(int b, const Offset& offset) {
    const plan::Buffer& buffer = frame_.group.buffers[b];
    const std::string window = frame_.window(buffer.reach, buffer.lines);
    std::vector<ExprPtr> cell;
    for (int a = 1; a < frame_.dimension; ++a)
      cell.push_back(plus(name(loop_variable(a)), integer(offset[a])));
    ExprPtr row = call(window + ".row", std::move(cell));
    for (int axis : frame_.group.sweep)
      if (buffer.lines[axis] > 1) row = plus(std::move(row), line(window, axis, offset[axis]));
    return row;
  }

  /// Declared once a row.
  [[nodiscard]] ExprPtr line(const std::string& window, int axis, std::int32_t offset) {
    auto [known, added] = known_lines_.try_emplace({window, offset});
    if (added) {
      known->second = names_.unique("line");
      rows_.push_back(
          {Declare{{},
                   known->second,
                   call(window + ".line",
                        {integer(axis), plus(name(loop_variable(axis)), integer(offset))})}});
    }
    return name(known->second);
  }

  /// Where row r - lag lies, relative to the loop's own row.
  [[nodiscard]] Offset behind(int root) const {
    Offset offset = stage_.lags[root];
    for (auto& v : offset) v = -v;
    return offset;
  }

  /// Whether the loop also runs where this root lies outside the tile.
  [[nodiscard]] bool runs_outside(int root) const {
    return std::ranges::any_of(frame_.group.sweep,
                               [&](int axis) { return runs_outside(root, axis); });
  }
  [[nodiscard]] bool runs_outside(int root, int axis) const {
    const int lag = stage_.lags[root][axis];
    return stage_.reach.lower[axis] != -lag || stage_.reach.upper[axis] != lag;
  }
  [[nodiscard]] ExprPtr inside(int root) const {
    ExprPtr all;
    for (int axis : frame_.group.sweep) {
      if (!runs_outside(root, axis)) continue;
      ExprPtr one = call(
          "support::within",
          {plus(name(loop_variable(axis)), integer(-stage_.lags[root][axis])),
           name(fmt::format("tile.begin[{}]", axis)), name(fmt::format("tile.end[{}]", axis))});
      all = all ? both(std::move(all), std::move(one)) : std::move(one);
    }
    return all;
  }

  /// What is read is in the caches, and stored there cheaply.
  [[nodiscard]] bool reads(const ArrayRef& array) const {
    return std::ranges::any_of(stage_.expansion.terms, [&](const Term& term) {
      return is_read(term) && term.kind != Term::Kind::read_buffer && array_of(term) == array;
    });
  }

  void name_outputs() {
    for (const plan::Output& output : stage_.outputs) {
      const std::string array = frame_.parameters.array(
          output.array,
          array_name(frame_.plan.machine, graph_, output.array, output.value, output.target),
          Parameter::Kind::output_array);
      ExprPtr row = name(array);
      if (frame_.dimension > 1) row = plus(std::move(row), place_in_grid(behind(output.root)));
      if (runs_outside(output.root))
        row = choose(inside(output.root), std::move(row),
                     name(frame_.unused_row(output.array.element)));
      targets_.push_back(target_row(array, output.array.element, std::move(row)));
    }
    for (const plan::Keep& keep : stage_.keeps) {
      const std::string& buffer = frame_.buffers[keep.buffer];
      targets_.push_back(
          target_row(buffer, frame_.group.buffers[keep.buffer].element,
                     plus(name(buffer), place_in_buffer(keep.buffer, behind(keep.root)))));
    }
  }

  std::string target_row(const std::string& base, Element element, ExprPtr row) {
    if (std::get_if<Name>(&row->node)) return base;
    const std::string variable = names_.unique(base + "_new");
    rows_.push_back({DeclarePointer{element, false, variable, std::move(row)}});
    return variable;
  }

  void write_roots(Block& cell) const {
    std::size_t target = 0;
    for (const auto& output : stage_.outputs)
      write(cell, targets_[target++], output.root, frame_.group.streaming && !reads(output.array));
    for (const auto& keep : stage_.keeps) write(cell, targets_[target++], keep.root, false);
    for (const auto& reduction : stage_.reductions)
      write(cell, frame_.cells.at(reduction.result), reduction.root, false);
  }

  void write(Block& cell, const std::string& row, int root, bool streaming) const {
    if (!lanes_) {
      cell.push_back({Assign{subscript(name(row), name("i")), BodyLowering::root(root)}});
      return;
    }
    std::vector<ExprPtr> arguments{plus(name(row), name("i")), BodyLowering::root(root)};
    if (streaming) arguments.push_back(name(frame_.streaming()));
    cell.push_back({Evaluate{call("support::store", std::move(arguments))}});
  }

  /// Of each array, the row after the foremost one: others were read before.
  [[nodiscard]] Block prefetches() const {
    Block block;
    if (!lanes_ || !frame_.group.prefetch || frame_.dimension == 1) return block;
    std::map<ValueId, std::pair<Offset, std::string>> foremost;
    for (const auto& [key, row] : known_rows_) {
      const auto& [value, offset] = key;
      if (frame_.buffer_of[value.index] >= 0) continue;
      const Offset order(offset.rbegin(), offset.rend());
      auto [known, added] = foremost.try_emplace(value, order, row);
      if (!added && known->second.first < order) known->second = {order, row};
    }
    for (const auto& [value, row] : foremost)
      block.push_back({Evaluate{
          call("support::prefetch",
               {name("lanes"), plus(plus(name(row.second), name("i")), name("grid.stride[1]"))})}});
    return block;
  }

  For vector_loop(Block cell) const {
    const bool scalar = calls_library();
    ExprPtr first = begin(0), last = end(0);
    if (!scalar) {
      const int cells = plan::vector_cells(graph_, stage_);
      first = call(fmt::format("support::floor_to<{}>", cells), {first});
      last = call(fmt::format("support::ceil_to<{}>", cells), {last});
    }
    return {scalar ? For::Kind::sequential : For::Kind::vector,
            "i",
            first,
            last,
            lanes_,
            stage_.expansion.terms.size() > kLargestPairedBody ? 1 : frame_.group.vectors,
            std::move(cell)};
  }

  /// Calls of the C library are scalar: asking for vectors would only earn a warning.
  [[nodiscard]] bool calls_library() const {
    return std::ranges::any_of(stage_.expansion.terms, [&](const Term& term) {
      const auto* arith = graph_.producer_as<Arith>(term.value);
      return arith && term.kind == Term::Kind::compute &&
             (info(arith->op).transcendental || arith->op == Op::mod || arith->op == Op::divmod);
    });
  }

  void reduce_row(Block& row) const {
    for (const auto& reduction : stage_.reductions) {
      frame_.uses_grid = true;
      std::vector<ExprPtr> cell{name("grid")};
      const Offset offset = behind(reduction.root);
      for (int a = 1; a < frame_.dimension; ++a)
        cell.push_back(plus(name(loop_variable(a)), integer(offset[a])));
      Statement reduce{Evaluate{
          call("support::reduce_row<" + functor(reduction.op) + ">",
               {name(frame_.cells.at(reduction.result)), name("tile.begin[0]"), name("tile.end[0]"),
                plus(name(frame_.partials.at(reduction.result)),
                     call("support::chunk_row", std::move(cell)))})}};
      if (runs_outside(reduction.root))
        row.push_back({If{inside(reduction.root), {std::move(reduce)}}});
      else
        row.push_back(std::move(reduce));
    }
  }

  [[nodiscard]] ExprPtr begin(int a) const {
    ExprPtr first = plus(name(fmt::format("tile.begin[{}]", a)), integer(-stage_.reach.lower[a]));
    if (stage_.limit.lower[a] >= stage_.reach.lower[a] + frame_.group.box.lower[a]) return first;
    return call("support::larger", {std::move(first), integer(-stage_.limit.lower[a])});
  }
  [[nodiscard]] ExprPtr end(int a) const {
    ExprPtr last = plus(name(fmt::format("tile.end[{}]", a)), integer(stage_.reach.upper[a]));
    if (stage_.limit.upper[a] >= stage_.reach.upper[a] + frame_.group.box.upper[a]) return last;
    frame_.uses_grid = true;
    return call("support::smaller", {std::move(last), plus(name(fmt::format("grid.size[{}]", a)),
                                                           integer(stage_.limit.upper[a]))});
  }

  /// Cells beyond the grid of the states that this loop makes: of a row in a sweep, or of all.
  void fill_states(Block& block) const {
    for (const plan::BufferFill& fill : stage_.fills) {
      frame_.uses_grid = true;
      const std::string& state = frame_.states.at(fill.buffer);
      if (!frame_.swept()) {
        block.push_back({Evaluate{call(state + ".fill", {})}});
        continue;
      }
      std::string row = "{0";
      for (int a = 1; a < frame_.dimension; ++a)
        row += ", " + print_cpp(plus(name(loop_variable(a)), integer(-fill.lag[a])));
      block.push_back({Evaluate{call(state + ".fill_row", {name(row + "}")})}});
    }
  }

  void describe(Block& nest) const {
    std::string made;
    const auto add = [&](const std::string& text) { made += (made.empty() ? "" : ", ") + text; };
    for (const auto& output : stage_.outputs)
      add(array_name(frame_.plan.machine, graph_, output.array, output.value, output.target));
    for (const auto& keep : stage_.keeps) add(frame_.buffers[keep.buffer]);
    for (const auto& reduction : stage_.reductions) {
      const std::string operand = given_name(graph_, reduction.operand);
      add(fmt::format("{} of {}", om::name(reduction.op), operand.empty() ? "a value" : operand));
    }
    nest.insert(nest.begin(), {claris::Comment{fmt::format("{}: {:.0f} operations a cell", made,
                                                           stage_.expansion.operations(graph_))}});
  }

  GroupFrame& frame_;
  const Stage& stage_;
  std::optional<Element> lanes_;
  std::map<std::pair<std::string, std::int32_t>, std::string> known_lines_;
  Block rows_;  // pointers to the rows that the vector loop reads and writes
  std::map<Row, std::set<std::int32_t>> distances_;  // at which a row is read along axis 0
  std::map<Row, std::string> known_rows_;
  std::vector<std::string> targets_;  // of outputs, then of keeps
};

class GroupLowering {
 public:
  GroupLowering(const plan::Plan& plan, const plan::KernelPlan& kernel, const Group& group)
      : frame_(plan, kernel, group), group_(group) {}

  LoweredGroup run(const std::string& function_name) {
    LoweredGroup lowered;
    frame_.parameters.add(Parameter::Kind::tile, {}, "tile", TileArgument{});
    name_memory();
    Block loops;
    for (const Stage& stage : group_.stages)
      std::ranges::move(StageLowering(frame_, stage).run(), std::back_inserter(loops));
    if (frame_.swept()) loops = sweep(std::move(loops));
    lowered.tile.name = function_name + "_tile";
    lowered.tile.comment = {"Makes one tile."};
    lowered.tile.body = frame_.memory();
    std::ranges::move(states_, std::back_inserter(lowered.tile.body));
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
    lowered.all = share(function_name, lowered.tile, tile.arguments);
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
          frame_.piece(buffer.element, wanted, frame_.window(buffer.reach, buffer.lines), false));
    }
    for (const Stage& stage : group_.stages)
      for (const auto& fill : stage.fills) declare_state(fill);
    for (const Stage& stage : group_.stages)
      for (const auto& reduction : stage.reductions) {
        std::string base = given_name(frame_.graph, reduction.result);
        if (base.empty()) base = om::name(reduction.op);
        const Element element = frame_.graph.type(reduction.result).element;
        frame_.partials[reduction.result] = frame_.parameters.scalar(
            reduction.result, element, base + "_partials", Parameter::Kind::partials);
        frame_.cells[reduction.result] = frame_.piece(frame_.graph.type(reduction.operand).element,
                                                      base + "_cells", frame_.one_row(), true);
      }
  }

  /// What fills the cells of a buffer beyond the grid.
  void declare_state(const plan::BufferFill& fill) {
    const plan::Buffer& buffer = group_.buffers[fill.buffer];
    const std::string& cells = frame_.buffers[fill.buffer];
    const std::string state = frame_.names.unique(cells + "_edges");
    frame_.states[fill.buffer] = state;
    std::string rules;
    for (const auto& [lower, upper] : frame_.plan.machine.at(fill.rules).boundary)
      rules += fmt::format("{}{{{}, {}, {}, {}}}", rules.empty() ? "" : ", ", side_name(lower),
                           side_name(upper), side_constant(lower, buffer.element),
                           side_constant(upper, buffer.element));
    states_.push_back(
        {DeclareObject{fmt::format("const support::InnerState<{}, {}>", frame_.dimension,
                                   cpp_type(buffer.element)),
                       state,
                       {name(cells), name(frame_.window(buffer.reach, buffer.lines)), name("grid"),
                        name("tile"), list(fill.reach.lower), list(fill.reach.upper),
                        list(fill.width.lower), list(fill.width.upper), name("{" + rules + "}")}}});
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
      body = Block{{std::move(loop)}};
    }
    return body;
  }

  /// The function that shares the tiles between threads.
  [[nodiscard]] Lowered share(const std::string& function_name, const Function& tile,
                              const std::vector<Argument>& arguments) const {
    Lowered lowered;
    lowered.function.name = function_name;
    lowered.function.comment = {describe()};
    Block& body = lowered.function.body;
    body.push_back({DeclareObject{fmt::format("const support::Tiles<{}>", frame_.dimension),
                                  "tiles",
                                  {name("grid"), list(group_.box.lower), list(group_.box.upper),
                                   name(fmt::format("{{{}}}", fmt::join(group_.tile, ", "))),
                                   integer(group_.granule), name("threads")}}});
    lowered.function.parameters = {{Parameter::Kind::grid, {}, "grid"},
                                   {Parameter::Kind::threads, {}, "threads"}};
    lowered.arguments = {GridArgument{}, ThreadsArgument{}};
    std::vector<ExprPtr> passed;
    Block results;
    for (std::size_t p = 0; p < tile.parameters.size(); ++p) {
      const Parameter& parameter = tile.parameters[p];
      switch (parameter.kind) {
        case Parameter::Kind::tile: passed.push_back(name("tiles[number]")); continue;
        case Parameter::Kind::grid: passed.push_back(name("grid")); continue;
        case Parameter::Kind::partials: {
          const ValueId result = std::get<ValueId>(arguments[p]);
          body.push_back(
              {DeclareObject{fmt::format("support::Partials<{}>", cpp_type(parameter.element)),
                             parameter.name,
                             {call("support::chunks", {name("grid")})}}});
          passed.push_back(call(parameter.name + ".data", {}));
          const std::string result_name =
              parameter.name.substr(0, parameter.name.size() - std::string("_partials").size());
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
    body.push_back({For{For::Kind::parallel,
                        "number",
                        integer(0),
                        name("tiles.count"),
                        {},
                        1,
                        Block{{Evaluate{call(tile.name, std::move(passed))}}}}});
    std::ranges::move(results, std::back_inserter(body));
    return lowered;
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
                         const std::string& name) {
  return GroupLowering(plan, kernel, group).run(name);
}

}  // namespace paraiso::codegen
