#include "tests/support/random_machine.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace paraiso::test {

using namespace om;

namespace {

constexpr Element kElements[] = {Element::boolean, Element::i32, Element::i64, Element::f32,
                                 Element::f64};

template <class T>
const T& pick(Rng& rng, const std::vector<T>& items) {
  return items[rng.below(items.size())];
}

/// f64 half of the time, else any element.
Element random_element(Rng& rng) {
  return rng.chance(0.5) ? Element::f64 : kElements[rng.below(5)];
}

Constant special_constant(Rng& rng, Element element) {
  using limits = std::numeric_limits<double>;
  const double special[] = {limits::quiet_NaN(),
                            limits::infinity(),
                            -limits::infinity(),
                            -0.0,
                            0.0,
                            1e300,
                            -1e300,
                            5e-324};
  if (element == Element::i64 && rng.chance(0.5))
    return Constant(std::numeric_limits<std::int64_t>::min());
  return Constant::from_double(element, special[rng.below(8)]);
}

Constant ordinary_constant(Rng& rng, Element element) {
  if (element == Element::boolean) return Constant(rng.chance(0.5));
  if (is_integer(element))
    return Constant::from_double(element, static_cast<double>(rng.between(-5, 9)));
  return Constant::from_double(element, 4 * rng.unit() - 1.5);
}

Constant random_constant(Rng& rng, Element element, double special_chance) {
  return rng.chance(special_chance) ? special_constant(rng, element)
                                    : ordinary_constant(rng, element);
}

/// How far a value reads: from `lower` (<= 0) to `upper` (>= 0) cells away, per axis.
struct Reach {
  std::vector<int> lower, upper;

  explicit Reach(int dimension) : lower(dimension), upper(dimension) {}
  void include(const Reach& other) {
    for (std::size_t a = 0; a < lower.size(); ++a) {
      lower[a] = std::min(lower[a], other.lower[a]);
      upper[a] = std::max(upper[a], other.upper[a]);
    }
  }
  [[nodiscard]] Reach shifted(const Offset& offset) const {
    Reach moved = *this;
    for (std::size_t a = 0; a < lower.size(); ++a) {
      moved.lower[a] = std::min(0, lower[a] - offset[a]);
      moved.upper[a] = std::max(0, upper[a] - offset[a]);
    }
    return moved;
  }
  [[nodiscard]] bool within(int cells) const {
    return std::ranges::all_of(lower, [&](int x) { return x >= -cells; }) &&
           std::ranges::all_of(upper, [&](int x) { return x <= cells; });
  }
};

std::vector<Element> elements_of(TypeRule rule) {
  using enum Element;
  switch (rule) {
    case TypeRule::any:
    case TypeRule::equality:
    case TypeRule::selection:
    case TypeRule::conversion: return {boolean, i32, i64, f32, f64, f64};
    case TypeRule::number:
    case TypeRule::comparison:
    case TypeRule::power: return {i32, i64, f32, f64, f64, f64};
    case TypeRule::floating: return {f32, f64, f64};
    case TypeRule::logical: return {boolean, i32, i64};
  }
  return {};
}

/// Grows one graph from a pool of values.
class GraphWriter {
 public:
  GraphWriter(const Machine& machine, const RandomMachineOptions& options, Rng& rng, bool boundary)
      : machine_(machine),
        options_(options),
        rng_(rng),
        boundary_(boundary),
        graph_(machine.signature()) {
    for (std::size_t s = 0; s < machine.statics.size(); ++s)
      if (rng.chance(0.8)) remember(graph_.add(Load{StaticId(s)}));
  }

  /// One more random instruction, or a few.
  void grow() {
    const std::uint64_t choice = rng_.below(100);
    if (choice < (options_.stencils ? 40 : 25))
      shift();
    else if (options_.stencils)
      arith();
    else if (choice < 32 && !boundary_)
      reduce();
    else if (choice < 38)
      remember(graph_.add(LoadIndex{axis()}));
    else if (choice < 41)
      remember(graph_.add(LoadSize{axis()}));
    else
      arith();
    if (rng_.chance(0.1)) scope_ = rng_.chance(0.5) ? "stage" : "stage/slope";
  }

  /// A value of that type: most often one that there is already, the later the likelier.
  ValueId value(Type type) {
    auto known = of_type(type);
    if (!known.empty() && rng_.chance(0.8))
      return known[known.size() - 1 - rng_.below(rng_.below(known.size()) + 1)];
    return remember(type.is_local() ? fresh_local(type.element) : fresh_global(type.element));
  }

