// One of several processes that a launcher started: what no run does on purpose.
//   pieces   messages longer than a piece, of any length, arrive as they were sent
//   carried  so do those that come while a rank computes, long and short
//   fails    a rank can't go on while rank 0 waits for another
//   moves    cuts move before every step, and no bit depends on it
#include <chrono>
#include <cstdio>
#include <numeric>
#include <optional>
#include <string_view>
#include <thread>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/backend/backend.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/runtime/ranks/divided_instance.hpp"
#include "paraiso/runtime/transport/world.hpp"
#include "tests/support/random_tree.hpp"

namespace {

using paraiso::runtime::Bytes;
using paraiso::runtime::Transport;

Bytes message(std::size_t length) {
  Bytes bytes(length);
  std::iota(bytes.begin(), bytes.end(), char{1});
  return bytes;
}

int send_pieces(Transport& own) {
  int wrong = 0;
  for (std::size_t length = 0; length < 50; ++length) {
    own.send((own.rank() + 1) % own.ranks(), message(length));
    if (own.receive((own.rank() + own.ranks() - 1) % own.ranks()) != message(length)) ++wrong;
  }
  if (own.rank() == 0) std::printf("%d wrong\n", wrong);
  return wrong;
}

/// Messages of up to so many pieces, some of which a rank has when it asks for them.
int send_carried(Transport& own, std::size_t piece) {
  int wrong = 0;
  const int next = (own.rank() + 1) % own.ranks(),
            last = (own.rank() + own.ranks() - 1) % own.ranks();
  for (std::size_t round = 0; round < 20; ++round) {
    const std::size_t lengths[] = {10, piece * (round % 4), piece * 3 / 2, 24};
    for (const std::size_t length : lengths) own.send(next, message(length));
    own.carry_on(round % 5 != 4);
    std::this_thread::sleep_for(std::chrono::milliseconds(round % 3));
    for (const std::size_t length : lengths)
      if (own.receive(last) != message(length)) ++wrong;
  }
  if (own.rank() == 0) std::printf("%d wrong\n", wrong);
  return wrong;
}

int fail(Transport& own) {
  try {
    if (own.rank() == 1) throw paraiso::Error("the disk is full").with_hint("make room");
    (void)own.receive(own.ranks() - 1);  // which sends nothing
  } catch (...) {
    const auto failure = paraiso::runtime::failure_in_flight(own.rank());
    own.abandon(failure);
    if (own.rank() == 0)
      std::fprintf(stderr, "%s\n", paraiso::runtime::error_of(failure, own).what());
  }
  return 1;
}

constexpr const char* kProgram = R"(paraiso 1
machine flow dimension 2

static u local f64
  boundary 0 cyclic cyclic
  boundary 1 reflect + outflow
static n local i32
  boundary 0 cyclic cyclic
  boundary 1 reflect + outflow
static total global f64

kernel begin initial
  %0: local i64 = load_index 0
  %1: local i64 = load_index 1
  %2: local i64 = mul %0 %1
  %3: local f64 = cast %2 f64
  store u %3
  %4: local i32 = cast %0 i32
  store n %4
end

kernel proceed step
  %0: local f64 = load u
  %1: local f64 = shift %0 (1, 0)
  %2: local f64 = shift %0 (0, -2)
  %3: local f64 = add %1 %2
  %4: local f64 = sqrt %3
  store u %4
  %5: global f64 = reduce sum %4
  store total %5
  %6: local i32 = load n
  %7: local i32 = shift %6 (-1, 1)
  store n %7
end

end machine
)";

int move(paraiso::runtime::World& world) {
  namespace om = paraiso::om;
  using namespace paraiso::runtime;
  namespace plan = paraiso::plan;
  const om::Cell size = {11, 14};
  std::optional<Library> library;
  world.in_turns([&] {
    const om::Machine program =
        paraiso::passes::prepare(om::parse(kProgram, "flow"), paraiso::passes::Numbers::fma);
    library = compile(plan::plan_program(program, plan::default_schedule(program)));
  });
  const auto ranks = divided_instance(*library, size, om::even_division(size, world.ranks()), 1,
                                      world.transport(), [&] { world.agree({}); });
  if (ranks == nullptr) return 0;
  const auto whole = library->instance(size);
  whole->run("begin");
  ranks->run("begin");
  paraiso::Rng rng(3);
  int wrong = 0, moves = 0;
  for (int step = 0; step < 200; ++step) {
    const om::Orthotree next = paraiso::test::random_move(rng, ranks->tree(), size);
    if (next != ranks->tree() && ranks->move_to(next)) ++moves;
    whole->run("proceed");
    ranks->run("proceed");
    if (save(*ranks).statics != save(*whole).statics) ++wrong;
  }
  std::printf("%d moves, %d wrong\n", moves, wrong);
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  const auto launch = paraiso::runtime::launch_of_environment();
  if (!launch) return 2;
  constexpr std::size_t kPiece = 100000;
  paraiso::runtime::World world(*launch, what == "carried" ? kPiece : 8);
  if (what == "moves") return world.leave(move(world));
  world.agree({{"work", std::string(what)}});
  Transport& own = world.transport();
  return world.leave(what == "pieces"    ? send_pieces(own)
                     : what == "carried" ? send_carried(own, kPiece)
                                         : fail(own));
}
