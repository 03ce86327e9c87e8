#include "tests/support/special_machine.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <span>

#include "paraiso/om/graph/operators.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/plan/vector_form.hpp"
#include "tests/support/special_values.hpp"

namespace paraiso::test {

using namespace om;

namespace {

constexpr Element kElements[] = {Element::boolean, Element::i32, Element::i64, Element::f32,
                                 Element::f64};

template <class T>
const T& pick(Rng& rng, const std::vector<T>& items) {
  return items[rng.below(items.size())];
}

/// How often an operator is drawn. Signs, products, sums and conversions are what compilers move.
int weight(Op op) {
  switch (op) {
    case Op::neg:
    case Op::cast: return 8;
    case Op::mul:
    case Op::div: return 6;
    case Op::add:
    case Op::sub: return 5;
    case Op::madd:
    case Op::msub:
    case Op::nmadd:
    case Op::nmsub:
    case Op::abs:
    case Op::floor:
    case Op::ceil:
    case Op::select: return 3;
    case Op::mod:
    case Op::divmod:
    case Op::inv:
    case Op::signum:
    case Op::min:
    case Op::max:
    case Op::sqrt:
    case Op::not_:
    case Op::eq:
    case Op::ne:
    case Op::lt:
    case Op::le:
    case Op::gt:
    case Op::ge: return 2;
    default: return 1;
  }
}
int seldom(Op op) { return weight(op) < 5 ? 1 : 0; }
int elementary(Op op) { return info(op).unit == Unit::elementary ? 1 : 0; }

/// Writes the lines of one graph, each value a label with a type.
class ExpressionWriter {
 public:
  ExpressionWriter(Rng& rng, SpecialForm form, std::string inputs)
      : rng_(rng), form_(form), inputs_(std::move(inputs)) {
    realm_ = form == SpecialForm::scalars ? Realm::global : Realm::local;
    // Few elements, so that values meet.
    elements_ = {kElements[1 + rng.below(4)]};
    if (rng.chance(0.7)) elements_.push_back(kElements[1 + rng.below(4)]);
    if (rng.chance(0.2)) elements_.push_back(Element::boolean);
    for (const Element element : elements_) {
      known(load(fmt::format("a_{}{}", name(element), inputs_), element));
      known(load(fmt::format("b_{}{}", name(element), inputs_), element));
      if (rng.chance(0.4)) known(load(fmt::format("c_{}{}", name(element), inputs_), element));
      if (rng.chance(0.4)) known(constant(element));
      if (rng.chance(0.4)) known(parameter(element));
    }
  }

  /// One more operator on values that there are; several one after the other on one value; or one
  /// that there is once more, with the sign of an operand changed or the like.
  void grow() {
    const double kind = rng_.unit();
    if (kind < 0.25) return chain();
    if (kind < 0.45 && !steps_.empty()) return repeat();
    while (!grow(drawn_op(weight), elements_[rng_.below(elements_.size())])) {
    }
  }

  /// Of each element one value more, of one here and one as a neighbour has it.
  void add_stencils() {
    static const std::vector<Op> ops = {Op::add, Op::sub, Op::mul, Op::min, Op::max};
    for (const Element element : elements_) {
      const std::size_t here = *choose(element);
      shift(*choose(element));
      if (element == Element::boolean) continue;
      while (!write({pick(rng_, ops), {here, values_.size() - 1}, element})) {
      }
    }
  }

  /// Two operators that are seldom drawn otherwise, and nested choices. What else is drawn is what
  /// would be without.
  void add_seldom() {
    const Rng kept = rng_;
    grow_one(seldom);
    grow_one(rng_.chance(0.3) ? elementary : seldom);
    if (const auto value = choose(rng_.chance(0.5) ? Element::f32 : Element::f64))
      choose_twice(*value);
    rng_ = kept;
  }
  void grow_one(int (*how_often)(Op)) {
    const Op op = drawn_op(how_often);
    for (int tries = 0; tries < 50 && !grow(op, kElements[rng_.below(5)]); ++tries) {
    }
  }