  /// A value of that type with some values worked in that nothing has used so far.
  ValueId rich_value(Type type) {
    ValueId result = value(type);
    for (auto n = 1 + rng_.below(4); n > 0; --n) {
      auto unused = unused_values(type.realm);
      std::erase(unused, result);
      if (unused.empty()) break;
      ValueId other = pick(rng_, unused);
      if (graph_.type(other).element != type.element)
        other = remember(graph_.add(Arith{Op::cast, type.element}, {other}, {}, scope_));
      const Op op = type.element == Element::boolean ? Op::xor_
                    : rng_.chance(0.7)               ? Op::add
                                                     : Op::min;
      result = remember(graph_.add(Arith{op}, {result, other}, {}, scope_));
    }
    return result;
  }

  void store(StaticId target) { graph_.add(Store{target}, {rich_value(machine_.at(target).type)}); }

  Graph finish() {
    for (std::size_t v = 0; v < graph_.value_count(); ++v) {
      const ValueId id(v);
      if (graph_.type(id).realm == Realm::global) continue;
      if (options_.annotations && rng_.chance(0.08))
        graph_.annotate(id, {rng_.chance(0.5) ? Storing::manifest : Storing::delayed, {}});
      if (rng_.chance(0.1)) graph_.set_name(id, fmt::format("value{}", v));
      if (rng_.chance(0.03)) graph_.set_name(id, "flux.x");
    }
    return std::move(graph_);
  }

 private:
  int axis() { return static_cast<int>(rng_.below(machine_.dimension)); }

  ValueId remember(ValueId id) {
    if (std::ranges::find(pool_, id) == pool_.end()) pool_.push_back(id);
    update_reaches();
    return id;
  }

  /// Reaches of all values that were added since the last call; operands come before their users.
  void update_reaches() {
    for (std::size_t v = reaches_.size(); v < graph_.value_count(); ++v) {
      Reach reach(machine_.dimension);
      const Node& node = graph_.producer(ValueId(v));
      for (ValueId operand : node.operands) reach.include(reaches_[operand.index]);
      if (const auto* shift = std::get_if<Shift>(&node.instruction))
        reach = reaches_[node.operands[0].index].shifted(shift->offset);
      if (graph_.type(ValueId(v)).realm == Realm::global) reach = Reach(machine_.dimension);
      reaches_.push_back(std::move(reach));
    }
  }

  /// One of `elements`: most often one that values in the pool have, so that they are used.
  Element element(const std::vector<Element>& elements) {
    if (options_.stencils) return Element::f64;
    std::vector<Element> known;
    for (ValueId id : pool_)
      if (std::ranges::count(elements, graph_.type(id).element) > 0)
        known.push_back(graph_.type(id).element);
    return !known.empty() && rng_.chance(0.7) ? pick(rng_, known) : pick(rng_, elements);
  }
  ValueId any_local() { return value({Realm::local, element(elements_of(TypeRule::any))}); }

  std::vector<ValueId> of_type(Type type) const {
    std::vector<ValueId> found;
    for (ValueId id : pool_)
      if (graph_.type(id) == type) found.push_back(id);
    return found;
  }

  std::vector<ValueId> unused_values(Realm realm) const {
    std::vector<bool> used(graph_.value_count());
    for (std::size_t n = 0; n < graph_.node_count(); ++n)
      for (ValueId operand : graph_.node(NodeId(n)).operands) used[operand.index] = true;
    std::vector<ValueId> unused;
    for (ValueId id : pool_)
      if (!used[id.index] && graph_.type(id).realm == realm) unused.push_back(id);
    return unused;
  }

  std::vector<StaticId> statics_of(Type type) const {
    std::vector<StaticId> found;
    for (std::size_t s = 0; s < machine_.statics.size(); ++s)
      if (machine_.statics[s].type == type) found.push_back(StaticId(s));
    return found;
  }

  ValueId fresh_local(Element element) {
    const auto statics = statics_of({Realm::local, element});
    if (!statics.empty() && rng_.chance(0.7)) return graph_.add(Load{pick(rng_, statics)});
    std::vector<ValueId> others;
    for (ValueId id : pool_)
      if (graph_.type(id).is_local()) others.push_back(id);
    if (!others.empty() && rng_.chance(0.6))
      return graph_.add(Arith{Op::cast, element}, {pick(rng_, others)}, {}, scope_);
    return graph_.add(Broadcast{}, {value({Realm::global, element})});
  }

  ValueId fresh_global(Element element) {
    const auto statics = statics_of({Realm::global, element});
    if (!statics.empty() && rng_.chance(0.6)) return graph_.add(Load{pick(rng_, statics)});
    return graph_.add(Imm{random_constant(rng_, element, 0.05)});
  }

