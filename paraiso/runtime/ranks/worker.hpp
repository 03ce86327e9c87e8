// Worker: one rank of a divided program, which does what the driver, on rank 0, asks of all.
// Gives: Division, Worker. Needs: rank, messages, command.
#pragma once

#include <functional>

#include "paraiso/runtime/ranks/command.hpp"
#include "paraiso/runtime/ranks/rank.hpp"

namespace paraiso::runtime {

/// What is the same on all ranks; those of a process share one.
struct Division {
  using Burden = std::function<void(int rank)>;

  /// Throws Error if the tree can't divide that size.
  Division(const Library& program, const om::Orthotree& tree, const om::Cell& size,
           int threads_of_a_rank, Library::Sharing shared)
      : library(program),
        messages(library.machine(), tree, size, library.part_wants()),
        threads(threads_of_a_rank),
        sharing(shared),
        busy(messages.boxes().size()) {}

  Library library;
  MessagePlan messages;
  int threads;  // within each rank
  Library::Sharing sharing;
  // Of each rank of this process, which alone changes it: processor seconds in kernels so far.
  std::vector<double> busy;
  Burden burden;  // if any: what else a rank does in each kernel, where tests want it slow
};

/// To be made and used on one thread: that of its transport.
class Worker {
 public:
  /// Throws Error if memory does not suffice.
  Worker(Division& division, Transport& transport);

  /// Does this rank's share of a command and gives its answer, empty where there is none. A `write`
  /// awaits the cells of this rank, which only others than rank 0 can; see `store`.
  [[nodiscard]] Bytes obey(const Command& command);
  /// Says that it does, and obeys the driver until nothing more is asked, or this rank or another
  /// fails.
  void serve() noexcept;
  /// That cells of a Local are changed from outside, on this rank or another.
  void change(om::StaticId id) { division_.messages.change(id, sent_); }
  /// Cells of a box within this rank's own, in the whole grid.
  void store(om::StaticId id, const om::Box& box, const char* cells);

  /// Of all ranks; complete on rank 0.
  [[nodiscard]] MessageCount traffic() const {
    MessageCount all = halos_;
    all.add(rank_.reductions());
    return all;
  }
  [[nodiscard]] Instance& instance() const { return rank_.instance(); }
  [[nodiscard]] const om::Box& box() const { return rank_.box(); }

 private:
  [[nodiscard]] const om::Machine& machine() const { return division_.library.machine(); }
  void run(std::size_t kernel);
  void set(om::StaticId id, std::uint64_t bits);
  [[nodiscard]] Bytes nan_of(om::StaticId id) const;
  [[nodiscard]] Bytes keep() const;
  void go_back();
  [[nodiscard]] Bytes read(om::StaticId id, const om::Box& box) const;
  void write(om::StaticId id, const om::Box& box);
  /// Where the field has it.
  [[nodiscard]] om::Box in_field(const om::Box& box) const;

  Division& division_;
  Transport& transport_;
  Rank rank_;
  Sent sent_;
  MessageCount halos_;  // of all ranks
};

}  // namespace paraiso::runtime
