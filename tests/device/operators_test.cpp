// Every operator, of every element that it takes, on an OpenCL device, as CUDA's text and on a
// card: the bits of om::evaluate, on all combinations of special values and on random ones.
#include "paraiso/codegen/device/operators.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "tests/device/layers.hpp"

namespace paraiso {
namespace {

using codegen::Dialect;
using om::Constant;
using om::Element;
using om::Op;

constexpr Element kElements[] = {Element::boolean, Element::i32, Element::i64, Element::f32,
                                 Element::f64};
constexpr std::size_t kRandom = 100'000;

/// An operator on operands of some elements, and one of its results.
struct Row {
  Op op;
  Element element, target;
  int result;
  std::vector<Element> operands;
  Element made;

  [[nodiscard]] std::string function() const {
    return codegen::device_function(op, element, target, result);
  }
};

std::vector<Element> operands_of(Op op, Element element) {
  std::vector<Element> operands(om::info(op).arity, element);
  if (op == Op::select) operands[0] = Element::boolean;
  if (op == Op::ipow) operands[1] = Element::i32;
  return operands;
}

std::vector<Row> rows_of(Element element) {
  std::vector<Row> rows;
  for (int number = 0; number < om::kOpCount; ++number)
    for (const Element target : kElements) {
      const Op op = static_cast<Op>(number);
      if (op != Op::cast && target != element) continue;
      const auto operands = operands_of(op, element);
      const auto typed = om::result_types(op, operands, target);
      if (!typed.complaint.empty()) continue;
      for (int r = 0; r < om::info(op).results; ++r)
        rows.push_back({op, element, target, r, operands, typed.results[r]});
    }
  return rows;
}

// --- operands ---

template <class T>
std::vector<T> special_floats() {
  using limits = std::numeric_limits<T>;
  std::vector<T> values = {limits::infinity(), limits::quiet_NaN()};
  for (const T size : {T(0),
                       limits::denorm_min(),
                       limits::min() - limits::denorm_min(),
                       limits::min(),
                       limits::epsilon() / 2,
                       T(0.1),
                       T(0.5),
                       T(0.75),
                       T(1),
                       1 + limits::epsilon(),
                       T(1.5),
                       T(2),
                       T(3),
                       T(6.5),
                       T(709.5),
                       T(0x1p31),
                       T(0x1p63),
                       T(1e15),
                       T(2147483647),
                       limits::max()})
    for (const T sign : {T(1), T(-1)}) values.push_back(sign * size);
  values.push_back(-limits::infinity());
  return values;
}

template <class T>
std::vector<T> special_integers() {
  using limits = std::numeric_limits<T>;
  return {0,
          1,
          -1,
          2,
          -2,
          3,
          7,
          -8,
          63,
          -64,
          65536,
          limits::max() / 2,
          limits::max() - 1,
          limits::max(),
          limits::min() + 1,
          limits::min()};
}

std::vector<Constant> constants(const auto& values) {
  std::vector<Constant> all;
  for (const auto value : values) all.emplace_back(value);
  return all;
}

std::vector<Constant> special_values(Element element) {
  switch (element) {
    case Element::boolean: return {Constant(false), Constant(true)};
    case Element::i32: return constants(special_integers<std::int32_t>());
    case Element::i64: return constants(special_integers<std::int64_t>());
    case Element::f32: return constants(special_floats<float>());
    case Element::f64: break;
  }
  return constants(special_floats<double>());
}

/// Of all magnitudes, or of some that a solver has.
Constant random_value(Element element, std::mt19937_64& random) {
  const std::uint64_t bits = random();
  const bool usual = random() % 2 == 0;
  std::uniform_real_distribution<double> some(-20, 20);
  return om::with_element(element, [&](auto zero) -> Constant {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<T>) {
      if (usual) return Constant(static_cast<T>(some(random)));
      T value;
      std::memcpy(&value, &bits, sizeof value);
      return Constant(value);
    } else {
      return Constant(static_cast<T>(usual ? static_cast<std::int64_t>(bits % 41) - 20
                                           : static_cast<std::int64_t>(bits)));
    }
  });
}

/// A list for each place: all combinations of special values of up to three, then random ones.
std::vector<std::vector<Constant>> operands(const std::vector<Element>& elements,
                                            std::mt19937_64& random) {
  std::vector<std::vector<Constant>> lists(elements.size());
  std::vector<std::vector<Constant>> special;
  std::size_t combinations = 1;
  for (const Element element : elements) {
    special.push_back(special_values(element));
    combinations *= special.back().size();
  }
  for (std::size_t c = 0; c < combinations + kRandom; ++c)
    for (std::size_t place = 0, rest = c; place < elements.size(); ++place) {
      const auto& values = special[place];
      lists[place].push_back(c < combinations ? values[rest % values.size()]
                                              : random_value(elements[place], random));
      rest /= values.size();
    }
  return lists;
}

// --- arrays of elements as bytes ---

std::vector<char> bytes_of(const std::vector<Constant>& values) {
  const std::size_t size = om::size_of(values[0].element());
  std::vector<char> bytes(values.size() * size);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t bits = values[i].bits();
    std::memcpy(bytes.data() + i * size, &bits, size);
  }
  return bytes;
}

