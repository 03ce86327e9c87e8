// Messages: what the ranks of a divided grid send each other before a kernel runs, as boxes of
// their own arrays. Gives: Piece, Message, RankMessages, KernelMessages, Sent, MessagePlan.
// Needs: distribute, wide_halo, whole_reduction.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "paraiso/om/divide/wide_halo.hpp"
#include "paraiso/runtime/fields/instance.hpp"
#include "paraiso/runtime/reductions/whole_reduction.hpp"

namespace paraiso::runtime {

/// Cells of a Local, by their place in the rank's own array: its first core cell is 0, 0, ...
struct Piece {
  om::StaticId what;
  om::Box cells;
};
/// All that goes from one rank to another, or from a rank to its own ghost cells, in this order.
struct Message {
  int peer = 0;
  std::size_t bytes = 0;
  std::vector<Piece> pieces;
};
struct RankMessages {
  std::vector<Message> sends, receives;
  std::vector<std::pair<Piece, om::Cell>> copies;  // after receiving: to the piece moved so far
};

/// Of all ranks, for one run of a kernel.
struct KernelMessages {
  std::vector<RankMessages> ranks;
  MessageCount sent;  // by all of them
};

/// By static: what has been sent since it, or what its ghost cells are made from, has changed; or
/// how far beyond a rank's own cells it is right.
struct Sent {
  std::vector<std::set<om::Reach>> reaches;
  om::Depths right;
};

/// Of one program on one division. What has not changed since it was sent is not sent again: each
/// rank keeps a record of that, and all records are the same. Ranks of a process may share a plan.
class MessagePlan {
 public:
  /// `wants`: what each kernel reads. With `steps` > 1 there is one exchange for so many steps
  /// where WideHalo can do that. Throws Error if the tree can't divide that size.
  MessagePlan(const om::Machine& machine, const om::Orthotree& tree, om::Cell size,
              std::vector<std::vector<om::Want>> wants, int steps = 1);

  [[nodiscard]] const std::vector<om::Box>& boxes() const { return boxes_; }
  /// The cells that each rank computes: its own, or more.
  [[nodiscard]] const std::vector<om::Box>& computed() const {
    return wide_ ? wide_->computed() : boxes_;
  }
  [[nodiscard]] const om::Cell& size() const { return size_; }
  /// How ranks' shares of reductions are joined.
  [[nodiscard]] const std::shared_ptr<const WholeReduction>& reduction() const {
    return reduction_;
  }

  /// A record in which nothing has been sent.
  [[nodiscard]] Sent nothing_sent() const {
    return {std::vector<std::set<om::Reach>>(machine_.statics.size()),
            wide_ ? wide_->none() : om::Depths()};
  }
  /// What is needed before that kernel runs next.
  [[nodiscard]] const KernelMessages& before(std::size_t kernel, Sent& sent);
  /// That it ran, or that a Local was changed from outside.
  void ran(std::size_t kernel, Sent& sent) const;
  void change(om::StaticId what, Sent& sent) const;

 private:
  [[nodiscard]] om::Want without_whole_axes(om::Want want) const;
  [[nodiscard]] std::vector<om::Want> missing(std::size_t kernel, Sent& sent) const;
  [[nodiscard]] KernelMessages plan(const std::vector<om::Want>& wants) const;

  const om::Machine& machine_;
  om::Orthotree tree_;
  om::Cell size_;
  std::vector<om::Box> boxes_;
  std::shared_ptr<const WholeReduction> reduction_;
  std::vector<std::vector<om::Want>> wants_;  // by kernel
  std::optional<om::WideHalo> wide_;
  std::vector<std::set<om::StaticId>> changed_;           // by kernel: plan::ghosts_changed_by
  std::vector<std::vector<om::StaticId>> read_by_sides_;  // by static
  std::mutex mutex_;
  std::map<std::vector<om::Want>, KernelMessages> known_;  // by what is sent
};

}  // namespace paraiso::runtime
