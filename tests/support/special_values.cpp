#include "tests/support/special_values.hpp"

#include <limits>
#include <map>

namespace paraiso::test {

using namespace om;

namespace {

template <class T>
std::vector<Constant> special_floats() {
  using limits = std::numeric_limits<T>;
  const double epsilon = static_cast<double>(limits::epsilon());
  std::vector<Constant> values;
  for (const double x :
       {0.0, 1.0, 0.5, 1.5, 2.0, 3.0, 0.7, 1 + epsilon, 0x1p31, 0x1p63,
        static_cast<double>(limits::denorm_min()), static_cast<double>(limits::min()),
        static_cast<double>(limits::max()), static_cast<double>(limits::infinity())})
    for (const double sign : {1.0, -1.0}) values.emplace_back(static_cast<T>(sign * x));
  values.emplace_back(static_cast<T>(limits::quiet_NaN()));
  values.emplace_back(static_cast<T>(-0.3));
  values.emplace_back(static_cast<T>(2147483647.0));
  values.emplace_back(static_cast<T>(1e10));
  values.emplace_back(static_cast<T>(limits::min() / 2));
  return values;
}

template <class T>
std::vector<Constant> special_integers() {
  using limits = std::numeric_limits<T>;
  std::vector<Constant> values;
  for (const std::int64_t x :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{2}, std::int64_t{-2},
        std::int64_t{3}, std::int64_t{7}, std::int64_t{-7}, std::int64_t{31}, std::int64_t{-32},
        std::int64_t{1} << 30, -(std::int64_t{1} << 30), std::int64_t{limits::min()},
        std::int64_t{limits::min()} + 1, std::int64_t{limits::max()},
        std::int64_t{limits::max()} - 1, std::int64_t{limits::min()} / 2,
        std::int64_t{1} << (sizeof(T) == 8 ? 53 : 24), std::int64_t{46341}})
    values.emplace_back(static_cast<T>(x));
  if constexpr (sizeof(T) == 8)
    for (const std::int64_t x :
         {(std::int64_t{1} << 53) + 1, std::int64_t{1} << 31, -(std::int64_t{1} << 31),
          std::int64_t{1} << 32, (std::int64_t{1} << 62) + 1})
      values.emplace_back(x);
  return values;
}

}  // namespace

const std::vector<Constant>& special_values(Element element) {
  static const std::map<Element, std::vector<Constant>> all = {
      {Element::boolean, {Constant(false), Constant(true)}},
      {Element::i32, special_integers<std::int32_t>()},
      {Element::i64, special_integers<std::int64_t>()},
      {Element::f32, special_floats<float>()},
      {Element::f64, special_floats<double>()}};
  return all.at(element);
}

State special_state(const Machine& machine, std::vector<std::int64_t> size, int round, Rng& rng) {
  State state = initial_state(machine, std::move(size));
  for (std::size_t s = 0; s < state.arrays.size(); ++s) {
    Array& array = state.arrays[s];
    const auto& values = special_values(array.element);
    const char place = machine.statics[s].name[0];
    const bool local = machine.statics[s].type.is_local();
    const bool paired = (place == 'a' || place == 'b') && (round < 2 || !local);
    for (std::size_t cell = 0; cell < array.bits.size(); ++cell) {
      const auto pair = local ? cell : static_cast<std::size_t>(round);
      const auto number = place == 'a' ? pair % kSpecialValues : pair / kSpecialValues;
      array.set(cell, paired ? values[number % values.size()] : values[rng.below(values.size())]);
    }
  }
  return state;
}

}  // namespace paraiso::test
