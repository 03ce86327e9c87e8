#include "paraiso/om/graph/graph.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/base/text.hpp"

namespace paraiso::om {
namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
  return hash * 0xff51afd7ed558ccdu;
}

std::uint64_t hash_of(const Instruction& instruction, std::span<const ValueId> operands) {
  std::uint64_t hash = mix(0, instruction.index());
  std::visit(Overload{
                 [&](const Imm& i) {
                   hash = mix(mix(hash, i.value.bits()), static_cast<int>(i.value.element()));
                 },
                 [&](const Load& i) { hash = mix(mix(hash, i.source.index), i.step); },
                 [&](const Store& i) { hash = mix(mix(hash, i.target.index), i.step); },
                 [&](const Reduce& i) { hash = mix(hash, static_cast<int>(i.op)); },
                 [&](const Broadcast&) {},
                 [&](const Shift& i) {
                   for (auto v : i.offset) hash = mix(hash, static_cast<std::uint32_t>(v));
                 },
                 [&](const LoadIndex& i) { hash = mix(hash, i.axis); },
                 [&](const LoadSize& i) { hash = mix(hash, i.axis); },
                 [&](const Arith& i) {
                   hash = mix(mix(hash, static_cast<int>(i.op)), static_cast<int>(i.target));
                   if (i.libm) hash = mix(hash, 1);
                 },
             },
             instruction);
  for (ValueId v : operands) hash = mix(hash, v.index);
  return hash;
}

/// Checks one instruction against its operands; collects the complaint as an Error at `location`.
class Checker {
 public:
  Checker(const Graph& graph, std::span<const ValueId> operands, Location location)
      : graph_(graph), operands_(operands), location_(location) {}

  std::vector<Type> operator()(const Imm& i) const {
    expect_count("imm", 0);
    return {{Realm::global, i.value.element()}};
  }
  std::vector<Type> operator()(const Load& i) const {
    expect_count("load", 0);
    expect_static("load", i.source);
    return {graph_.signature().statics[i.source.index].type};
  }
  std::vector<Type> operator()(const Store& i) const {
    expect_count("store", 1);
    expect_static("store", i.target);
    const auto& target = graph_.signature().statics[i.target.index];
    if (type(0) != target.type)
      fail(fmt::format("`{}` is {}, the value stored is {}", target.name, om::name(target.type),
                       om::name(type(0))));
    return {};
  }
  std::vector<Type> operator()(const Reduce& i) const {
    expect_count("reduce", 1);
    expect_realm("reduce", Realm::local);
    bool logical = i.op == ReduceOp::any || i.op == ReduceOp::all;
    if (logical != (type(0).element == Element::boolean))
      fail(fmt::format("reduce {} needs {}, got {}", om::name(i.op),
                       logical ? "bool" : "i32, i64, f32 or f64", om::name(type(0).element)));
    return {{Realm::global, type(0).element}};
  }
  std::vector<Type> operator()(const Broadcast&) const {
    expect_count("broadcast", 1);
    expect_realm("broadcast", Realm::global);
    return {{Realm::local, type(0).element}};
  }
  std::vector<Type> operator()(const Shift& i) const {
    expect_count("shift", 1);
    expect_realm("shift", Realm::local);
    if (static_cast<int>(i.offset.size()) != graph_.dimension())
      fail(fmt::format("shift has {} components, the machine has {} dimensions", i.offset.size(),
                       graph_.dimension()));
    for (auto v : i.offset)
      if (v < -kLargestShift || v > kLargestShift)
        fail(fmt::format("shift by {} is beyond {} cells", v, kLargestShift));
    return {type(0)};
  }
  std::vector<Type> operator()(const LoadIndex& i) const {
    expect_count("load_index", 0);
    expect_axis("load_index", i.axis);
    return {{Realm::local, Element::i64}};
  }
  std::vector<Type> operator()(const LoadSize& i) const {
    expect_count("load_size", 0);
    expect_axis("load_size", i.axis);
    return {{Realm::global, Element::i64}};
  }
  std::vector<Type> operator()(const Arith& i) const {
    expect_count(info(i.op).name, info(i.op).arity);
    std::vector<Element> elements;
    for (std::size_t k = 0; k < operands_.size(); ++k) {
      if (type(k).realm != type(0).realm)
        fail(fmt::format("`{}` mixes local and global operands", info(i.op).name));
      elements.push_back(type(k).element);
    }
    auto typed = result_types(i.op, elements, i.target);
    if (!typed.complaint.empty()) fail(typed.complaint);
    if (const auto complaint = libm_complaint(i, type(0).realm); !complaint.empty())
      fail(complaint);
    std::vector<Type> types;
    for (Element e : typed.results) types.push_back({type(0).realm, e});
    return types;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw Error(location_, message); }
  [[nodiscard]] Type type(std::size_t k) const { return graph_.type(operands_[k]); }
  void expect_count(const char* what, int count) const {
    if (static_cast<int>(operands_.size()) != count)
      fail(fmt::format("`{}` takes {} operand{}, got {}", what, count, count == 1 ? "" : "s",
                       operands_.size()));
    for (ValueId v : operands_)
      if (v.index >= graph_.value_count()) fail(fmt::format("`{}` has an unknown operand", what));
  }
  void expect_realm(const char* what, Realm realm) const {
    if (type(0).realm != realm)
      fail(fmt::format("`{}` takes a {} value, got {}", what, om::name(realm), om::name(type(0))));
  }
  void expect_static(const char* what, StaticId id) const {
    if (id.index >= graph_.signature().statics.size())
      fail(fmt::format("`{}` names a static that does not exist", what));
  }
  void expect_axis(const char* what, int axis) const {
    if (axis < 0 || axis >= graph_.dimension())
      fail(fmt::format("`{}` of axis {}, the machine has {} dimensions", what, axis,
                       graph_.dimension()));
  }

