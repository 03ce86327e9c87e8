#include "paraiso/plan/expand.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace paraiso::plan {

using namespace om;

namespace {

class Expander {
 public:
  Expander(const Graph& graph, const Sources& sources, std::size_t limit)
      : graph_(graph), sources_(sources), limit_(limit), zero_(graph.dimension(), 0) {}

  Expansion run(std::span<const ValueAt> roots) {
    for (const ValueAt& root : roots) {
      auto term = term_of(root.value, root.offset);
      result_.complete = term.has_value();
      if (!term) break;
      result_.roots.push_back(*term);
    }
    return std::move(result_);
  }

 private:
  struct Request {
    Term term;
    std::size_t next = 0;  // operand to resolve
  };

  /// Depth first with a stack of our own: graphs may be deeper than the machine's stack.
  std::optional<int> term_of(ValueId value, const Offset& offset) {
    std::vector<Request> stack;
    stack.push_back({describe(value, offset)});
    if (auto known = find(stack.back().term)) return known;
    for (;;) {
      Request& top = stack.back();
      const auto& inputs = inputs_of(top.term);
      if (top.next < inputs.size()) {
        Term input = describe(inputs[top.next], top.term.offset);
        if (auto known = find(input)) {
          top.term.operands.push_back(*known);
          ++top.next;
        } else {
          stack.push_back({std::move(input)});
        }
        continue;
      }
      if (result_.terms.size() >= limit_) return std::nullopt;
      const int position = static_cast<int>(result_.terms.size());
      result_.terms.push_back(std::move(top.term));
      known_.insert(position);
      stack.pop_back();
      if (stack.empty()) return position;
    }
  }

  /// Follows Shifts to the value itself, and decides where it comes from.
  Term describe(ValueId value, Offset offset) const {
    while (const auto* shift = graph_.producer_as<Shift>(value)) {
      for (std::size_t a = 0; a < offset.size(); ++a) offset[a] -= shift->offset[a];
      value = graph_.producer(value).operands[0];
    }
    const Node& node = graph_.producer(value);
    if (std::holds_alternative<Load>(node.instruction) && !read_by(value).valid())
      return {Term::Kind::read_static, value, std::move(offset), {}};
    if (std::holds_alternative<Broadcast>(node.instruction))
      return {Term::Kind::scalar, node.operands[0], zero_, {}};
    if (const auto* index = std::get_if<LoadIndex>(&node.instruction)) {
      Offset along = zero_;  // offsets along other axes do not matter
      along[index->axis] = offset[index->axis];
      return {Term::Kind::index, value, std::move(along), {}};
    }
    return {kind_of(value, offset), value, std::move(offset), {}};
  }

  Term::Kind kind_of(ValueId value, const Offset& offset) const {
    const ValueStorage kept = sources_.kept[value.index];
    if (kept == ValueStorage::nowhere) return Term::Kind::compute;
    auto own = sources_.own.find(value);
    if (own != sources_.own.end() && own->second == offset) return Term::Kind::compute;
    return kept == ValueStorage::array ? Term::Kind::read_array : Term::Kind::read_buffer;
  }

  /// The value that an inner Load reads.
  [[nodiscard]] ValueId read_by(ValueId value) const {
    return sources_.inner.empty() ? ValueId() : sources_.inner[value.index];
  }

  [[nodiscard]] std::span<const ValueId> inputs_of(const Term& term) const {
    if (term.kind != Term::Kind::compute) return {};
    if (read_by(term.value).valid()) return {&sources_.inner[term.value.index], 1};
    return graph_.producer(term.value).operands;
  }

  std::optional<int> find(const Term& term) const {
    const auto found = known_.find(term);
    return found == known_.end() ? std::nullopt : std::optional(*found);
  }
  /// Terms that are known, by value and offset: as they are, or by their places.
  struct OfTerms {
    using is_transparent = void;
    const std::vector<Term>& terms;
    [[nodiscard]] const Term& at(int place) const { return terms[place]; }
    [[nodiscard]] static const Term& at(const Term& term) { return term; }
  };
  struct Hash : OfTerms {
    std::size_t operator()(const auto& one) const {
      const Term& term = this->at(one);
      std::size_t hash = term.value.index;
      for (auto v : term.offset) hash = hash * 0x9e3779b97f4a7c15u + static_cast<std::uint32_t>(v);
      return hash * 0xff51afd7ed558ccdu;
    }
  };
  struct Same : OfTerms {
    bool operator()(const auto& left, const auto& right) const {
      const Term &a = this->at(left), &b = this->at(right);
      return a.value == b.value && a.offset == b.offset;
    }
  };

  const Graph& graph_;
  const Sources& sources_;
  std::size_t limit_;
  Offset zero_;
  Expansion result_;
  std::unordered_set<int, Hash, Same> known_{0, Hash{{result_.terms}}, Same{{result_.terms}}};
};

}  // namespace

double Expansion::operations(const Graph& graph) const {
  double sum = 0;
  for (const Term& term : terms)
    if (term.kind == Term::Kind::compute)
      if (const auto* arith = graph.producer_as<Arith>(term.value)) sum += info(arith->op).cost;
  return sum;
}

bool reads_static(const Graph& graph, const Term& term, StaticId id) {
  return term.kind == Term::Kind::read_static && graph.producer_as<Load>(term.value)->source == id;
}

Expansion expand(const Graph& graph, std::span<const ValueAt> roots, const Sources& sources,
                 std::size_t limit) {
  return Expander(graph, sources, limit).run(roots);
}

}  // namespace paraiso::plan
