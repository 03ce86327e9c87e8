// Rank: one part of a divided program: its solver, and what it exchanges with the others.
// Gives: Rank. Needs: Library, messages, transport.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "paraiso/runtime/build/compile.hpp"
#include "paraiso/runtime/ranks/messages.hpp"
#include "paraiso/runtime/reductions/late_results.hpp"
#include "paraiso/runtime/reductions/whole_reduction.hpp"
#include "paraiso/runtime/transport/transport.hpp"

namespace paraiso::runtime {

/// To be made and used on one thread: that of its transport.
class Rank {
 public:
  /// Throws Error if memory does not suffice.
  Rank(const Library& library, const MessagePlan& messages, Transport& transport, int threads,
       Library::Sharing sharing);
  Rank(const Rank&) = delete;  // its solver refers to it
  Rank& operator=(const Rank&) = delete;

  [[nodiscard]] Instance& instance() const { return *instance_; }
  /// Its own cells; its instance may compute more.
  [[nodiscard]] const om::Box& box() const { return boxes_[static_cast<std::size_t>(me())]; }
  /// A field of its own cells.
  [[nodiscard]] FieldView own_field(om::StaticId id) const;
  /// Where a field of the instance has a box of the whole grid.
  [[nodiscard]] om::Box in_field(const om::Box& cells) const {
    return om::moved(cells, om::minus(om::Cell(cells.lower.size(), 0), computed_.lower));
  }
  /// Copies boxes of the whole grid that its instance has, one after the other, to a message or
  /// from it: `cells`.
  void copy(om::StaticId id, std::span<const om::Box> boxes, char* cells,
            paraiso_mpi::ToOrFro way) const;
  /// Whether it computes cells of others from what it was sent: only when all that has come.
  [[nodiscard]] bool is_wide() const { return computed_ != box(); }
  /// On rank 0, which sends or receives each message of a reduction: what those were.
  [[nodiscard]] const MessageCount& reductions() const { return reductions_; }
  /// How those of all ranks are joined.
  [[nodiscard]] const std::shared_ptr<const WholeReduction>& whole() const { return whole_; }
  /// Sends what is due before a kernel runs. Until it has been received, the messages must live.
  void send(const RankMessages& messages);
  /// Receives it, if that has not been done.
  void receive();
  /// Those late reductions of the kernel that ran last in which this rank has a share, without
  /// their items, and the items of all of them in turn; then there are none.
  [[nodiscard]] std::vector<LateShare> take_late() { return std::exchange(late_, {}); }
  [[nodiscard]] Bytes take_late_items() { return std::exchange(late_items_, {}); }

 private:
  using Reducing = paraiso_support::Reducing;

  [[nodiscard]] int me() const { return transport_.rank(); }
  [[nodiscard]] bool has_wide_rows() const {
    return computed_.lower[0] != box().lower[0] || computed_.upper[0] != box().upper[0];
  }
  void copy_all(const Message& message, Bytes& buffer, paraiso_mpi::ToOrFro way) const;
  /// By as many threads as it is worth.
  void copy(std::span<const paraiso_mpi::RowsOfBox> boxes, paraiso_mpi::ToOrFro way) const;
  /// Keeps what this rank has of late ones, and waits for the results of the others.
  void reduce(std::span<const Reducing> all);
  [[nodiscard]] Reducing of_own_cells(Reducing share);
  /// `own`: what this rank has of all of them.
  void await(std::span<const Reducing> shares, Bytes own);
  /// On rank 0: the results, one after the other.
  [[nodiscard]] Bytes joined(std::span<const Reducing> shares,
                             const std::vector<Bytes>& sent) const;
  void count(const Bytes& message) {
    reductions_.add({1, static_cast<std::int64_t>(message.size())});
  }

  om::Cell size_;
  const std::vector<om::Box>& boxes_;
  std::shared_ptr<const WholeReduction> whole_;
  om::Box computed_;
  Transport& transport_;
  int threads_;
  double least_copied_;  // as in paraiso_mpi
  paraiso_support::Exchange exchange_;
  const RankMessages* awaited_ = nullptr;
  MessageCount reductions_;
  std::vector<LateShare> late_;
  Bytes late_items_;
  om::Cell own_extents_;  // of the items below
  Bytes own_items_;
  std::unique_ptr<Instance> instance_;
};

}  // namespace paraiso::runtime