  const Graph& graph_;
  std::span<const ValueId> operands_;
  Location location_;
};

}  // namespace

std::string libm_complaint(const Arith& arith, Realm realm) {
  if (!arith.libm || (realm == Realm::local && in_libm(arith.op))) return {};
  return fmt::format("`{}` of a {} value can't be `libm`: only elementary functions of cells can",
                     info(arith.op).name, name(realm));
}

const char* name(ReduceOp op) {
  switch (op) {
    case ReduceOp::sum: return "sum";
    case ReduceOp::product: return "product";
    case ReduceOp::min: return "min";
    case ReduceOp::max: return "max";
    case ReduceOp::any: return "any";
    case ReduceOp::all: return "all";
  }
  return "";
}

std::optional<ReduceOp> parse_reduce_op(std::string_view text) {
  for (auto op : {ReduceOp::sum, ReduceOp::product, ReduceOp::min, ReduceOp::max, ReduceOp::any,
                  ReduceOp::all})
    if (text == name(op)) return op;
  return std::nullopt;
}

Graph::Graph(std::shared_ptr<const Signature> signature) : signature_(std::move(signature)) {
  texts_.emplace_back();
  text_ids_.emplace("", 0);
}

ValueId Graph::add(Instruction instruction, std::span<const ValueId> operands, Location location,
                   std::string_view scope) {
  auto types = std::visit(Checker(*this, operands, location), instruction);
  if (auto folded = fold(instruction, operands, types.size(), location, scope)) return *folded;
  const auto* store = std::get_if<Store>(&instruction);
  // A Store's identity is its static and step, whatever value it stores.
  std::uint64_t hash = hash_of(instruction, store ? std::span<const ValueId>{} : operands);
  for (auto [i, end] = by_hash_.equal_range(hash); i != end; ++i) {
    const Node& known = node(i->second);
    if (known.instruction != instruction) continue;
    if (store)
      throw Error(location, fmt::format("`{}` is stored twice in one kernel",
                                        signature_->statics[store->target.index].name))
          .with_note(known.location, "the first store is here");
    if (!std::ranges::equal(known.operands, operands)) continue;
    for (int r = 0; r < known.result_count; ++r)
      unite(values_[known.first_result.index + r].scope, scope);
    return known.first_result;
  }
  by_hash_.emplace(hash, NodeId(nodes_.size()));
  return insert(std::move(instruction), operands, types, location, scope);
}

std::optional<ValueId> Graph::fold(const Instruction& instruction,
                                   std::span<const ValueId> operands, std::size_t results,
                                   Location location, std::string_view scope) {
  const auto* arith = std::get_if<Arith>(&instruction);
  if (!arith || results != 1) return std::nullopt;  // two results would not get consecutive ids
  std::vector<Constant> constants;
  for (ValueId v : operands) {
    const auto* imm = producer_as<Imm>(v);
    if (!imm) return std::nullopt;
    constants.push_back(imm->value);
  }
  Constant result;
  evaluate(arith->op, constants, arith->target, std::span(&result, 1));
  return add(Imm{result}, {}, location, scope);
}

