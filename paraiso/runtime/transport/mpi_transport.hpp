// MpiTransport: messages between processes by MPI. Gives: MpiTransport. Needs: mpi_functions,
// meanwhile.
#pragma once

#include <deque>
#include <map>
#include <optional>

#include "paraiso/runtime/transport/spare_buffers.hpp"
#include "paraiso/runtime/transport/transport.hpp"
#include "paraiso/support/mpi/meanwhile.hpp"

struct paraiso_mpi_functions;

namespace paraiso::runtime {

/// To be used by one thread. Who waits asks MPI again and again: at first at once, and after a
/// while from time to time, since the processor may be needed by others. Who computes lets another
/// thread ask, if MPI allows it.
class MpiTransport : public Transport {
 public:
  /// `hosts`: of all ranks. `piece`: bytes of a message at once. MPI has been started.
  MpiTransport(const paraiso_mpi_functions& mpi, int rank, std::vector<std::string> hosts,
               std::size_t piece);

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int ranks() const override { return static_cast<int>(hosts_.size()); }
  [[nodiscard]] std::string host(int rank) const override {
    return hosts_[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] Bytes buffer(std::size_t bytes) override;
  void send(int to, Bytes message) override;
  /// Only rank 0 is told that another has failed.
  [[nodiscard]] Bytes receive(int from) override;
  void carry_on(bool awaits) override;
  [[nodiscard]] double waited() const override { return waited_; }
  void release(Bytes buffer) override;
  void abandon(const Failure& why) noexcept override;

  /// Whether messages may be under way that nobody will receive.
  [[nodiscard]] bool is_abandoned() const { return abandoned_; }
  /// From now on a SIGINT or SIGTERM to this process, which is not rank 0, is one to rank 0.
  static void pass_signals_on();
  /// Until all that was sent has been taken over.
  void flush();

 private:
  /// A message, or a piece of a long one, that MPI may still read.
  struct Sent {
    void* request;
    std::shared_ptr<Bytes> message;
  };

  /// A message, or a piece of a long one, that is being received and that nobody asked for yet.
  struct Early {
    Bytes message;
    void* request = nullptr;
  };

  void send(int to, int tag, Bytes message);
  void start_receiving(int from, int count);
  [[nodiscard]] bool move_on();
  void collect_sent();
  void throw_if_told();
  void pass_signal_on();
  void heed_signals();
  [[nodiscard]] Bytes take(int from, int tag, int count);
  template <class Ready>
  void wait_until(const Ready& ready, int tag);
  [[nodiscard]] Bytes next_piece(int from, int tag);
  [[nodiscard]] Bytes receive(int from, int tag);

  const paraiso_mpi_functions& mpi_;
  int rank_;
  std::vector<std::string> hosts_;
  std::size_t piece_;
  std::deque<Sent> sent_;
  std::map<int, std::deque<Early>> early_;  // by sender
  bool awaits_ = false;
  SpareBuffers spare_;
  double waited_ = 0;
  unsigned received_ = 0;
  bool abandoned_ = false;
  const bool any_thread_;
  paraiso_mpi::Meanwhile meanwhile_{[this] { return move_on(); }};  // what it uses comes before it
};

}  // namespace paraiso::runtime