  void shift() {
    const ValueId operand = any_local();
    Offset offset(machine_.dimension);
    for (auto& component : offset)
      if (rng_.chance(machine_.dimension == 1 ? 1 : 0.5))
        component = static_cast<std::int32_t>(rng_.between(-3, 3));
    update_reaches();
    if (reaches_[operand.index].shifted(offset).within(options_.reach))
      remember(graph_.add(Shift{offset}, {operand}, {}, scope_));
  }

  void reduce() {
    static const std::vector<ReduceOp> kNumeric = {ReduceOp::sum, ReduceOp::product, ReduceOp::min,
                                                   ReduceOp::max};
    static const std::vector<ReduceOp> kLogical = {ReduceOp::any, ReduceOp::all};
    const ValueId operand = any_local();
    const bool logical = graph_.type(operand).element == Element::boolean;
    ValueId result =
        remember(graph_.add(Reduce{pick(rng_, logical ? kLogical : kNumeric)}, {operand}));
    if (rng_.chance(0.5)) remember(graph_.add(Broadcast{}, {result}));
  }

  /// Additions and multiplications half of the time, so that values stay of order one.
  Op random_op() {
    static const std::vector<Op> kTame = {Op::add, Op::sub, Op::mul, Op::min, Op::max, Op::madd};
    for (;;) {
      const bool tame = options_.stencils || rng_.chance(0.4);
      const Op op = tame ? pick(rng_, kTame) : static_cast<Op>(rng_.below(kOpCount));
      if (info(op).unit != Unit::elementary || options_.elementary) return op;
    }
  }

  void arith() {
    const OpInfo& row = info(random_op());
    const Realm realm = options_.stencils || rng_.chance(0.85) ? Realm::local : Realm::global;
    const Element alike = element(elements_of(row.rule));
    std::vector<ValueId> operands;
    for (int k = 0; k < row.arity; ++k) {
      const bool condition = row.rule == TypeRule::selection && k == 0;
      const bool exponent = row.rule == TypeRule::power && k == 1;
      const Element wanted = condition ? Element::boolean : exponent ? Element::i32 : alike;
      operands.push_back(value({realm, wanted}));
    }
    const Element target = row.op == Op::cast ? random_element(rng_) : Element::f64;
    const ValueId first = graph_.add(Arith{row.op, target}, operands, {}, scope_);
    for (int r = 0; r < graph_.producer(first).result_count; ++r)
      remember(ValueId(first.index + r));
  }

  const Machine& machine_;
  const RandomMachineOptions& options_;
  Rng& rng_;
  bool boundary_;  // for a boundary kernel, which cannot reduce
  Graph graph_;
  std::string scope_ = "step";
  std::vector<ValueId> pool_;
  std::vector<Reach> reaches_;  // by ValueId
};

/// Some are words that C++, CUDA or generated code need for themselves.
std::string random_name(Rng& rng, std::size_t index) {
  static const std::vector<std::string> kReserved = {"class", "double", "size",    "run",  "int",
                                                     "main",  "index",  "threads", "this", "std"};
  if (rng.chance(0.15)) return kReserved[(index + rng.below(2) * 5) % kReserved.size()];
  return fmt::format("{}{}", rng.chance(0.5) ? "density" : "u", index);
}

class MachineWriter {
 public:
  MachineWriter(Rng& rng, const RandomMachineOptions& options) : rng_(rng), options_(options) {}

  Machine write() {
    machine_.name = "random";
    static const std::vector<int> kDimensions = {1, 1, 1, 2, 2, 2, 2, 3, 3, 4};
    machine_.dimension = options_.dimension > 0 ? options_.dimension : pick(rng_, kDimensions);
    const auto count = 1 + rng_.below(options_.largest_static_count);
    for (std::size_t s = 0; s < count; ++s) add_static(s);
    if (options_.user_boundaries && !options_.stencils) add_boundary_kernels();
    for (auto& s : machine_.statics)
      if (s.type.is_local()) set_boundary(s);
    const auto kernels = 1 + rng_.below(options_.largest_kernel_count);
    for (std::size_t k = 0; k < kernels; ++k) add_kernel(k);
    return std::move(machine_);
  }

 private:
  void add_static(std::size_t index) {
    Static& s = machine_.statics.emplace_back();
    do s.name = random_name(rng_, index);
    while (machine_.find_static(s.name) != StaticId(index));
    s.type = {index == 0 || rng_.chance(0.65) ? Realm::local : Realm::global, random_element(rng_)};
    if (options_.stencils) s.type = {Realm::local, Element::f64};
    if (s.type.is_local()) return;
    s.initial = ordinary_constant(rng_, s.type.element);
    if (rng_.chance(0.3)) s.role = StaticRole::parameter;
  }