  struct Value {
    std::string label;
    Element element;
    bool used = false;
  };
  [[nodiscard]] const std::vector<Value>& values() const { return values_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::size_t inputs() const { return input_count_; }

  void line(const std::string& text) { text_ += text + "\n"; }

 private:
  std::string fresh() { return fmt::format("%{}", next_++); }

  void shift(std::size_t value) {
    static const std::vector<std::string> offsets = {"(1, 0)", "(-2, 0)", "(0, 1)", "(0, -2)",
                                                     "(-1, 1)"};
    const std::string label = fresh();
    line(fmt::format("{} = shift {} {}", label, values_[value].label, pick(rng_, offsets)));
    values_[value].used = true;
    values_.push_back({label, values_[value].element});
  }

  /// Of a value and a bound one, whichever is less or greater; then the same of that, or of a
  /// neighbour's.
  void choose_twice(std::size_t value) {
    const std::size_t bound = values_.size();
    values_.push_back(constant(values_[value].element));
    const bool less = rng_.chance(0.5);
    const std::size_t inner = choice(less, value, bound);
    if (realm_ == Realm::local && rng_.chance(0.7)) shift(inner);
    choice(less, values_.size() - 1, bound);
  }
  std::size_t choice(bool less, std::size_t value, std::size_t bound) {
    std::array compared = {value, bound}, chosen = compared;
    if (rng_.chance(0.5)) std::swap(compared[0], compared[1]);
    if (rng_.chance(0.5)) std::swap(chosen[0], chosen[1]);
    const bool first = compared[0] == chosen[0];  // where the comparison holds
    const bool or_equal = rng_.chance(0.5);
    const Op order = less == first ? (or_equal ? Op::le : Op::lt) : (or_equal ? Op::ge : Op::gt);
    const Element element = values_[value].element;
    write({order, {compared[0], compared[1]}, element});
    write({Op::select, {values_.size() - 1, chosen[0], chosen[1]}, element});
    return values_.size() - 1;
  }

  void known(Value value) {
    values_.push_back(std::move(value));
    input_count_ = values_.size();
  }

  Value load(const std::string& source, Element element) {
    const std::string label = fresh();
    line(fmt::format("%{} = load {}", label.substr(1), source));
    return {label, element};
  }

  Value local(Value scalar) {
    if (realm_ == Realm::global) return scalar;
    const std::string label = fresh();
    line(fmt::format("{} = broadcast {}", label, scalar.label));
    return {label, scalar.element};
  }

  Value constant(Element element) {
    const std::string label = fresh();
    Constant value = pick(rng_, special_values(element));
    if (element != Element::boolean && rng_.chance(0.4))
      value = Constant::from_double(element, rng_.chance(0.7) ? -1 : rng_.chance(0.5) ? 0 : -0.0);
    line(fmt::format("{} = imm {} {}", label, name(element), value.text()));
    return local({label, element});
  }

  Value parameter(Element element) {
    const std::string label = fresh();
    line(fmt::format("{} = load {}_{}", label, rng_.chance(0.5) ? "p" : "q", name(element)));
    return local({label, element});
  }

  Op drawn_op(int (*how_often)(Op)) {
    std::vector<Op> list;
    for (int op = 0; op < kOpCount; ++op)
      list.insert(list.end(), how_often(static_cast<Op>(op)), static_cast<Op>(op));
    return pick(rng_, list);
  }

  bool grow(Op op, Element element) {
    if (info(op).unit == Unit::elementary && !rng_.chance(0.15)) return false;
    std::vector<Element> wanted(info(op).arity, element);
    if (op == Op::select) wanted[0] = Element::boolean;
    if (op == Op::ipow) wanted[1] = Element::i32;
    if (op == Op::cast) wanted[0] = values_[rng_.below(values_.size())].element;
    Step step{op, {}, random_target()};
    for (const Element e : wanted) {
      const auto operand = choose(e);
      if (!operand) return false;
      step.operands.push_back(*operand);
    }
    return write(step);
  }

  Element random_target() {
    return rng_.chance(0.7) ? elements_[rng_.below(elements_.size())] : kElements[rng_.below(5)];
  }

  /// Three to five operators of one operand, each on the result of the one before; casts often go
  /// back to where the first one came from.
  void chain() {
    static const std::vector<Op> ops = {Op::neg,  Op::neg,   Op::cast, Op::cast, Op::cast,
                                        Op::cast, Op::ceil,  Op::ceil, Op::abs,  Op::floor,
                                        Op::sqrt, Op::floor, Op::inv};
    std::size_t value = rng_.below(values_.size());
    const Element first = values_[value].element;
    for (auto left = rng_.between(3, 5); left > 0;) {
      if (!write({pick(rng_, ops), {value}, rng_.chance(0.5) ? first : random_target()})) continue;
      value = values_.size() - 1;
      --left;
    }
  }

  void repeat() {
    Step step = pick(rng_, steps_);
    const auto changed = rng_.below(step.operands.size());
    static const std::vector<Op> ops = {Op::neg, Op::neg, Op::abs, Op::not_, Op::inv};
    while (!write({pick(rng_, ops), {step.operands[changed]}, Element::f64})) {
    }
    step.operands[changed] = values_.size() - 1;
    write(step);
  }

  struct Step {
    Op op;
    std::vector<std::size_t> operands;
    Element target;  // of a cast
  };

  /// Unless the operator takes no such operands, or the form has no such operator.
  bool write(const Step& step) {
    std::vector<Element> elements;
    for (const std::size_t v : step.operands) elements.push_back(values_[v].element);
    const auto typed = result_types(step.op, elements, step.target);
    if (!typed.complaint.empty()) return false;
    if (form_ == SpecialForm::vectors && !plan::has_vector_form(step.op, elements[0])) return false;
    std::string operation = info(step.op).name, results;
    for (const std::size_t v : step.operands) {
      operation += " " + values_[v].label;
      values_[v].used = true;
    }
    if (step.op == Op::cast) operation += fmt::format(" {}", name(step.target));
    for (const Element e : typed.results) {
      const std::string label = fresh();
      results += (results.empty() ? "" : ", ") + label;
      values_.push_back({label, e});
    }
    line(fmt::format("{} = {}", results, operation));
    steps_.push_back(step);
    return true;
  }

  /// A value of that element: the later the likelier.
  std::optional<std::size_t> choose(Element element) {
    std::vector<std::size_t> found;
    for (std::size_t v = 0; v < values_.size(); ++v)
      if (values_[v].element == element) found.push_back(v);
    if (found.empty()) return {};
    return found[found.size() - 1 - rng_.below(rng_.below(found.size()) + 1)];
  }

  Rng& rng_;
  const SpecialForm form_;
  const std::string inputs_;
  Realm realm_;
  std::vector<Element> elements_;
  std::vector<Value> values_;
  std::vector<Step> steps_;
  std::size_t input_count_ = 0;
  std::string text_;
  int next_ = 0;
};

class SpecialWriter {
 public:
  SpecialWriter(Rng& rng, SpecialForm form, Rng* loops) : rng_(rng), form_(form), loops_(loops) {
    for (const Element element : kElements) {
      for (const char* place : {"a", "b", "c"}) {
        declare(fmt::format("{}_{}", place, name(element)), Realm::local, element);
        declare(fmt::format("{}_{}_global", place, name(element)), Realm::global, element);
      }
      for (const char* parameter : {"p", "q"})
        statics_ += fmt::format("static {}_{} global {} parameter\n", parameter, name(element),
                                name(element));
    }
  }