ValueId Graph::insert(Instruction instruction, std::span<const ValueId> operands,
                      const std::vector<Type>& types, Location location, std::string_view scope) {
  NodeId producer(nodes_.size());
  ValueId first = types.empty() ? ValueId{} : ValueId(values_.size());
  nodes_.push_back({std::move(instruction),
                    {operands.begin(), operands.end()},
                    first,
                    static_cast<int>(types.size()),
                    location});
  std::uint32_t scope_id = intern(scope);
  for (std::size_t r = 0; r < types.size(); ++r)
    values_.push_back({producer, static_cast<int>(r), types[r], {}, location, 0, scope_id});
  if (std::holds_alternative<Store>(nodes_.back().instruction)) insert_store(producer);
  return first;
}

void Graph::insert_store(NodeId store) {
  const auto rank = [&](NodeId id) {
    const auto& instruction = std::get<Store>(node(id).instruction);
    return std::pair(instruction.step, instruction.target);
  };
  stores_.insert(std::ranges::upper_bound(stores_, rank(store), {}, rank), store);
  auto [first, added] = first_stores_.try_emplace(node(store).operands[0], store);
  if (!added && rank(store) < rank(first->second)) first->second = store;
}

std::uint32_t Graph::intern(std::string_view text) {
  auto [entry, added] =
      text_ids_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
  if (added) texts_.emplace_back(text);
  return entry->second;
}

void Graph::annotate(ValueId id, Annotation annotation) {
  auto& known = values_[id.index].annotation;
  if (annotation.storing == Storing::free) return;
  if (known.storing != Storing::free && known.storing != annotation.storing) {
    bool manifest = annotation.storing == Storing::manifest;
    throw Error(annotation.location,
                fmt::format("a value is `{}` here and `{}` elsewhere",
                            manifest ? "manifest" : "delayed", manifest ? "delayed" : "manifest"))
        .with_note(known.location, "the other annotation is here");
  }
  known = annotation;
}

void Graph::settle(ValueId id, const Annotation& annotation) {
  auto& known = values_[id.index].annotation;
  if (!known.overruled) known.overruled = annotation.overruled;
  if (annotation.storing == Storing::free || annotation.storing == known.storing) return;
  if (known.storing == Storing::free) {
    known.storing = annotation.storing;
    known.location = annotation.location;
    return;
  }
  const bool manifest_is_new = annotation.storing == Storing::manifest;
  known.overruled = manifest_is_new ? known.location : annotation.location;
  if (manifest_is_new) known.location = annotation.location;
  known.storing = Storing::manifest;
}

void Graph::set_name(ValueId id, std::string_view name) {
  if (!is_dotted_name(name))
    throw Error(value(id).location, fmt::format("`{}` is no name: letters, digits and single "
                                                "underscores, parts joined by dots",
                                                name));
  auto& known = values_[id.index].name;
  if (known == 0)
    known = intern(name);
  else
    unite(known, name);
}

void Graph::unite(std::uint32_t& known, std::string_view other) {
  const auto rank = [](std::string_view text) { return std::pair(text.size(), text); };
  if (rank(other) < rank(texts_[known])) known = intern(other);
}

void Graph::inherit(ValueId to, const Graph& graph, ValueId from) {
  settle(to, graph.value(from).annotation);
  if (!graph.name(from).empty()) set_name(to, graph.name(from));
}

std::optional<Constant> Graph::constant(ValueId id) const {
  if (producer_as<Broadcast>(id)) id = producer(id).operands[0];
  if (const auto* imm = producer_as<Imm>(id)) return imm->value;
  return std::nullopt;
}

std::optional<NodeId> Graph::first_store(ValueId value) const {
  const auto found = first_stores_.find(value);
  if (found == first_stores_.end()) return std::nullopt;
  return found->second;
}

std::vector<NodeId> canonical_order(const Graph& graph, std::span<const ValueId> extra) {
  std::vector<NodeId> order, stack;
  std::vector<bool> done(graph.node_count()), entered(graph.node_count());
  auto visit = [&](NodeId root) {
    stack.push_back(root);
    while (!stack.empty()) {
      NodeId id = stack.back();
      if (entered[id.index]) {
        stack.pop_back();
        if (!done[id.index]) order.push_back(id);
        done[id.index] = true;
        continue;
      }
      entered[id.index] = true;
      const auto& operands = graph.node(id).operands;
      for (auto v = operands.rbegin(); v != operands.rend(); ++v) {
        NodeId producer = graph.value(*v).producer;
        if (!done[producer.index] && !entered[producer.index]) stack.push_back(producer);
      }
    }
  };
  for (NodeId id : graph.stores()) visit(id);
  for (ValueId v : extra) visit(graph.value(v).producer);
  return order;
}

}  // namespace paraiso::om
