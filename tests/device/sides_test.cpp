// Sides of grids on devices: each ordered pair of rules along each axis, halos of 0 to 5 cells,
// grids of 1 to 6, corners included, filled by a launch, found and stored; the interpreter's bits.
// PARAISO_CASES sets how many programs (1); all 36 have each pair with halos of all pairs of
// widths.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "tests/device/compared.hpp"
#include "tests/support/setting.hpp"

namespace paraiso {
namespace {

constexpr int kPairs = 17;
constexpr int kWidths = 6;  // 0 to 5
constexpr int kPrograms = kWidths * kWidths;

/// Of the lower and the upper side; a cyclic side has another one opposite.
std::string pair_of_rules(int number) {
  constexpr const char* kRules[] = {"outflow", "reflect +", "reflect -", "fixed 7"};
  return number == kPairs - 1 ? "cyclic cyclic"
                              : fmt::format("{} {}", kRules[number / 4], kRules[number % 4]);
}

/// Along each axis the fields have all pairs, and next to each of them others.
int pair_of(int field, int axis) {
  constexpr int kApart[] = {1, 5, 7};
  return (kApart[axis] * field + axis) % kPairs;
}

/// Cells that a field is read beyond the lower or the upper side.
int width_of(int field, int axis, bool upper, int program) {
  return (upper ? 5 * field + 3 * axis + 1 + program / kWidths : field + 2 * axis + program) %
         kWidths;
}

/// Of a field: as far as it is read along each axis, and in corners, of which all sides of two axes
/// have one.
std::vector<std::array<int, 3>> offsets_of(int field, int program) {
  std::vector<std::array<int, 3>> offsets;
  for (int axis = 0; axis < 3; ++axis)
    for (const bool upper : {false, true}) {
      std::array<int, 3> offset{};
      offset[axis] = (upper ? 1 : -1) * width_of(field, axis, upper, program);
      offsets.push_back(offset);
    }
  for (const int corner : {0b000, 0b011, 0b101, 0b110}) {
    std::array<int, 3> offset{};
    for (int axis = 0; axis < 3; ++axis) {
      const bool upper = (corner >> axis & 1) != 0;
      offset[axis] = (upper ? 1 : -1) * width_of(field, axis, upper, program);
    }
    offsets.push_back(offset);
  }
  return offsets;
}

/// Of integers, so that no cell is lost beside larger ones.
om::Machine sides(int program) {
  std::string text = "paraiso 1\nmachine sides dimension 3\n";
  std::string ramp =
      "kernel ramp initial\n  %x = load_index 0\n  %y = load_index 1\n  %z = load_index 2\n"
      "  %n = imm i64 7\n  %k = broadcast %n\n  %a = mul %z %k\n  %b = add %a %y\n"
      "  %c = mul %b %k\n  %d = add %c %x\n  %u0 = mul %d %d\n";
  std::string step = "kernel proceed step\n  %n = imm i64 31\n  %k = broadcast %n\n";
  for (int f = 0; f < kPairs; ++f) {
    text += fmt::format("static f{} local i64\n", f);
    for (int axis = 0; axis < 3; ++axis)
      text += fmt::format("  boundary {} {}\n", axis, pair_of_rules(pair_of(f, axis)));
    ramp += fmt::format("  %u{} = add %u{} %k\n  store f{} %u{}\n", f + 1, f, f, f + 1);
    step += fmt::format("  %f{0} = load f{0}\n  %s{0}_0 = add %f{0} %k\n", f);
    int term = 0;
    for (const auto& [x, y, z] : offsets_of(f, program)) {
      step += fmt::format(
          "  %c{0}_{1} = shift %f{0} ({3}, {4}, {5})\n  %m{0}_{1} = mul %s{0}_{1} %k\n"
          "  %s{0}_{2} = add %m{0}_{1} %c{0}_{1}\n",
          f, term, term + 1, x, y, z);
      ++term;
    }
    step += fmt::format("  store f{0} %s{0}_{1}\n", f, term);
  }
  text += ramp + "end\n" + step + "end\nend machine\n";
  return passes::prepare(om::parse(text, "sides.om"), passes::Numbers::fma);
}

TEST(Sides, HaveAllPairsAlongEachAxisAndAllWidths) {
  for (int axis = 0; axis < 3; ++axis) {
    std::set<int> pairs, below, above;
    std::set<std::array<int, 3>> all;
    for (int f = 0; f < kPairs; ++f) {
      pairs.insert(pair_of(f, axis));
      below.insert(width_of(f, axis, false, 0));
      above.insert(width_of(f, axis, true, 0));
      for (int program = 0; program < kPrograms; ++program)
        all.insert({pair_of(f, axis), width_of(f, axis, false, program),
                    width_of(f, axis, true, program)});
    }
    EXPECT_EQ(pairs.size(), static_cast<std::size_t>(kPairs));
    EXPECT_EQ(below, (std::set<int>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(above, below);
    EXPECT_EQ(all.size(), static_cast<std::size_t>(kPairs * kPrograms));
  }
}

class SidesOn : public testing::TestWithParam<std::tuple<DeviceBackend, const char*>> {};

TEST_P(SidesOn, EqualTheInterpreter) {
  const auto& [device, ghosts] = GetParam();
  PARAISO_NEEDS_BACKEND(device);
  const runtime::Backend& backend = device.row();
  std::vector<std::vector<std::int64_t>> sizes;
  for (std::int64_t n = 0; n < 6; ++n) sizes.push_back({1 + n, 1 + (n + 2) % 6, 6 - n});
  const plan::Schedule schedule{{{"proceed/ghosts", ghosts}}};
  std::vector<Compared> all;
  const int programs = std::min(kPrograms, static_cast<int>(test::setting("PARAISO_CASES", 1)));
  for (int program = 0; program < programs; ++program)
    all.push_back({backend.make_plan(sides(program), schedule), sizes, ghosts, {}, {"ramp"}});
  expect_equal_interpreter(backend, std::move(all));
}

INSTANTIATE_TEST_SUITE_P(Of, SidesOn,
                         testing::Combine(testing::ValuesIn(device_backends()),
                                          testing::Values("filled", "found", "stored")),
                         [](const auto& info) {
                           return fmt::format("{}_{}", std::get<0>(info.param).label,
                                              std::get<1>(info.param));
                         });

}  // namespace
}  // namespace paraiso
