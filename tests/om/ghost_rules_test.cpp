// Ghost cells far outside: periods of the sides' rules are taken at once.
#include "paraiso/om/interpret/ghost_rules.hpp"

#include <gtest/gtest.h>

#include "paraiso/support/fill_halo.hpp"

namespace paraiso::om {
namespace {

namespace support = paraiso_support;
using support::Side, support::Source;

/// One turn after the other, as docs/om.md says it.
Source turn_by_turn(std::int64_t index, std::int64_t size, Side lower, Side upper) {
  bool negate = false;
  while (index < 0 || index >= size) {
    const bool below = index < 0;
    const Side side = below ? lower : upper;
    if (side == Side::value)
      return {index, below ? Source::lower_value : Source::upper_value, negate};
    if (side == Side::cyclic) index += below ? size : -size;
    if (side == Side::outflow) index = below ? 0 : size - 1;
    if (side == Side::reflect || side == Side::reflect_negative)
      index = below ? -1 - index : 2 * size - 1 - index;
    if (side == Side::reflect_negative) negate = !negate;
  }
  return {index, Source::cell, negate};
}

Boundary rule_of(Side side) {
  switch (side) {
    case Side::cyclic: return Cyclic{};
    case Side::outflow: return Outflow{};
    case Side::reflect: return Reflect{1};
    case Side::reflect_negative: return Reflect{-1};
    case Side::value: return Fixed{Constant(0.0)};
  }
  return {};
}

/// As the interpreter's memories do.
Source of_interpreter(std::int64_t index, std::int64_t size, Side lower, Side upper) {
  const std::array<Boundary, 2> sides{rule_of(lower), rule_of(upper)};
  bool negate = false;
  if (index < 0 || index >= size) index = without_periods(sides, size, index, negate);
  while (index < 0 || index >= size) {
    const bool above = index >= size;
    if (!bring_inside(sides[above], above, size, index, negate))
      return {index, above ? Source::upper_value : Source::lower_value, negate};
  }
  return {index, Source::cell, negate};
}

constexpr Side kSides[] = {Side::cyclic, Side::outflow, Side::reflect, Side::reflect_negative,
                           Side::value};

/// Calls `use` with the rules of both sides.
template <class F>
void each_pair(F use) {
  for (const Side lower : kSides)
    for (const Side upper : kSides) use(lower, upper);
}

TEST(GhostRules, TakePeriodsAtOnce) {
  each_pair([](Side lower, Side upper) {
    for (const std::int64_t size : {1, 2, 3, 7})
      for (std::int64_t index = -40; index <= 40; ++index) {
        SCOPED_TRACE(testing::Message() << index << " of " << size << ", sides "
                                        << static_cast<int>(lower) << static_cast<int>(upper));
        const Source wanted = turn_by_turn(index, size, lower, upper);
        for (const Source& found : {support::resolve(index, size, lower, upper),
                                    of_interpreter(index, size, lower, upper)}) {
          EXPECT_EQ(found.index, wanted.index);
          EXPECT_EQ(found.kind, wanted.kind);
          EXPECT_EQ(found.negate, wanted.negate);
        }
      }
  });
}

/// An axis is cyclic on both sides or on none. Turn by turn, this would take hours.
TEST(GhostRules, ReachAnyDistance) {
  each_pair([](Side lower, Side upper) {
    if ((lower == Side::cyclic) != (upper == Side::cyclic)) return;
    for (const std::int64_t index : {-2000000000001, 2000000000001}) {
      const Source found = support::resolve(index, 3, lower, upper);
      const Source same = of_interpreter(index, 3, lower, upper);
      EXPECT_EQ(found.index, same.index);
      EXPECT_EQ(found.negate, same.negate);
    }
  });
}

}  // namespace
}  // namespace paraiso::om