  void add_boundary_kernels() {
    std::vector<Element> elements;
    for (const auto& s : machine_.statics)
      if (s.type.is_local() && rng_.chance(0.4)) elements.push_back(s.type.element);
    for (Element element : elements) {
      GraphWriter writer(machine_, options_, rng_, true);
      for (auto n = rng_.below(6); n > 0; --n) writer.grow();
      const ValueId result = writer.rich_value({Realm::local, element});
      machine_.boundary_kernels.push_back(
          {fmt::format("edge{}", machine_.boundary_kernels.size()), writer.finish(), result, {}});
    }
  }

  Boundary random_side(const Static& s) {
    std::vector<Boundary> choices = {Outflow{}, Reflect{1},
                                     Fixed{random_constant(rng_, s.type.element, 0.1)}};
    if (s.type.element != Element::boolean) choices.push_back(Reflect{-1});
    for (std::size_t k = 0; k < machine_.boundary_kernels.size(); ++k) {
      const auto& kernel = machine_.boundary_kernels[k];
      if (kernel.graph.type(kernel.result).element == s.type.element)
        choices.push_back(UserBoundary{BoundaryKernelId(k)});
    }
    return pick(rng_, choices);
  }

  void set_boundary(Static& s) {
    for (int a = 0; a < machine_.dimension; ++a) {
      if (rng_.chance(0.35))
        s.boundary.push_back({Cyclic{}, Cyclic{}});
      else
        s.boundary.push_back({random_side(s), random_side(s)});
    }
  }

  void add_kernel(std::size_t index) {
    static const KernelRole kRoles[] = {KernelRole::step, KernelRole::initial, KernelRole::plain};
    GraphWriter writer(machine_, options_, rng_, false);
    const int fewest = (options_.operations + 3) / 4;
    for (auto n = rng_.between(fewest, options_.operations); n > 0; --n) writer.grow();
    std::vector<StaticId> targets;
    for (std::size_t s = 0; s < machine_.statics.size(); ++s)
      if (!machine_.is_parameter(StaticId(s))) targets.push_back(StaticId(s));
    const auto always = rng_.below(targets.size());
    for (std::size_t t = 0; t < targets.size(); ++t)
      if (t == always || rng_.chance(0.7)) writer.store(targets[t]);
    machine_.kernels.push_back(
        {fmt::format("kernel{}", index), kRoles[index % 3], writer.finish(), {}});
  }

  Rng& rng_;
  const RandomMachineOptions& options_;
  Machine machine_;
};

std::string place(const State& state, std::size_t cell) {
  std::string text;
  for (std::int64_t n : state.size) {
    text += (text.empty() ? "" : ", ") + std::to_string(cell % n);
    cell /= n;
  }
  return "(" + text + ")";
}

}  // namespace

Machine random_machine(Rng& rng, const RandomMachineOptions& options) {
  return MachineWriter(rng, options).write();
}

State random_state(const Machine& machine, std::vector<std::int64_t> size, Rng& rng) {
  State state = initial_state(machine, std::move(size));
  const double special_chance = rng.chance(0.3) ? 0.05 : 0;
  for (auto& array : state.arrays)
    for (std::size_t i = 0; i < array.bits.size(); ++i)
      array.set(i, random_constant(rng, array.element, special_chance));
  return state;
}

std::vector<std::int64_t> random_size(Rng& rng, int dimension, std::int64_t largest_cell_count) {
  std::vector<std::int64_t> size;
  std::int64_t cells = 1;
  for (int a = 0; a < dimension; ++a) {
    std::int64_t n = rng.between(1, 7);
    if (rng.chance(0.2)) n = 2 * rng.between(4, 16) + 1;
    if (a == 0 && rng.chance(0.15)) n = rng.between(200, 600);
    n = std::min(n, largest_cell_count / cells);
    cells *= n;
    size.push_back(n);
  }
  return size;
}

std::string compare_states(const Machine& machine, const State& expected, const State& seen) {
  if (expected.size != seen.size)
    return fmt::format("expected size {}, got {}", fmt::join(expected.size, "x"),
                       fmt::join(seen.size, "x"));
  for (std::size_t s = 0; s < machine.statics.size(); ++s) {
    const Array &a = expected.arrays[s], &b = seen.arrays[s];
    const bool local = machine.statics[s].type.is_local();
    for (std::size_t i = 0; i < a.bits.size(); ++i)
      if (a.at(i) != b.at(i))
        return fmt::format("`{}`{}: expected {}, got {}", machine.statics[s].name,
                           local ? " at " + place(expected, i) : "", a.at(i).text(),
                           b.at(i).text());
  }
  return {};
}

}  // namespace paraiso::test
