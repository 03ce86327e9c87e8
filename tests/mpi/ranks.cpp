// One of several processes that a launcher started: what no run does on purpose.
//   pieces   messages longer than a piece, of any length, arrive as they were sent
//   fails    a rank can't go on while rank 0 waits for another
#include <cstdio>
#include <numeric>
#include <string_view>

#include "paraiso/runtime/transport/world.hpp"

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

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  const auto launch = paraiso::runtime::launch_of_environment();
  if (!launch) return 2;
  paraiso::runtime::World world(*launch, 8);
  world.agree({{"work", std::string(what)}});
  return world.leave(what == "pieces" ? send_pieces(world.transport()) : fail(world.transport()));
}