  Machine write(int kernels) {
    for (int k = 0; k < kernels; ++k) form_ == SpecialForm::boundary ? add_boundary(k) : add(k);
    if (form_ == SpecialForm::boundary) add_elementary_boundaries(kernels);
    if (loops_ && form_ != SpecialForm::boundary) add_step();
    return parse(fmt::format("paraiso 1\nmachine special_{} dimension 2\n{}{}{}end machine\n",
                             name(form_), statics_, boundaries_, kernels_));
  }

 private:
  void declare(const std::string& name, Realm realm, Element element,
               const std::string& side = "cyclic") {
    statics_ += fmt::format("static {} {} {}\n", name, om::name(realm), om::name(element));
    if (realm == Realm::local)
      for (const int axis : {0, 1})
        statics_ += fmt::format("  boundary {} {} {}\n", axis, side, side);
  }

  ExpressionWriter grown(int fewest, int most) {
    ExpressionWriter writer(rng_, form_, form_ == SpecialForm::scalars ? "_global" : "");
    for (auto n = rng_.between(fewest, most); n > 0; --n) writer.grow();
    return writer;
  }

  /// Stores what nothing uses, and some of the rest.
  void add(int k) {
    ExpressionWriter writer = grown(4, 10);
    std::string stores;
    const Realm realm = form_ == SpecialForm::scalars ? Realm::global : Realm::local;
    const auto& values = writer.values();
    for (std::size_t v = writer.inputs(); v < values.size(); ++v) {
      if (values[v].used && !rng_.chance(0.2)) continue;
      const std::string target = fmt::format("r{}_{}", k, v);
      declare(target, realm, values[v].element);
      stores += fmt::format("store {} {}\n", target, values[v].label);
    }
    if (form_ == SpecialForm::cells) {
      declare(fmt::format("m{}", k), Realm::local, Element::i64);
      stores += fmt::format("%x = load a_i64\n%m = mod %x %x\nstore m{} %m\n", k);
    }
    if (loops_ && loops_->chance(0.5)) stores += reduction(fmt::format("s{}", k), values);
    const std::size_t first = values.size();
    writer.add_seldom();
    for (std::size_t v = first; v < values.size(); ++v) {
      if (values[v].used) continue;
      declare(fmt::format("n{}_{}", k, v), realm, values[v].element);
      stores += fmt::format("store n{}_{} {}\n", k, v, values[v].label);
    }
    kernels_ += fmt::format("kernel go{}\n{}{}end\n", k, writer.text(), stores);
  }