Constant constant_at(Element element, const std::vector<char>& bytes, std::size_t i) {
  return om::with_element(element, [&](auto value) {
    using T = decltype(value);
    if constexpr (std::is_same_v<T, bool>) return Constant(bytes[i] != 0);
    T read;
    std::memcpy(&read, bytes.data() + i * sizeof(T), sizeof(T));
    return Constant(read);
  });
}

// --- kernels ---

std::string kernel(const Dialect& dialect, const Row& row) {
  std::string parameters, arguments;
  for (std::size_t place = 0; place < row.operands.size(); ++place) {
    parameters += fmt::format("GLOBAL const {}* {}, ",
                              codegen::memory_type(dialect, row.operands[place]), "xyz"[place]);
    arguments += fmt::format("{}{}[i]", place ? ", " : "", "xyz"[place]);
  }
  return fmt::format(
      "KERNEL void all_{0}({1}GLOBAL {2}* results, LONG count) {{\n"
      "  const LONG i = (LONG)BLOCK_0 * BLOCK_SIZE_0 + THREAD_0;\n"
      "  if (i < count) results[i] = {0}({3});\n}}\n",
      row.function(), parameters, codegen::memory_type(dialect, row.made), arguments);
}

/// A kernel for each row, with the functions that they call.
template <class Layer>
typename Layer::Built build(const std::vector<Row>& rows) {
  const Dialect& dialect = codegen::find_dialect(Layer::dialect);
  std::set<std::string> used;
  std::string kernels;
  std::vector<std::string> names;
  for (const Row& row : rows) {
    if (!used.insert(row.function()).second) continue;
    kernels += kernel(dialect, row);
    names.push_back("all_" + row.function());
  }
  return {
      dialect.head + codegen::device_functions(dialect, used) + codegen::spell(dialect, kernels),
      {},
      names};
}

/// What the device makes of them.
template <class Layer>
std::vector<char> results(const Row& row, const typename Layer::Program& program,
                          const std::vector<std::vector<Constant>>& lists) {
  const auto& device = Layer::device();
  const std::size_t count = lists[0].size();
  std::vector<typename Layer::Memory> memory;
  for (const auto& list : lists) {
    const auto bytes = bytes_of(list);
    memory.emplace_back(device, bytes.size()).upload(bytes.data(), bytes.size());
  }
  typename Layer::Memory made(device, count * om::size_of(row.made));
  typename Layer::Kernel kernel(program, "all_" + row.function());
  const auto launch = [&](const auto&... operands) {
    kernel.launch({count, 1, 1}, {64, 1, 1}, operands..., made, static_cast<std::int64_t>(count));
  };
  if (memory.size() == 1) launch(memory[0]);
  if (memory.size() == 2) launch(memory[0], memory[1]);
  if (memory.size() == 3) launch(memory[0], memory[1], memory[2]);
  std::vector<char> bytes(made.bytes());
  made.download(bytes.data(), bytes.size());
  return bytes;
}

std::string text_of(const std::vector<Constant>& operands) {
  std::string text;
  for (const Constant& operand : operands) text += operand.text() + " ";
  return text;
}

/// The first one that differs.
void compare(const Row& row, const std::vector<std::vector<Constant>>& lists,
             const std::vector<char>& bytes) {
  std::vector<Constant> operands(lists.size()), expected(om::info(row.op).results);
  for (std::size_t i = 0; i < lists[0].size(); ++i) {
    for (std::size_t place = 0; place < lists.size(); ++place) operands[place] = lists[place][i];
    om::evaluate(row.op, operands, row.target, expected);
    ASSERT_EQ(expected[row.result].text(), constant_at(row.made, bytes, i).text())
        << row.function() << " of " << text_of(operands) << "is wrong at " << i;
  }
}

template <class Layer>
void compare_all(Element element) {
  PARAISO_NEEDS_LAYER(Layer);
  const auto rows = rows_of(element);
  const auto built = build<Layer>(rows);
  std::mt19937_64 random(7);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.function());
    const auto lists = operands(row.operands, random);
    compare(row, lists, results<Layer>(row, built.program, lists));
  }
}

class DeviceOperators : public testing::TestWithParam<Element> {};

TEST_P(DeviceOperators, HaveTheInterpretersBits) { compare_all<OpenClLayer>(GetParam()); }
TEST_P(DeviceOperators, HaveTheInterpretersBitsInCuda) { compare_all<EmulatedLayer>(GetParam()); }
TEST_P(DeviceOperators, HaveTheInterpretersBitsOnACard) { compare_all<CardLayer>(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Of, DeviceOperators, testing::ValuesIn(kElements),
                         [](const auto& param) { return std::string(om::name(param.param)); });

}  // namespace
}  // namespace paraiso
