// A solver's part of a grid that the processes of MPI share: it sends and receives ghost cells, and
// reduces over the whole grid with the bits of one process.
// Gives: PartField, PartKernel, PartRules, Part in paraiso_mpi. Needs: parts.hpp, MPI.
#pragma once

// MPI 3 has no C++ interface of its own any more.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <cstdio>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "paraiso/support/mpi/parts.hpp"

namespace paraiso_mpi {

using paraiso_support::chunk_cells;
using paraiso_support::Reducing;

template <class Solver>
struct PartField {
  void* (*cells)(Solver& solver);  // the address of core cell 0
  std::size_t bytes;               // of a cell
};
template <class Solver, int D>
struct PartKernel {
  void (Solver::*run)();
  bool receives;  // it computes while messages are under way, and then asks for them
  std::vector<Reading<D>> reads;
  std::vector<int> changes;  // the fields whose ghost cells are others when it has run
};
/// What is the same in all parts of any grid.
template <class Solver, int D>
struct PartRules {
  std::vector<PartField<Solver>> fields;
  std::vector<FieldSides<D>> sides;  // of each field
  std::vector<PartKernel<Solver, D>> kernels;
};

/// Each process makes one; all call the same functions in the same order, on the thread that has
/// initialised MPI.
template <class SolverClass, int D>
class Part {
 public:
  using Solver = SolverClass;
  using Rules = PartRules<Solver, D>;

  /// Throws std::invalid_argument, on all processes, if there are more of them than cells.
  Part(Rules rules, const std::int64_t (&whole)[D], int threads, MPI_Comm world)
      : rules_(std::move(rules)) {
    MPI_Comm_rank(world, &rank_);
    MPI_Comm_size(world, &ranks_);
    std::copy(whole, whole + D, whole_.begin());
    divide_grid();
    MPI_Comm_dup(world, &world_);  // so that no message meets one of the caller's
    for (int a = 0; a < D; ++a) size_[a] = core().along(a);
    solver_ = std::make_unique<Solver>(
        paraiso_support::Place{size_.data(), core().begin.data(), whole_.data(), &exchange_},
        threads);
  }
  ~Part() { MPI_Comm_free(&world_); }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  /// Its fields have the cells of this part.
  Solver& solver() { return *solver_; }
  /// Which cells those are in the whole grid.
  const Cells<D>& core() const { return parts_[rank_]; }
  int rank() const { return rank_; }
  int ranks() const { return ranks_; }