  /// The lines that reduce one of the values and store that.
  std::string reduction(const std::string& target,
                        const std::vector<ExpressionWriter::Value>& values) {
    const auto& value = pick(*loops_, values);
    static const std::vector<std::string> numbers = {"min", "max", "sum", "product"},
                                          truths = {"any", "all"};
    declare(target, Realm::global, value.element);
    return fmt::format("%all = reduce {} {}\nstore {} %all\n",
                       pick(*loops_, value.element == Element::boolean ? truths : numbers),
                       value.label, target);
  }

  /// Of each element that it has the last value becomes the next `a`.
  void add_step() {
    ExpressionWriter writer(*loops_, form_, "");
    for (auto n = loops_->between(1, 3); n > 0; --n) writer.grow();
    writer.add_stencils();
    std::map<Element, std::string> last;
    for (const auto& value : std::span(writer.values()).subspan(writer.inputs()))
      last[value.element] = value.label;
    for (const auto& [element, label] : last)
      writer.line(fmt::format("store a_{} {}", name(element), label));
    if (loops_->chance(0.3)) writer.line(reduction("s_step", writer.values()));
    kernels_ += fmt::format("kernel proceed step\n{}end\n", writer.text());
  }

  void add_boundary(int k) {
    ExpressionWriter writer = grown(3, 8);
    if (k % 2 == 1) writer.grow_one(seldom);
    write_boundary(k, writer);
  }

  void add_elementary_boundaries(int first) {
    for (int k = first; k < first + 3; ++k) {
      ExpressionWriter writer = grown(1, 2);
      writer.grow_one(elementary);
      write_boundary(k, writer);
    }
  }

  void write_boundary(int k, const ExpressionWriter& writer) {
    const auto& last = writer.values().back();
    boundaries_ +=
        fmt::format("boundary_kernel outside{}\n{}result {}\nend\n", k, writer.text(), last.label);
    const std::string field = fmt::format("f{}", k);
    declare(field, Realm::local, last.element, fmt::format("kernel outside{}", k));
    kernels_ += fmt::format("kernel go{}\n%f = load {}\n", k, field);
    const char* offsets[] = {"(1, 0)", "(-2, 0)", "(0, 1)", "(0, -2)"};
    for (int o = 0; o < 4; ++o) {
      declare(fmt::format("r{}_{}", k, o), Realm::local, last.element);
      kernels_ += fmt::format("%{0} = shift %f {1}\nstore r{2}_{0} %{0}\n", o, offsets[o], k);
    }
    kernels_ += "end\n";
  }

  Rng& rng_;
  const SpecialForm form_;
  Rng* const loops_;  // draws what loops of any form need; none: they have none
  std::string statics_, boundaries_, kernels_;
};

}  // namespace

const char* name(SpecialForm form) {
  switch (form) {
    case SpecialForm::vectors: return "vectors";
    case SpecialForm::cells: return "cells";
    case SpecialForm::scalars: return "scalars";
    case SpecialForm::boundary: return "boundary";
  }
  return "";
}

Machine special_machine(Rng& rng, SpecialForm form, int kernels, Rng* loops) {
  return SpecialWriter(rng, form, loops).write(kernels);
}

}  // namespace paraiso::test
