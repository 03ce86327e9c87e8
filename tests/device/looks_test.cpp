// What the host looks at, of fields that are on a device: who reads brings nothing back, who writes
// brings back that field alone, also after a copy that failed; NaN is found there, and a state is
// kept there.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/support/device/solver.hpp"
#include "tests/device/backends.hpp"

namespace paraiso {
namespace {

// --- one field, and how often it is copied ---

struct CountedMemory {
  static inline int brought = 0, fetched = 0;
  static inline bool fails = false;  // the next copy to or from the host

  CountedMemory() = default;
  template <class Device>
  CountedMemory(const Device&, std::size_t bytes)
      : there(std::make_shared<std::vector<char>>(bytes)) {}
  [[nodiscard]] std::size_t bytes() const { return there ? there->size() : 0; }
  void upload(const void* from, std::size_t bytes) {
    may_fail();
    ++brought;
    std::memcpy(there->data(), from, bytes);
  }
  void download(void* to, std::size_t bytes) const {
    may_fail();
    ++fetched;
    std::memcpy(to, there->data(), bytes);
  }
  void copy(const CountedMemory& from) { *there = *from.there; }
  /// What a kernel would do.
  void set(double value) {
    for (std::size_t at = 0; at < bytes(); at += sizeof value)
      std::memcpy(there->data() + at, &value, sizeof value);
  }

  static void may_fail() {
    if (std::exchange(fails, false)) throw std::runtime_error("the device is busy");
  }

