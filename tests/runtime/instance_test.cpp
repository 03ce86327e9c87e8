#include "paraiso/runtime/fields/instance.hpp"

#include <bit>
#include <set>

#include "machines.hpp"
#include "paraiso/base/rng.hpp"
#include "paraiso/om/interpret/interpret.hpp"
#include "paraiso/runtime/build/compile.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/runtime/fields/summary.hpp"
#include "paraiso/runtime/output/checkpoint.hpp"
#include "paraiso/runtime/output/output.hpp"
#include "paraiso/runtime/plot/plot.hpp"
#include "support.hpp"

namespace paraiso::runtime {
namespace {

using test::error_text;
using Cell = std::vector<std::int64_t>;

TEST(Instance, RunsKernelsAndShowsFields) {
  auto instance = interpreter_instance(test::box(), {4, 3, 2});
  instance->run("ramp");
  const auto f = instance->field("f");
  EXPECT_EQ(f.element, om::Element::f32);
  EXPECT_EQ(f.size, (Cell{4, 3, 2}));
  EXPECT_EQ(f.strides[0], 1);
  EXPECT_EQ(f.at<float>(Cell{3, 2, 1}), 123);
  f.at<float>(Cell{0, 0, 0}) = 7;
  EXPECT_EQ(instance->field("f").get(Cell{0, 0, 0}), om::Constant(7.0f));
}

TEST(Instance, WhatAHostWritesIsWhatKernelsRead) {
  auto instance = interpreter_instance(test::drift<double>(), {5, 4});
  instance->field("u").set(Cell{2, 1}, om::Constant(1.5));
  instance->field("warm").set(Cell{2, 1}, om::Constant(true));
  instance->run("double_u");
  EXPECT_EQ(instance->field("u").at<double>(Cell{2, 1}), 3);
  EXPECT_TRUE(instance->field("warm").at<bool>(Cell{2, 1}));
  instance->set_scalar("rate", 0.25);
  EXPECT_EQ(instance->scalar("rate"), 0.25);
  instance->set_scalar("level", 5.9);
  EXPECT_EQ(instance->scalar("level"), 5);
}

TEST(Instance, UnknownNamesSuggestTheNearest) {
  auto instance = interpreter_instance(test::drift<double>(), {2, 2});
  EXPECT_EQ(error_text([&] { instance->run("procede"); }),
            "error: machine `drift` has no kernel `procede`; did you mean `proceed`?");
  EXPECT_EQ(error_text([&] { (void)instance->field("coumt"); }),
            "error: machine `drift` has no field `coumt`; did you mean `count`?");
  EXPECT_EQ(error_text([&] { (void)instance->scalar("rat"); }),
            "error: machine `drift` has no scalar `rat`; did you mean `rate`?");
  EXPECT_EQ(error_text([&] { instance->set_scalar("quite_another", 1); }),
            "error: machine `drift` has no scalar `quite_another`");
  EXPECT_EQ(error_text([&] { (void)instance->field("rate"); }),
            "error: `rate` of machine `drift` is a scalar, not a field");
  EXPECT_EQ(error_text([&] { (void)instance->scalar("u"); }),
            "error: `u` of machine `drift` is a field, not a scalar");
}

TEST(Instance, ValuesOfAnotherElementAreRefused) {
  auto instance = interpreter_instance(test::drift<double>(), {2, 2});
  EXPECT_EQ(error_text([&] {
              instance->field("count").set(Cell{0, 0}, om::Constant(1.0));
            }),
            "error: a field of i32 can't hold a value of f64");
  const auto rate = *instance->machine().find_static("rate");
  EXPECT_EQ(error_text([&] { instance->set_scalar(rate, om::Constant(1.0f)); }),
            "error: scalar `rate` is f64, and can't hold a value of f32");
}

TEST(Instance, TheInterpreterRefusesSizesThatAreNone) {
  EXPECT_EQ(error_text([] { (void)interpreter_instance(test::drift<double>(), {4}); }),
            "error: the size `4` has 1 axis, the machine has 2");
  const auto text = error_text([] {
    (void)interpreter_instance(test::drift<double>(), {1 << 20, 1 << 20});
  });
  EXPECT_EQ(text.rfind("error: a grid of 1048576x1048576 cells needs ", 0), 0u) << text;
}

TEST(ForEachCell, VisitsAxisZeroFastest) {
  std::vector<Cell> cells;
  for_each_cell({2, 1, 2}, [&](const Cell& cell) { cells.push_back(cell); });
  EXPECT_EQ(cells, (std::vector<Cell>{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}}));
}

TEST(State, IsSavedAndPutBackBitForBit) {
  auto instance = interpreter_instance(test::drift<double>(), {5, 4});
  instance->run("bump");
  const auto before = summarise_fields(*instance);
  const auto saved = save(*instance);
  EXPECT_EQ(state_bytes(instance->machine(), {5, 4}),
            20 * (8 + 4 + 1) + 8.0 * (4 + 1 + 1 + 3 + 1) + 4);
  for (int i = 0; i < 3; ++i) instance->run("proceed");
  EXPECT_NE(summarise_fields(*instance)[0].hash, before[0].hash);
  EXPECT_EQ(instance->scalar("time"), 0.375);
  restore(*instance, saved);
  EXPECT_EQ(instance->scalar("time"), 0);
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_EQ(summarise_fields(*instance)[i].hash, before[i].hash);
}

// As docs/files.md says, cell by cell, the last one first: no order matters.
TEST(State, SummariesAreOfCoreCells) {
  auto instance = interpreter_instance(test::box(), {2, 2, 1});
  instance->run("ramp");
  const auto summary = summarise_fields(*instance)[0];
  EXPECT_EQ(summary.name, "f");
  EXPECT_EQ(summary.minimum, 0);
  EXPECT_EQ(summary.maximum, 11);
  EXPECT_EQ(summary.sum, 0 + 1 + 10 + 11);
  const float cells[] = {0, 1, 10, 11};
  std::uint64_t hash = 0;
  for (std::uint64_t i = 4; i-- > 0;) {
    std::uint64_t z = std::bit_cast<std::uint32_t>(cells[i]) + (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    hash += z ^ (z >> 31);
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016lx", hash);
  EXPECT_EQ(summary.hash, text);
}

TEST(State, AHashTellsCellsApart) {
  auto instance = interpreter_instance(test::box(), {3, 2, 2});
  instance->run("ramp");
  const auto f = instance->field("f");
  std::set<std::string> hashes = {summarise_fields(*instance)[0].hash};
  for_each_cell(f.size, [&](const Cell& cell) {
    const float before = f.at<float>(cell);
    f.at<float>(cell) = -before;  // of cell (0, 0, 0) the sign of a zero
    hashes.insert(summarise_fields(*instance)[0].hash);
    f.at<float>(cell) = before;
  });
  std::swap(f.at<float>(Cell{0, 0, 0}), f.at<float>(Cell{2, 1, 1}));
  hashes.insert(summarise_fields(*instance)[0].hash);
  EXPECT_EQ(hashes.size(), 1 + 12 + 1u);
}

TEST(State, AnyNanHashesAsAnyOther) {
  auto instance = interpreter_instance(test::box(), {2, 1, 1});
  const auto f = instance->field("f");
  f.at<float>(Cell{0, 0, 0}) = std::numeric_limits<float>::quiet_NaN();
  const auto one = summarise_fields(*instance)[0];
  f.at<float>(Cell{0, 0, 0}) = -std::numeric_limits<float>::signaling_NaN();
  const auto other = summarise_fields(*instance)[0];
  EXPECT_EQ(one.hash, other.hash);
  EXPECT_TRUE(std::isnan(one.minimum) && std::isnan(one.maximum) && std::isnan(one.sum));
}

// Rows, planes and more, of one chunk and of several, all numbers of partial sums.
TEST(State, SumsFollowTheFixedTree) {
  Rng rng(5);
  for (const Cell& size :
       std::vector<Cell>{{1, 1}, {5, 3}, {300, 7}, {256, 8}, {1025, 6}, {9, 33}}) {
    SCOPED_TRACE(testing::PrintToString(size));
    auto instance = interpreter_instance(test::drift<double>(), size);
    const auto u = instance->field("u"), count = instance->field("count");
    std::vector<std::uint64_t> cells, counts;
    for_each_cell(size, [&](const Cell& cell) {
      u.at<double>(cell) = std::ldexp(rng.unit() - 0.5, static_cast<int>(rng.between(-20, 20)));
      cells.push_back(om::Constant(u.at<double>(cell)).bits());
      count.at<std::int32_t>(cell) = static_cast<std::int32_t>(rng.bits());
      counts.push_back(om::Constant(static_cast<double>(count.at<std::int32_t>(cell))).bits());
    });
    const auto tree = [&](const std::vector<std::uint64_t>& items) {
      return reduce_tree(om::ReduceOp::sum, om::Element::f64, items, size).to_double();
    };
    const auto summaries = summarise_fields(*instance);
    EXPECT_EQ(summaries[0].sum, tree(cells));
    EXPECT_EQ(summaries[1].sum, tree(counts));
  }
}

TEST(State, ExtremesThatAreZeroArePositive) {
  auto instance = interpreter_instance(test::drift<double>(), {2, 1});
  const auto u = instance->field("u");
  for (const bool first : {false, true}) {
    u.at<double>(Cell{0, 0}) = first ? -0.0 : 0.0;
    u.at<double>(Cell{1, 0}) = first ? 0.0 : -0.0;
    const auto summary = summarise_fields(*instance)[0];
    EXPECT_FALSE(std::signbit(summary.minimum) || std::signbit(summary.maximum));
  }
}

/// Of a device, as far as copies for the host go: how many there are.
class Copying final : public Instance {
 public:
  explicit Copying(std::unique_ptr<Instance> instance) : instance_(std::move(instance)) {}
  std::size_t now = 0, most = 0;

  [[nodiscard]] const om::Machine& machine() const override { return instance_->machine(); }
  [[nodiscard]] const Cell& size() const override { return instance_->size(); }
  void run(std::string_view kernel) override { instance_->run(kernel); }
  FieldView field(om::StaticId id) override {
    copies_.insert(id);
    now = copies_.size();
    most = std::max(most, now);
    return instance_->field(id);
  }
  void free_copy(om::StaticId id) override {
    copies_.erase(id);
    now = copies_.size();
  }
  [[nodiscard]] om::Constant scalar(om::StaticId id) const override {
    return instance_->scalar(id);
  }
  void set_scalar(om::StaticId id, om::Constant value) override {
    instance_->set_scalar(id, value);
  }

 private:
  std::unique_ptr<Instance> instance_;
  std::set<om::StaticId> copies_;
};

TEST(State, IsCopiedFromADeviceOneFieldAtATime) {
  const test::Folder folder;
  Copying instance(interpreter_instance(test::drift<double>(), {5, 4}));
  const auto one_at_a_time = [&](const char* what, auto&& act) {
    SCOPED_TRACE(what);
    instance.most = 0;
    act();
    EXPECT_EQ(instance.most, 1u);
    EXPECT_EQ(instance.now, 0u);
  };
  SavedState saved;
  one_at_a_time("save", [&] { save(instance, saved); });
  one_at_a_time("restore", [&] { restore(instance, saved); });
  one_at_a_time("clear", [&] { instance.clear(find_field(instance.machine(), "u")); });
  one_at_a_time("find_nan", [&] { EXPECT_FALSE(find_nan(instance)); });
  one_at_a_time("summary", [&] { EXPECT_EQ(summarise_fields(instance).size(), 3u); });
  one_at_a_time("plot", [&] { write_plot(folder.path() / "u.png", instance, "u", 0); });
  one_at_a_time("snapshot", [&] { write_snapshot(folder.path() / "s.h5", instance, 0, {}); });
  one_at_a_time("load", [&] { (void)load_fields(folder.path() / "s.h5", instance); });
  one_at_a_time("checkpoint", [&] { write_checkpoint(folder.path() / "c", instance, 0, {}); });
}

TEST(State, FindsTheFirstNan) {
  auto instance = interpreter_instance(test::drift<double>(), {5, 4});
  EXPECT_FALSE(find_nan(*instance));
  instance->field("u").at<double>(Cell{4, 2}) = NAN;
  instance->field("u").at<double>(Cell{1, 3}) = NAN;
  const auto place = find_nan(*instance);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->name, "u");
  EXPECT_EQ(place->cell, (Cell{4, 2}));
  instance->run("flat");
  EXPECT_FALSE(find_nan(*instance));
  instance->set_scalar("total", NAN);
  EXPECT_FALSE(find_nan(*instance));  // a result, which may be anything
  instance->set_scalar("time_step", NAN);
  ASSERT_TRUE(find_nan(*instance));
  EXPECT_EQ(find_nan(*instance)->name, "time_step");
  EXPECT_TRUE(find_nan(*instance)->cell.empty());
}

}  // namespace
}  // namespace paraiso::runtime
