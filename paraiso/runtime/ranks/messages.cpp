#include "paraiso/runtime/ranks/messages.hpp"

#include <algorithm>

#include "paraiso/plan/exchanges.hpp"

namespace paraiso::runtime {
namespace {

using om::StaticId;

std::size_t bytes_of(const om::Machine& machine, const Piece& piece) {
  return piece.cells.cell_count() * om::size_of(machine.at(piece.what).type.element);
}

void append(std::vector<Message>& messages, int peer, const om::Machine& machine, Piece piece) {
  if (messages.empty() || messages.back().peer != peer) messages.push_back({peer, 0, {}});
  messages.back().bytes += bytes_of(machine, piece);
  messages.back().pieces.push_back(std::move(piece));
}

}  // namespace

MessagePlan::MessagePlan(const om::Machine& machine, const om::Orthotree& tree, om::Cell size,
                         std::vector<std::vector<om::Want>> wants, int steps)
    : machine_(machine),
      tree_(om::with_warps(machine, tree)),
      size_(std::move(size)),
      boxes_(tree_.leaves(size_)),
      reduction_(std::make_shared<WholeReduction>(size_, boxes_)),
      wants_(std::move(wants)) {
  for (const auto& kernel : machine.kernels)
    changed_.push_back(plan::ghosts_changed_by(machine, kernel));
  for (const auto& s : machine.statics) read_by_sides_.push_back(om::read_by_sides(machine, s));
  for (auto& of_kernel : wants_)
    for (om::Want& want : of_kernel) want = without_whole_axes(std::move(want));
  wide_ = om::WideHalo::of(machine_, tree_, size_, wants_, steps);
}

/// Around a cyclic axis that no cut divides, each rank finds the cells in its own core. (Boundary
/// kernels may read there what only others have.)
om::Want MessagePlan::without_whole_axes(om::Want want) const {
  if (!machine_.boundary_kernels.empty()) return want;
  for (std::size_t a = 0; a < size_.size(); ++a) {
    const bool whole = std::ranges::all_of(
        boxes_, [&](const om::Box& box) { return box.upper[a] - box.lower[a] == size_[a]; });
    if (!whole || !om::is_cyclic(machine_.at(want.what), a)) continue;
    for (om::Reach& reach : want.reaches) reach.least[a] = reach.most[a] = 0;
  }
  return want;
}

void MessagePlan::change(StaticId what, Sent& sent) const {
  if (wide_) return void(sent.right[what.index] = om::Cell(size_.size()));
  auto& reaches = sent.reaches;
  reaches[what.index].clear();
  for (std::size_t s = 0; s < reaches.size(); ++s)
    if (std::ranges::find(read_by_sides_[s], what) != read_by_sides_[s].end()) reaches[s].clear();
}

std::vector<om::Want> MessagePlan::missing(std::size_t kernel, Sent& sent) const {
  if (wide_) return wide_->due(kernel, sent.right);
  std::vector<om::Want> wants;
  for (const om::Want& want : wants_[kernel]) {
    om::Want missing{want.what, {}};
    for (const om::Reach& reach : want.reaches)
      if (sent.reaches[want.what.index].insert(reach).second) missing.reaches.push_back(reach);
    if (!missing.reaches.empty()) wants.push_back(std::move(missing));
  }
  return wants;
}

const KernelMessages& MessagePlan::before(std::size_t kernel, Sent& sent) {
  std::vector<om::Want> wants = missing(kernel, sent);
  const std::lock_guard lock(mutex_);
  const auto [known, added] = known_.try_emplace(wants);
  if (added) known->second = plan(wants);
  return known->second;
}

void MessagePlan::ran(std::size_t kernel, Sent& sent) const {
  if (wide_) return wide_->ran(kernel, sent.right);
  for (const StaticId id : changed_[kernel]) sent.reaches[id.index].clear();
}

KernelMessages MessagePlan::plan(const std::vector<om::Want>& wants) const {
  KernelMessages messages{std::vector<RankMessages>(boxes_.size()), {}};
  auto& ranks = messages.ranks;
  const om::Exchange exchange =
      wide_ ? wide_->exchange(wants) : om::communicate(machine_, tree_, size_, wants);
  const auto in_array = [&](std::size_t rank, const om::Box& cells) {
    return om::moved(cells, om::minus(om::Cell(size_.size(), 0), computed()[rank].lower));
  };
  for (const om::Transfer& t : exchange.transfers) {
    const Piece sent{t.what, in_array(t.from, t.cells)};
    const Piece received{t.what, in_array(t.to, om::moved(t.cells, t.shift))};
    if (t.from == t.to) {
      ranks[t.to].copies.emplace_back(sent, t.shift);
      continue;
    }
    append(ranks[t.from].sends, static_cast<int>(t.to), machine_, sent);
    append(ranks[t.to].receives, static_cast<int>(t.from), machine_, received);
  }
  for (const om::Image& i : exchange.images)
    ranks[i.leaf].copies.emplace_back(Piece{i.what, in_array(i.leaf, om::moved(i.cells, i.known))},
                                      om::minus(i.shift, i.known));
  for (const RankMessages& rank : ranks)
    for (const Message& message : rank.sends)
      messages.sent.add({1, static_cast<std::int64_t>(message.bytes)});
  return messages;
}

}  // namespace paraiso::runtime
