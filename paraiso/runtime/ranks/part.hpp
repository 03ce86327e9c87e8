// Part: what a rank has on one division of the grid; on another, it has another part.
// Gives: Division, Part, has_room, move_state. Needs: rank, messages.
#pragma once

#include <functional>
#include <mutex>

#include "paraiso/runtime/ranks/rank.hpp"

namespace paraiso::runtime {

/// What is the same on all ranks; those of a process share one.
struct Division {
  using Burden = std::function<void(int rank)>;

  /// Throws Error if the tree can't divide the grid.
  Division(const Library& program, om::Orthotree first_tree, om::Cell whole, int threads_of_a_rank,
           Library::Sharing shared, Burden tests_burden = {}, int steps_at_once = 1)
      : library(program),
        tree(std::move(first_tree)),
        size(std::move(whole)),
        threads(threads_of_a_rank),
        sharing(shared),
        burden(std::move(tests_burden)),
        steps(steps_at_once) {
    (void)messages_on(tree);
  }

  /// What ranks send each other on a tree: one value for all who ask for the same tree in turn.
  /// Throws Error if it can't divide the grid.
  [[nodiscard]] std::shared_ptr<MessagePlan> messages_on(const om::Orthotree& other);

  Library library;
  om::Orthotree tree;  // the first
  om::Cell size;
  int threads;  // within each rank
  Library::Sharing sharing;
  Burden burden;  // if any: what else a rank does in each kernel, where tests want it slow
  int steps;      // for each of which there need not be an exchange

 private:
  std::mutex mutex_;
  om::Orthotree last_tree_;
  std::shared_ptr<MessagePlan> last_;
};

/// Processor seconds of a rank, without waiting.
struct BusySeconds {
  double kernels = 0;
  double messages = 0;  // packed, sent and received before and after kernels

  void add(const BusySeconds& more) {
    kernels += more.kernels;
    messages += more.messages;
  }
  [[nodiscard]] BusySeconds since(const BusySeconds& before) const {
    return {kernels - before.kernels, messages - before.messages};
  }
};

/// To be made and used on one thread: that of its transport. Throws Error if memory does not
/// suffice, or the tree can't divide the grid.
struct Part {
  Part(Division& division, const om::Orthotree& its_tree, Transport& transport);

  [[nodiscard]] MessageCount traffic() const {
    MessageCount all = halos;
    all.add(rank.reductions());
    return all;
  }

  om::Orthotree tree;
  std::shared_ptr<MessagePlan> messages;
  Rank rank;
  Sent sent;
  MessageCount halos;  // of all ranks
  BusySeconds busy;
};

/// Whether this host has memory for the parts of its ranks on another tree. Margins and temporaries
/// take as much as fields at most, or else the system says so.
[[nodiscard]] bool has_room(const Division& division, const om::Orthotree& tree,
                            const Transport& transport);

/// All cells to their new owners, and all scalars. Every rank calls it.
void move_state(const Part& from, const Part& to, Transport& transport);

}  // namespace paraiso::runtime