  /// To be called by all when cells were written otherwise than by a kernel.
  void changed() { sent_.clear(); }
  /// Whether any process says so: for decisions that all must take alike, as when to stop.
  bool any(bool here) const {
    int answer = here;
    MPI_Allreduce(MPI_IN_PLACE, &answer, 1, MPI_INT, MPI_MAX, world_);
    return answer != 0;
  }
  /// 16 digits that tell whether two fields have the same bits, however their grid is divided.
  template <class T>
  std::string hash(const T* cells) const {
    std::uint64_t sum = 0;
    each_row(core(), [&](const Cell<D>& first, std::int64_t count) {
      std::uint64_t number = static_cast<std::uint64_t>(position(first, whole_));
      const T* const row = cells + address(first);
      for (std::int64_t i = 0; i < count; ++i) sum += mixed(row[i], ++number);
    });
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, world_);
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(sum));
    return text;
  }

 protected:
  void run(std::size_t number) {
    const auto& kernel = rules_.kernels[number];
    send(kernel.reads);
    if (!kernel.receives) receive();
    ((*solver_).*kernel.run)();
    receive();
    for (const int field : kernel.changes)
      for (auto sent = sent_.begin(); sent != sent_.end();)
        sent = sent->field == field ? sent_.erase(sent) : std::next(sent);
  }

 private:
  struct Piece {
    int field;
    Cells<D> cells;
  };
  struct Message {
    std::vector<Piece> pieces;  // where this part has or keeps them
    std::vector<char> buffer;
  };
  /// By process, this one included.
  struct Messages {
    std::map<int, Message> sent, received;
  };

  void divide_grid() {
    double cells = 1;
    for (const std::int64_t n : whole_) cells *= n < 1 ? 0 : static_cast<double>(n);
    if (cells < 1 || cells > 0x1p62) throw std::invalid_argument("a grid has 1 to 2^62 cells");
    const Cells<D> grid{{}, whole_};
    if (grid.count() < ranks_)
      throw std::invalid_argument("a grid of " + std::to_string(grid.count()) +
                                  " cells can't be divided among " + std::to_string(ranks_) +
                                  " processes");
    divide(grid, ranks_, parts_);
  }

  // Where cells lie.

  static std::int64_t position(const Cell<D>& cell, const Cell<D>& extents) {
    std::int64_t number = 0;
    for (int a = D - 1; a >= 0; --a) number = number * extents[a] + cell[a];
    return number;
  }
  std::int64_t address(const Cell<D>& cell) const {
    std::int64_t elements = 0;
    for (int a = 0; a < D; ++a) elements += (cell[a] - core().begin[a]) * solver_->stride(a);
    return elements;
  }
  /// Calls visit(first cell, number of cells) for each row.
  template <class Visit>
  static void each_row(const Cells<D>& cells, const Visit& visit) {
    Cell<D> first = cells.begin;
    for (std::int64_t rows = cells.count() / cells.along(0); rows > 0; --rows) {
      visit(first, cells.along(0));
      for (int a = 1; a < D && ++first[a] == cells.end[a]; ++a) first[a] = cells.begin[a];
    }
  }
  /// SplitMix64's finaliser of a cell's bits (all NaNs are one) and its number, counted from 1.
  template <class T>
  static std::uint64_t mixed(T value, std::uint64_t number) {
    if constexpr (std::is_floating_point_v<T>)
      if (value != value) value = std::numeric_limits<T>::quiet_NaN();
    std::uint64_t z = 0;
    std::memcpy(&z, &value, sizeof value);
    z += number * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // Ghost cells.

  Messages plan(const std::vector<Reading<D>>& readings) const {
    Messages messages;
    for (int to = 0; to < ranks_; ++to) {
      Needs<D> needs(rules_.sides, whole_, parts_[to]);
      for (const Reading<D>& reading : readings) needs.add(reading);
      for (const Need<D>& need : needs.all()) {
        if (const Cells<D> cells = need.cells.common(core()); cells.count() > 0)
          append(messages.sent[to], {need.field, cells});
        for (int from = 0; to == rank_ && from < ranks_; ++from)
          if (const Cells<D> cells = need.cells.common(parts_[from]); cells.count() > 0)
            append(messages.received[from], {need.field, cells.moved(need.shift, need.shift)});
      }
    }
    return messages;
  }
  void append(Message& message, const Piece& piece) const {
    const auto cells = static_cast<std::size_t>(piece.cells.count());
    message.buffer.resize(message.buffer.size() + cells * rules_.fields[piece.field].bytes);
    message.pieces.push_back(piece);
  }

  /// Between the solver's fields and a message.
  void copy_all(Message& message, bool to_message) {
    char* next = message.buffer.data();
    for (const Piece& piece : message.pieces) {
      const std::size_t bytes = rules_.fields[piece.field].bytes;
      char* const cells = static_cast<char*>(rules_.fields[piece.field].cells(*solver_));
      each_row(piece.cells, [&](const Cell<D>& first, std::int64_t count) {
        const std::size_t length = static_cast<std::size_t>(count) * bytes;
        char* const row = cells + address(first) * static_cast<std::int64_t>(bytes);
        std::memcpy(to_message ? next : row, to_message ? row : next, length);
        next += length;
      });
    }
  }
  /// Calls start(data, bytes) for pieces that MPI can count in an `int`.
  template <class Start>
  static void in_pieces(std::vector<char>& data, const Start& start) {
    constexpr std::size_t most = std::size_t{1} << 30;
    for (std::size_t first = 0; first < data.size(); first += most)
      start(data.data() + first, static_cast<int>(std::min(most, data.size() - first)));
  }

  /// Starts to send and to receive what is read and has changed since it was sent.
  void send(const std::vector<Reading<D>>& reads) {
    std::vector<Reading<D>> missing;
    for (const Reading<D>& reading : reads)
      if (sent_.insert(reading).second) missing.push_back(reading);
    auto known = messages_.find(missing);
    if (known == messages_.end()) known = messages_.emplace(missing, plan(missing)).first;
    awaited_ = &known->second;
    for (auto& [from, message] : awaited_->received)
      in_pieces(message.buffer, [&, peer = from](char* data, int bytes) {
        MPI_Irecv(data, bytes, MPI_BYTE, peer, 0, world_, &requests_.emplace_back());
      });
    for (auto& [to, message] : awaited_->sent) {
      copy_all(message, true);
      in_pieces(message.buffer, [&, peer = to](char* data, int bytes) {
        MPI_Isend(data, bytes, MPI_BYTE, peer, 0, world_, &requests_.emplace_back());
      });
    }
  }
  /// Waits for it, if that has not been done.
  void receive() {
    if (awaited_ == nullptr) return;
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
    for (auto& [from, message] : awaited_->received) copy_all(message, false);
    awaited_ = nullptr;
  }

  // Reductions: those whose order shows in the bits are never left to MPI.

  void reduce(const Reducing& share) const {
    if (share.ordered) return reduce_in_order(share);
    share.tree(share.items, share.extents, share.axes, share.result);
    const int bytes = static_cast<int>(share.bytes);
    const std::int64_t count = ranks_;
    std::vector<char> items(share.bytes * static_cast<std::size_t>(count));
    MPI_Allgather(share.result, bytes, MPI_BYTE, items.data(), bytes, MPI_BYTE, world_);
    share.tree(items.data(), &count, 1, share.result);
  }

  bool cuts_chunks(const Cells<D>& part) const {
    const std::int64_t end = part.end[0];
    return part.begin[0] % chunk_cells != 0 || (end % chunk_cells != 0 && end != whole_[0]);
  }
  static std::int64_t chunks(std::int64_t cells) { return (cells + chunk_cells - 1) / chunk_cells; }
  /// A part's items in the whole grid's: one for each cell where chunks are cut.
  Cells<D> items_of(Cells<D> part) const {
    if (cuts_chunks(part)) return part;
    part.begin[0] /= chunk_cells;
    part.end[0] = chunks(part.end[0]);
    return part;
  }

  /// The first process puts the items of all in their places, and combines them.
  void reduce_in_order(const Reducing& share) const {
    if (rank_ == 0) {
      std::vector<char> of_chunks, of_cells;
      Cell<D> extents = whole_;
      extents[0] = chunks(whole_[0]);
      for (int from = 0; from < ranks_; ++from) {
        const bool cut = cuts_chunks(parts_[from]);
        gather(share, from, cut ? whole_ : extents, cut ? of_cells : of_chunks);
      }
      if (!of_cells.empty()) join_chunks(share, extents, of_cells, of_chunks);
      share.tree(of_chunks.data(), extents.data(), D, share.result);
    } else {
      const char* const first = static_cast<const char*>(share.items);
      std::vector<char> items(first, first + share.bytes * items_of(core()).count());
      in_pieces(items, [&](char* data, int n) { MPI_Send(data, n, MPI_BYTE, 0, 1, world_); });
    }
    MPI_Bcast(share.result, static_cast<int>(share.bytes), MPI_BYTE, 0, world_);
  }
  void gather(const Reducing& share, int from, const Cell<D>& extents,
              std::vector<char>& all) const {
    const Cells<D> place = items_of(parts_[from]);
    std::vector<char> items(share.bytes * place.count());
    if (from == 0) {
      std::memcpy(items.data(), share.items, items.size());
    } else {
      in_pieces(items, [&](char* data, int n) {
        MPI_Recv(data, n, MPI_BYTE, from, 1, world_, MPI_STATUS_IGNORE);
      });
    }
    all.resize(share.bytes * Cells<D>{{}, extents}.count());
    const char* next = items.data();
    each_row(place, [&](const Cell<D>& first, std::int64_t count) {
      std::memcpy(all.data() + share.bytes * position(first, extents), next, share.bytes * count);
      next += share.bytes * count;
    });
  }
  /// The items of chunks that are cut, from their cells.
  void join_chunks(const Reducing& share, const Cell<D>& extents, const std::vector<char>& of_cells,
                   std::vector<char>& of_chunks) const {
    of_chunks.resize(share.bytes * Cells<D>{{}, extents}.count());
    for (const Cells<D>& part : parts_)
      if (cuts_chunks(part))
        each_row(part, [&](Cell<D> cell, std::int64_t count) {
          const std::int64_t begin = cell[0] / chunk_cells, end = chunks(cell[0] + count);
          for (std::int64_t chunk = begin; chunk < end; ++chunk) {
            cell[0] = chunk * chunk_cells;
            const char* const cells = of_cells.data() + share.bytes * position(cell, whole_);
            const std::int64_t length = std::min(chunk_cells, whole_[0] - cell[0]);
            cell[0] = chunk;
            share.chunk(cells, length, of_chunks.data() + share.bytes * position(cell, extents));
          }
        });
  }

  Rules rules_;
  MPI_Comm world_;
  int rank_ = 0, ranks_ = 1;
  Cell<D> whole_{}, size_{};
  std::vector<Cells<D>> parts_;                           // by process
  std::set<Reading<D>> sent_;                             // since what is read has changed
  std::map<std::vector<Reading<D>>, Messages> messages_;  // by what is sent
  Messages* awaited_ = nullptr;
  std::vector<MPI_Request> requests_;
  paraiso_support::Exchange exchange_{
      this,
      [](void* self, const Reducing& share) { static_cast<const Part*>(self)->reduce(share); },
      [](void* self) { static_cast<Part*>(self)->receive(); }};
  std::unique_ptr<Solver> solver_;
};

}  // namespace paraiso_mpi