  std::shared_ptr<std::vector<char>> there;
};

using LookedAt = paraiso_support::DeviceField<double, CountedMemory>;

struct NoDevice {};

LookedAt field_of_five() {
  const std::int64_t size[] = {5};
  CountedMemory::brought = CountedMemory::fetched = 0;
  CountedMemory::fails = false;
  return {NoDevice{}, paraiso_support::Grid<1>(size, {1}, {1}, 8)};
}

TEST(DeviceField, IsFetchedOnceAndNotBroughtBackIfItIsOnlyRead) {
  LookedAt field = field_of_five();
  field.memory().set(3);
  const LookedAt& read = field;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(read.cells()[i], 3);
  EXPECT_EQ(CountedMemory::fetched, 1);
  field.upload();
  EXPECT_EQ(CountedMemory::brought, 0);
  field.memory().set(4);
  EXPECT_EQ(read.cells()[4], 4);
  EXPECT_EQ(CountedMemory::fetched, 2);
}

TEST(DeviceField, IsBroughtBackIfItMayBeWritten) {
  LookedAt field = field_of_five(), other = field_of_five();
  field.cells()[2] = 7;
  (void)std::as_const(other).cells();
  paraiso_support::upload(field, other);
  EXPECT_EQ(CountedMemory::brought, 1);
  paraiso_support::upload(field, other);
  EXPECT_EQ(CountedMemory::brought, 1);
  EXPECT_EQ(std::as_const(field).cells()[2], 7);
}

TEST(DeviceField, MayBeWrittenOnAfterTheDeviceHasReadIt) {
  LookedAt field = field_of_five();
  double* const cells = field.cells();
  cells[2] = 7;
  (void)field.current();
  cells[3] = 8;
  field.upload();
  EXPECT_EQ(std::as_const(field).cells()[2], 7);
  EXPECT_EQ(std::as_const(field).cells()[3], 8);
}

TEST(DeviceField, FreesItsCopyWhenItIsBroughtBack) {
  LookedAt field = field_of_five();
  field.memory().set(3);
  EXPECT_EQ(std::as_const(field).cells()[2], 3);
  field.free_copy();
  EXPECT_EQ(CountedMemory::brought, 0);  // nobody has written
  field.cells()[2] = 7;
  CountedMemory::fails = true;
  EXPECT_THROW(field.free_copy(), std::runtime_error);
  EXPECT_EQ(std::as_const(field).cells()[2], 7);
  field.free_copy();
  EXPECT_EQ(CountedMemory::brought, 1);
  EXPECT_EQ(std::as_const(field).cells()[2], 7);
  EXPECT_EQ(std::as_const(field).cells()[3], 3);
  EXPECT_EQ(CountedMemory::fetched, 3);
}

TEST(DeviceField, GoesBackToWhatIsKept) {
  LookedAt one = field_of_five(), other = field_of_five();
  std::vector<CountedMemory> kept;
  one.memory().set(1);
  other.cells()[0] = 2;
  EXPECT_TRUE(paraiso_support::keep(NoDevice{}, kept, one, other));
  one.memory().set(5);
  other.cells()[0] = 5;
  std::swap(one, other);  // kernels may swap whole fields
  std::swap(one, other);
  paraiso_support::go_back(kept, one, other);
  EXPECT_EQ(std::as_const(one).cells()[0], 1);
  EXPECT_EQ(std::as_const(other).cells()[0], 2);
}

TEST(DeviceField, IsFetchedAgainWhereThatFailed) {
  LookedAt field = field_of_five();
  field.memory().set(3);
  EXPECT_EQ(std::as_const(field).cells()[4], 3);
  field.upload();
  field.memory().set(4);
  CountedMemory::fails = true;
  EXPECT_THROW((void)field.cells(), std::runtime_error);
  field.upload();  // nobody has written
  EXPECT_EQ(CountedMemory::brought, 0);
  EXPECT_EQ(std::as_const(field).cells()[4], 4);
  EXPECT_EQ(CountedMemory::fetched, 2);
}

TEST(DeviceField, KeepsWhatIsWrittenWhereItCouldNotBeBrought) {
  LookedAt field = field_of_five();
  double* const cells = field.cells();
  cells[2] = 7;
  for (const bool before_a_kernel : {true, false}) {
    CountedMemory::fails = true;
    if (before_a_kernel)
      EXPECT_THROW(field.upload(), std::runtime_error);
    else
      EXPECT_THROW((void)field.current(), std::runtime_error);
    EXPECT_EQ(std::as_const(field).cells()[2], 7);
    EXPECT_EQ(field.cells(), cells);
  }
  cells[3] = 8;
  field.upload();
  EXPECT_EQ(CountedMemory::brought, 1);
  EXPECT_EQ(CountedMemory::fetched, 1);
  EXPECT_EQ(std::as_const(field).cells()[2], 7);
  EXPECT_EQ(std::as_const(field).cells()[3], 8);
  EXPECT_EQ(CountedMemory::fetched, 2);  // from the device, which has both
}

TEST(DeviceField, KeepsWhatIsWrittenWhereAnotherFieldFails) {
  LookedAt one = field_of_five(), other = field_of_five();
  one.cells()[0] = 1;
  other.cells()[0] = 2;
  CountedMemory::fails = true;
  EXPECT_THROW(paraiso_support::upload(one, other), std::runtime_error);
  paraiso_support::upload(one, other);
  EXPECT_EQ(std::as_const(one).cells()[0], 1);
  EXPECT_EQ(std::as_const(other).cells()[0], 2);
}

TEST(DeviceScalars, KeepWhatIsWrittenWhereItCouldNotBeBrought) {
  CountedMemory::fails = false;
  paraiso_support::DeviceScalars<double, CountedMemory> scalars{NoDevice{}};
  scalars.upload();
  scalars.memory().set(3);
  CountedMemory::fails = true;
  EXPECT_THROW((void)scalars.host(), std::runtime_error);
  EXPECT_EQ(scalars.host(), 3);
  scalars.host() = 7;
  CountedMemory::fails = true;
  EXPECT_THROW(scalars.upload(), std::runtime_error);
  EXPECT_EQ(scalars.host(), 7);
  scalars.upload();
  EXPECT_EQ(scalars.host(), 7);
}

// --- a solver ---

constexpr const char* kText = R"(paraiso 1
machine looks dimension 1
static u local f64
  boundary 0 cyclic cyclic
static v local f32
  boundary 0 outflow outflow
static n local i32
  boundary 0 cyclic cyclic
static count global f64 = 0
kernel proceed step
  %u = load u
  %right = shift %u (1)
  %sum = add %u %right
  store u %sum
  %v = load v
  %left = shift %v (-1)
  %difference = sub %v %left
  store v %difference
  %count = load count
  %one = imm f64 1
  %more = add %count %one
  store count %more
end
end machine
)";

constexpr std::int64_t kCells = 70;

class Looks : public testing::TestWithParam<DeviceBackend> {
 protected:
  [[nodiscard]] std::unique_ptr<runtime::Instance> instance() const {
    const runtime::Backend& backend = GetParam().row();
    const om::Machine program =
        passes::prepare(om::parse(kText, "looks.om"), passes::Numbers::strict);
    auto made = runtime::compile(backend.make_plan(program, {}), quick_build(backend), backend)
                    .instance({70});
    for (const char* name : {"u", "v"}) fill(*made, name);
    return made;
  }
  static om::StaticId id(const runtime::Instance& of, const char* name) {
    return *of.machine().find_static(name);
  }
  static void fill(runtime::Instance& of, const char* name) {
    const auto view = of.field(id(of, name));
    for (std::int64_t i = 0; i < kCells; ++i)
      view.set(std::vector{i}, om::Constant::from_double(view.element, static_cast<double>(i * i)));
  }
  static std::vector<double> read(runtime::Instance& of, const char* name) {
    const auto view = of.look(id(of, name));
    std::vector<double> cells;
    for (std::int64_t i = 0; i < kCells; ++i) cells.push_back(view.get(std::vector{i}).to_double());
    return cells;
  }
  static void spoil(const runtime::FieldView& view) {
    view.set(std::vector<std::int64_t>{40}, om::Constant::from_double(view.element, 1e6));
  }
};

TEST_P(Looks, WhatIsWrittenWhereOneOnlyReadsIsLost) {
  PARAISO_NEEDS_BACKEND(GetParam());
  const auto spoilt = instance(), sound = instance();
  for (const auto& one : {spoilt.get(), sound.get()}) one->run("proceed");
  spoil(spoilt->look(id(*spoilt, "u")));
  spoil(spoilt->field(id(*spoilt, "v")));
  for (const auto& one : {spoilt.get(), sound.get()}) one->run("proceed");
  EXPECT_EQ(read(*spoilt, "u"), read(*sound, "u"));
  EXPECT_NE(read(*spoilt, "v"), read(*sound, "v"));
}

TEST_P(Looks, NanIsFoundInItsField) {
  PARAISO_NEEDS_BACKEND(GetParam());
  const auto one = instance();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto first = [&](const char* name) { return one->first_nan(id(*one, name)); };
  for (const char* name : {"u", "v", "n"}) EXPECT_FALSE(first(name)) << name;
  const auto put_nan = [&](std::int64_t cell) {
    one->field(id(*one, "v")).at<float>(std::vector{cell}) = static_cast<float>(nan);
  };
  put_nan(41);
  ASSERT_TRUE(first("v"));
  EXPECT_EQ(first("v")->cell, om::Cell{41});
  put_nan(7);
  EXPECT_EQ(first("v")->cell, om::Cell{7});
  for (const char* name : {"u", "n"}) EXPECT_FALSE(first(name)) << name;
  one->run("proceed");  // which reads its neighbour to the right
  EXPECT_EQ(first("v")->cell, om::Cell{6});
  const auto last = one->field(id(*one, "u"));
  last.at<double>(std::vector<std::int64_t>{kCells - 1}) = nan;
  EXPECT_EQ(first("u")->cell, om::Cell{kCells - 1});
}

TEST_P(Looks, InfinitiesAreNoNan) {
  PARAISO_NEEDS_BACKEND(GetParam());
  const auto one = instance();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto view = one->field(id(*one, "u"));
  view.at<double>(std::vector<std::int64_t>{3}) = infinity;
  view.at<double>(std::vector<std::int64_t>{4}) = -infinity;
  EXPECT_FALSE(one->first_nan(id(*one, "u")));
  one->run("proceed");  // their sum
  EXPECT_EQ(one->first_nan(id(*one, "u"))->cell, om::Cell{4});
}

TEST_P(Looks, AStateIsKeptToGoBackTo) {
  PARAISO_NEEDS_BACKEND(GetParam());
  const auto one = instance();
  one->run("proceed");
  const auto u = read(*one, "u"), v = read(*one, "v");
  one->keep();
  for (int step = 0; step < 3; ++step) one->run("proceed");
  EXPECT_NE(read(*one, "u"), u);
  EXPECT_EQ(one->scalar("count"), 4);
  spoil(one->field(id(*one, "u")));
  one->go_back();
  EXPECT_EQ(read(*one, "u"), u);
  EXPECT_EQ(read(*one, "v"), v);
  EXPECT_EQ(one->scalar("count"), 1);
  one->run("proceed");
  EXPECT_EQ(one->scalar("count"), 2);
}

INSTANTIATE_TEST_SUITE_P(Of, Looks, testing::ValuesIn(device_backends()),
                         [](const auto& info) { return std::string(info.param.label); });

}  // namespace
}  // namespace paraiso
