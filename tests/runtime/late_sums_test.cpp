// Reductions that no cell waits for: ranks send their shares without waiting, and the results are
// those of one rank whenever somebody asks for them.
#include <gtest/gtest.h>

#include <thread>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/backend/backend.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/runtime/ranks/divided_instance.hpp"

namespace paraiso::runtime {
namespace {

/// Counts the messages that a rank has waited for.
class Counted : public Transport {
 public:
  explicit Counted(Transport& end) : end_(end) {}
  [[nodiscard]] int rank() const override { return end_.rank(); }
  [[nodiscard]] int ranks() const override { return end_.ranks(); }
  [[nodiscard]] std::string host(int rank) const override { return end_.host(rank); }
  [[nodiscard]] Bytes buffer(std::size_t bytes) override { return end_.buffer(bytes); }
  void send(int to, Bytes message) override { end_.send(to, std::move(message)); }
  [[nodiscard]] Bytes receive(int from) override {
    Bytes message = end_.receive(from);
    ++waits;
    return message;
  }
  void release(Bytes buffer) override { end_.release(std::move(buffer)); }
  void abandon(const Failure& why) noexcept override { end_.abandon(why); }

  int waits = 0;

 private:
  Transport& end_;
};

/// `total` is read by nobody, `most` by the next step, `mean` by this one where `awaited`.
om::Machine program(bool awaited) {
  return passes::prepare(
      om::parse(std::string("paraiso 1\nmachine sums dimension 2\nstatic u local f64\n"
                            "boundary 0 cyclic cyclic\nboundary 1 reflect + outflow\n"
                            "static total global f64\nstatic most global f64\n"
                            "static mean global f64\n"
                            "kernel begin initial\n%0 = load_index 1\n%1 = cast %0 f64\n"
                            "%2 = load_index 0\n%3 = cast %2 f64\n%4 = sin %3\n%5 = add %4 %1\n"
                            "store u %5\nend\n"
                            "kernel proceed step\n%0 = load u\n%1 = shift %0 (0, 1)\n"
                            "%2 = add %0 %1\n%3 = load most\n%4 = broadcast %3\n"
                            "%5 = madd %4 %2 %1\n%6 = cos %5\n") +
                (awaited ? "%7 = reduce sum %6\n%8 = broadcast %7\n%9 = add %6 %8\nstore u %9\n"
                           "store mean %7\n"
                         : "store u %6\n") +
                "%10 = reduce sum %5\n%11 = load_size 1\n%12 = cast %11 f64\n%13 = div %10 %12\n"
                "store total %13\n%14 = reduce max %6\nstore most %14\nend\nend machine\n"),
      passes::Numbers::fma);
}

/// The same, where the next step reads `mean`, which this one does not change.
om::Machine reading_mean() {
  std::string text = om::print(program(false));
  for (std::size_t at; (at = text.find("load most")) != std::string::npos;)
    text.replace(at, 9, "load mean");
  return om::parse(text);
}

/// Two ranks that are driven, and the whole beside them.
struct Beside {
  explicit Beside(const Library& library)
      : whole(library.instance(kSize)),
        other([&] { (void)divided_instance(library, kSize, kTree, 1, second, [] {}); }),
        parts(divided_instance(library, kSize, kTree, 1, first, [] {})) {}
  ~Beside() {
    parts.reset();
    other.join();
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  void run(const char* kernel) const {
    whole->run(kernel);
    parts->run(kernel);
  }
  void expect_same() const { EXPECT_EQ(save(*parts).statics, save(*whole).statics); }

  static inline const om::Cell kSize = {300, 12};
  static inline const om::Orthotree kTree = om::regular_division(kSize, {1, 2});
  std::vector<std::unique_ptr<Transport>> ends = in_process_ranks(2);
  Counted first{*ends[0]}, second{*ends[1]};
  std::unique_ptr<Instance> whole;
  std::thread other;
  std::unique_ptr<RankedInstance> parts;
};

Library compiled(const om::Machine& machine) {
  return compile(plan::plan_program(machine, plan::default_schedule(machine)),
                 {.optimization = "-O1"});
}

TEST(LateSums, AreWaitedForByNobody) {
  const auto waits_of_a_step = [](bool awaited) {
    const Library library = compiled(program(awaited));
    const Beside beside(library);
    beside.run("begin");
    beside.run("proceed");
    beside.parts->finish();
    const std::pair before{beside.first.waits, beside.second.waits};
    beside.run("proceed");
    beside.parts->finish();
    return std::pair{beside.first.waits - before.first, beside.second.waits - before.second};
  };
  // The first rank waits at last for the word that the other is done; the other for its command and
  // a row of cells, and before for another command and `most`, which the first knew with that word.
  EXPECT_EQ(waits_of_a_step(false), std::pair(1, 4));
  // One sum that cells wait for: a share, and the result.
  EXPECT_EQ(waits_of_a_step(true), std::pair(2, 5));
}

// As long as nobody asks for a result, the first rank goes on before the others have ended.
TEST(LateSums, AreTakenWhenSomebodyAsks) {
  const Library library = compiled(reading_mean());
  const Beside beside(library);
  beside.run("begin");
  const int before = beside.first.waits;
  for (int step = 0; step < 5; ++step) beside.run("proceed");
  EXPECT_EQ(beside.first.waits, before);
  EXPECT_EQ(beside.parts->scalar("total"), beside.whole->scalar("total"));
  EXPECT_EQ(beside.first.waits, before + 6);  // the words of all six kernels
  beside.run("proceed");
  beside.expect_same();
}

/// Ranks are told once of several steps, none of which reads what sums of the one before give; then
/// only the sums of the last are put together.
TEST(LateSums, OfManyStepsAreThoseOfTheLast) {
  const Library library = compiled(reading_mean());
  const Beside beside(library);
  beside.run("begin");
  beside.parts->finish();
  const std::pair before{beside.first.waits, beside.second.waits};
  EXPECT_EQ(beside.parts->take_steps("proceed", 5, 0).value_or(StepsTaken{}).count, 5);
  for (int step = 0; step < 5; ++step) beside.whole->run("proceed");
  beside.parts->finish();
  // The word of the other, and its command; and halos.
  EXPECT_EQ(beside.first.waits - before.first, 1);
  EXPECT_EQ(beside.second.waits - before.second, 1 + 5);
  EXPECT_EQ(beside.parts->scalar("total"), beside.whole->scalar("total"));
  beside.expect_same();
  beside.run("proceed");
  beside.expect_same();
}

TEST(LateSums, AreReadByNoneOfManySteps) {
  const Library library = compiled(program(false));  // each reads `most` of the one before
  const Beside beside(library);
  EXPECT_FALSE(beside.parts->take_steps("proceed", 5, 0));
  EXPECT_FALSE(beside.parts->take_steps("begin", 5, 0));
}

TEST(LateSums, SeveralOfOneGroupTakeOneMessage) {
  const Library library = compiled(passes::prepare(
      om::parse("paraiso 1\nmachine sums dimension 2\nstatic u local f64\n"
                "boundary 0 cyclic cyclic\nboundary 1 cyclic cyclic\n"
                "kernel begin initial\n%0 = load_index 1\n%1 = cast %0 f64\n%2 = sin %1\n"
                "store u %2\nend\n"
                "kernel proceed step\n%0 = load u\n%1 = mul %0 %0\n%2 = reduce sum %0\n"
                "%3 = reduce sum %1\n%4 = reduce max %0\n%5 = add %2 %3\n%6 = mul %5 %4\n"
                "%7 = broadcast %6\n%8 = add %0 %7\nstore u %8\nend\nend machine\n"),
      passes::Numbers::fma));
  const Beside beside(library);
  beside.run("begin");
  beside.parts->finish();
  const auto before = beside.parts->traffic();
  beside.run("proceed");
  const auto after = beside.parts->traffic();
  EXPECT_EQ(after.messages - before.messages, 2);  // the other's shares, and the results
  // Of six rows of twelve, two nodes of each sum, and the maximum; three results.
  EXPECT_EQ(after.bytes - before.bytes, (2 + 2 + 1) * 8 + 3 * 8);
  beside.expect_same();
}

TEST(LateSums, AreThoseOfOneRankWheneverTheyAreRead) {
  for (const bool awaited : {false, true}) {
    const Library library = compiled(program(awaited));
    const Beside beside(library);
    beside.run("begin");
    for (int step = 0; step < 4; ++step) beside.run("proceed");
    beside.expect_same();
    beside.run("proceed");
    beside.parts->keep();
    beside.whole->keep();
    beside.run("proceed");
    EXPECT_EQ(beside.parts->scalar("total"), beside.whole->scalar("total"));
    for (Instance* one : {beside.whole.get(), static_cast<Instance*>(beside.parts.get())})
      one->go_back();
    beside.expect_same();
    for (int step = 0; step < 3; ++step) beside.run("proceed");
    ASSERT_TRUE(beside.parts->move_to(om::regular_division(Beside::kSize, {2, 1})));
    beside.run("proceed");
    beside.expect_same();
    beside.run("proceed");
    for (Instance* one : {beside.whole.get(), static_cast<Instance*>(beside.parts.get())})
      one->set_scalar("total", 3);
    beside.run("proceed");
    beside.expect_same();
  }
}

}  // namespace
}  // namespace paraiso::runtime
