// Long messages of MPI move only while it is called: they do while ranks compute, too.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <deque>
#include <list>
#include <mutex>

#include "paraiso/runtime/transport/mpi_functions.h"
#include "paraiso/runtime/transport/mpi_transport.hpp"
#include "tests/runtime/two_ranks.hpp"

namespace paraiso::runtime {
namespace {

using Clock = std::chrono::steady_clock;
using Duration = std::chrono::duration<double>;

/// As MPI between hosts: a long message goes piece by piece, once its receiver has asked for it. A
/// piece takes its time, and goes when both have called since the one before.
class Wire {
 public:
  static constexpr std::size_t kLong = 1000;  // bytes
  static constexpr int kPieces = 8;

  struct Parcel {
    int from, to, tag;
    const char* sent;
    std::size_t bytes;
    std::vector<char> kept = {};  // of a short one, which need not wait
    char* received = nullptr;
    int pieces = kPieces;
    bool is_asked_for = false, called[2] = {};
    Clock::time_point next = {};
    bool is_sent = false, is_received = false, is_taken = false;
  };

  Duration piece{};
  bool any_thread = true;

  Parcel* send(const void* data, int count, int from, int to, int tag) {
    const std::lock_guard lock(mutex_);
    Parcel& parcel = parcels_.emplace_back(
        Parcel{from, to, tag, static_cast<const char*>(data), static_cast<std::size_t>(count)});
    if (parcel.bytes >= kLong) return &parcel;
    parcel.kept.assign(parcel.sent, parcel.sent + count);
    parcel.sent = parcel.kept.data();
    parcel.pieces = 0;
    parcel.is_sent = true;
    return &parcel;
  }
  /// The first that nobody has asked for.
  Parcel* arrived(int from, int to, int tag) {
    const std::lock_guard lock(mutex_);
    move(to);
    for (Parcel& parcel : parcels_)
      if (parcel.to == to && parcel.tag == tag && (from < 0 || parcel.from == from) &&
          !parcel.is_asked_for)
        return &parcel;
    return nullptr;
  }
  Parcel* start_receiving(void* data, int from, int to, int tag) {
    Parcel* const parcel = arrived(from, to, tag);
    const std::lock_guard lock(mutex_);
    parcel->is_asked_for = true;
    parcel->received = static_cast<char*>(data);
    parcel->next = Clock::now();
    return parcel;
  }
  bool is_done(Parcel& parcel, int rank) {
    const std::lock_guard lock(mutex_);
    move(rank);
    if (parcel.from == rank) return parcel.is_sent;
    parcel.is_taken = parcel.is_received;
    return parcel.is_taken;
  }
  /// The pieces of a long message to a rank that have still to come; all, if none has been sent.
  int left(int to) {
    const std::lock_guard lock(mutex_);
    for (const Parcel& parcel : parcels_)
      if (parcel.to == to && parcel.bytes >= kLong && !parcel.is_taken) return parcel.pieces;
    return kPieces;
  }

 private:
  /// `rank` calls.
  void move(int rank) {
    const auto now = Clock::now();
    for (Parcel& one : parcels_) {
      if (!one.is_asked_for || one.is_received) continue;
      one.called[rank] = true;
      if (one.pieces > 0 && one.called[0] && one.called[1] && now >= one.next) {
        --one.pieces;
        one.called[0] = one.called[1] = false;
        one.next = now + std::chrono::duration_cast<Clock::duration>(piece);
      }
      if (one.pieces > 0) continue;
      if (one.bytes > 0) std::memcpy(one.received, one.sent, one.bytes);
      one.is_sent = one.is_received = true;
    }
  }

  std::mutex mutex_;
  std::list<Parcel> parcels_;
};

Wire* wire = nullptr;

template <int rank>
struct Mpi {
  static int any_thread() { return wire->any_thread ? 1 : 0; }
  static void* send(const void* bytes, int count, int to, int tag) {
    return wire->send(bytes, count, rank, to, tag);
  }
  static int done(void* request) {
    return wire->is_done(*static_cast<Wire::Parcel*>(request), rank) ? 1 : 0;
  }
  static int arrived(int* from, int tag) {
    const Wire::Parcel* const parcel = wire->arrived(*from, rank, tag);
    if (parcel == nullptr) return -1;
    *from = parcel->from;
    return static_cast<int>(parcel->bytes);
  }
  static void* start_receiving(void* bytes, int /*count*/, int from, int tag) {
    return wire->start_receiving(bytes, from, rank, tag);
  }
  static void receive(void* bytes, int count, int from, int tag) {
    void* const request = start_receiving(bytes, count, from, tag);
    while (done(request) == 0) std::this_thread::yield();
  }
  static constexpr paraiso_mpi_functions functions = {
      nullptr, nullptr, nullptr,         any_thread, send,   done,
      arrived, receive, start_receiving, nullptr,    nullptr};
};

/// Notes how much of a long message had still to come when it was asked for.
class Noting : public MpiTransport {
 public:
  using MpiTransport::MpiTransport;
  [[nodiscard]] Bytes receive(int from) override {
    const int left = wire->left(rank());
    Bytes message = MpiTransport::receive(from);
    if (message.size() >= Wire::kLong)
      late = std::max(late, static_cast<double>(left) / Wire::kPieces);
    return message;
  }

  double late = 0;
};

/// Two ranks by that MPI, whose messages of a row of cells take so many seconds if both call.
struct Pair {
  Pair(const Library& library, double seconds, bool any_thread) {
    net.piece = Duration(seconds) / Wire::kPieces;
    net.any_thread = any_thread;
    wire = &net;
    first.emplace(Mpi<0>::functions, 0, hosts, kPiece);
    second.emplace(Mpi<1>::functions, 1, hosts, kPiece);
    ranks.emplace(library, *first, *second);
  }
  TwoRanks::Times steps() { return ranks->steps(first->late); }

  static constexpr std::size_t kPiece = 1 << 20;
  std::vector<std::string> hosts = {"here", "there"};
  Wire net;
  std::optional<Noting> first, second;
  std::optional<TwoRanks> ranks;
};

TEST(CarriedMessages, AreThereWhenRanksHaveComputed) {
  const om::Machine program = star();
  const Library blocking = compiled(program, plan::kBlocking);
  const Library overlapped = compiled(program, plan::kOverlapped);
  const double step = Pair(blocking, 0, true).steps().least_step, takes = step / 4;
  const TwoRanks::Times waits = Pair(blocking, takes, true).steps(),
                        alone = Pair(overlapped, takes, false).steps(),
                        hides = Pair(overlapped, takes, true).steps();
  std::printf(
      "the fastest step: %.2f ms; messages of %.2f ms: blocking %.2f, overlapped %.2f without the "
      "thread, "
      "%.2f with it\n",
      1e3 * step, 1e3 * takes, 1e3 * waits.least_step, 1e3 * alone.least_step,
      1e3 * hides.least_step);
  // Of times nothing is expected: they differ from run to run.
  EXPECT_EQ(waits.least_late, 1);
  EXPECT_EQ(alone.least_late, 1);
  EXPECT_LT(hides.least_late, 0.5);
}

}  // namespace
}  // namespace paraiso::runtime
