// The processes of MPI, and what parts of a grid ask of it.
// Gives: Peers in paraiso_mpi. Needs: meanwhile.hpp, and MPI; of all that is generated this alone
// includes <mpi.h>.
#pragma once

// MPI 3 has no C++ interface of its own any more.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "paraiso/support/mpi/meanwhile.hpp"

namespace paraiso_mpi {

/// Who else there is, and messages of bytes to them, of any length. Nothing is ever summed by MPI
/// whose order shows in its bits.
class Peers {
 public:
  explicit Peers(MPI_Comm world) {
    MPI_Comm_dup(world, &world_);  // so that no message meets one of the caller's
    MPI_Comm_rank(world_, &rank_);
    MPI_Comm_size(world_, &count_);
    MPI_Comm here;
    MPI_Comm_split_type(world_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &count_here_);
    MPI_Comm_free(&here);
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    any_thread_ = level >= MPI_THREAD_SERIALIZED;
  }
  ~Peers() { MPI_Comm_free(&world_); }
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;

  int rank() const { return rank_; }
  int count() const { return count_; }
  int count_here() const { return count_here_; }  // on this host

  // Buffers are to stay where they are until `wait`.
  void start_sending(int to, std::vector<char>& data) {
    in_pieces(data.data(), data.size(), [&](char* first, int bytes) {
      MPI_Isend(first, bytes, MPI_BYTE, to, 0, world_, &requests_.emplace_back());
    });
  }
  void start_receiving(int from, std::vector<char>& data) {
    in_pieces(data.data(), data.size(), [&](char* first, int bytes) {
      MPI_Irecv(first, bytes, MPI_BYTE, from, 0, world_, &requests_.emplace_back());
    });
  }
  /// This process computes: what has been started moves on meanwhile, if MPI can be called by
  /// another thread. Before `wait`, nothing else here may be called.
  void carry_on() {
    if (any_thread_ && !requests_.empty()) meanwhile_.start();
  }
  void wait() {
    meanwhile_.stop();
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
  }

  void send(int to, const void* data, std::size_t size) const {
    in_pieces(static_cast<const char*>(data), size, [&](const char* first, int bytes) {
      MPI_Send(first, bytes, MPI_BYTE, to, 1, world_);
    });
  }
  void receive(int from, void* data, std::size_t size) const {
    in_pieces(static_cast<char*>(data), size, [&](char* first, int bytes) {
      MPI_Recv(first, bytes, MPI_BYTE, from, 1, world_, MPI_STATUS_IGNORE);
    });
  }
  /// All get what `from` has.
  void broadcast(void* data, std::size_t size, int from = 0) const {
    in_pieces(static_cast<char*>(data), size,
              [&](char* first, int bytes) { MPI_Bcast(first, bytes, MPI_BYTE, from, world_); });
  }
  /// Of each process `bytes`, in turn.
  std::vector<char> gather_all(const void* own, std::size_t bytes) const {
    std::vector<char> all(bytes * static_cast<std::size_t>(count_));
    const int length = static_cast<int>(bytes);
    MPI_Allgather(own, length, MPI_BYTE, all.data(), length, MPI_BYTE, world_);
    return all;
  }
  bool any(bool here) const {
    int answer = here;
    MPI_Allreduce(MPI_IN_PLACE, &answer, 1, MPI_INT, MPI_MAX, world_);
    return answer != 0;
  }
  std::uint64_t sum(std::uint64_t own) const {
    MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_UINT64_T, MPI_SUM, world_);
    return own;
  }

 private:
  bool move_on() {
    int all = 0;
    MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &all, MPI_STATUSES_IGNORE);
    return all == 0;
  }
  /// Calls start(data, bytes) for pieces that MPI can count in an `int`.
  template <class Data, class Start>
  static void in_pieces(Data* data, std::size_t size, const Start& start) {
    constexpr std::size_t most = std::size_t{1} << 30;
    for (std::size_t first = 0; first < size; first += most)
      start(data + first, static_cast<int>(std::min(most, size - first)));
  }

  MPI_Comm world_ = MPI_COMM_NULL;
  int rank_ = 0, count_ = 1, count_here_ = 1;
  bool any_thread_ = false;
  std::vector<MPI_Request> requests_;
  Meanwhile meanwhile_{[this] { return move_on(); }};  // what it uses comes before it
};

}  // namespace paraiso_mpi
