// Reductions over a grid that processes of MPI share, with the bits of one process.
// Gives: Sums in paraiso_mpi. Needs: parts.hpp, mpi.hpp, own.hpp, join.hpp.
//
// Those whose order shows in the bits are never left to MPI. Those that no cell waits for are kept
// until somebody asks: then all that are kept take one exchange of messages together.
#pragma once

#include <cstring>
#include <vector>

#include "paraiso/support/mpi/join.hpp"
#include "paraiso/support/mpi/mpi.hpp"
#include "paraiso/support/mpi/own.hpp"
#include "paraiso/support/mpi/parts.hpp"

namespace paraiso_mpi {

template <int D>
class Sums {
 public:
  /// `computed`: the cells whose items this process gives; its own, or more.
  Sums(const Peers& peers, const Cell<D>& whole, const std::vector<Cells<D>>& parts,
       const Cells<D>& computed)
      : peers_(peers), whole_(whole), parts_(parts), computed_(computed) {}

  /// As Exchange::reduce: sets the results, unless nobody waits for them.
  void reduce(const Reducing* shares, int count) {
    std::vector<Kept> awaited;
    for (int i = 0; i < count; ++i) keep(shares[i], shares[i].late >= 0 ? kept_ : awaited);
    if (awaited.empty()) return;
    finish(awaited);
    for (const Kept& one : awaited) std::memcpy(one.share.result, &one.result, one.share.bytes);
  }

  /// The addresses of the results of all that were kept, by their numbers; then none is.
  std::vector<const void*> take_late() {
    done_ = std::move(kept_);
    kept_.clear();
    finish(done_);
    std::vector<const void*> results;
    for (const Kept& one : done_) {
      const auto number = static_cast<std::size_t>(one.share.late);
      if (results.size() <= number) results.resize(number + 1);
      results[number] = &one.result;
    }
    return results;
  }
  void forget_late() { kept_.clear(); }

 private:
  /// A reduction and this process's items of it: of one without an order the result.
  struct Kept {
    Reducing share;
    std::vector<char> items;
    std::uint64_t result = 0;
  };

  /// Without the items of others' cells; `items` and `extents` are room for what is left.
  Reducing of_own(Reducing share, std::vector<char>& items, Cell<D>& extents) const {
    const Cells<D>& part = parts_[peers_.rank()];
    if (part.begin == computed_.begin && part.end == computed_.end) return share;
    const bool cells = part.begin[0] != computed_.begin[0] || part.end[0] != computed_.end[0];
    const bool as_they_are = !cells || (share.ordered && cuts_chunks(part));
    Cells<D> own = part;
    for (int a = 0; a < D; ++a) {
      own.begin[a] -= computed_.begin[a];
      own.end[a] -= computed_.begin[a];
      extents[a] = share.extents[a];
    }
    if (!cells) own.end[0] = extents[0];
    each_row(own, [&](const Cell<D>& first, std::int64_t count) {
      const auto number = static_cast<std::size_t>(position<D>(first, extents));
      append_own(share, static_cast<const char*>(share.items) + number * share.bytes, part.begin[0],
                 count, as_they_are, items);
    });
    const std::int64_t rows = own.count() / own.along(0);
    for (int a = 1; a < D; ++a) extents[a] = own.along(a);
    extents[0] = static_cast<std::int64_t>(items.size() / share.bytes) / rows;
    share.items = items.data();
    share.extents = extents.data();
    return share;
  }

  void keep(const Reducing& all, std::vector<Kept>& list) {
    std::vector<char> items;
    Cell<D> extents;
    const Reducing share = of_own(all, items, extents);
    if (share.ordered)
      return list.push_back({share, nodes_of(share, nodes()[peers_.rank()], extents_of(whole_))});
    list.push_back({share, std::vector<char>(share.bytes)});
    share.tree(share.items, share.extents, share.axes, list.back().items.data());
  }

  /// The results of the whole grid. If all are without an order, each process finds them itself.
  void finish(std::vector<Kept>& list) {
    std::vector<char> own;
    bool ordered = false;
    for (const Kept& one : list) {
      own.insert(own.end(), one.items.begin(), one.items.end());
      ordered |= one.share.ordered;
    }
    if (!ordered) {
      Shares all(parts_.size());
      const std::vector<char> joined = peers_.gather_all(own.data(), own.size());
      for (std::size_t i = 0; i < all.size(); ++i)
        all[i].assign(joined.data() + i * own.size(), joined.data() + (i + 1) * own.size());
      return combine(list, all);
    }
    std::vector<std::uint64_t> results(list.size());
    if (peers_.rank() > 0) {
      peers_.send(0, own.data(), own.size());
    } else {
      combine(list, shares(list, std::move(own)));
      for (std::size_t i = 0; i < list.size(); ++i) results[i] = list[i].result;
    }
    peers_.broadcast(results.data(), results.size() * sizeof results[0]);
    for (std::size_t i = 0; i < list.size(); ++i) list[i].result = results[i];
  }

  using Shares = std::vector<std::vector<char>>;  // of each process, the items of all reductions

  std::size_t bytes_of(const Kept& one, int from) {
    return one.share.bytes * (one.share.ordered ? nodes()[from].count() : 1);
  }
  Shares shares(const std::vector<Kept>& list, std::vector<char> own) {
    Shares all{std::move(own)};
    for (int from = 1; from < peers_.count(); ++from) {
      std::size_t bytes = 0;
      for (const Kept& one : list) bytes += bytes_of(one, from);
      peers_.receive(from, all.emplace_back(bytes).data(), bytes);
    }
    return all;
  }

  void combine(std::vector<Kept>& list, const Shares& all) {
    std::vector<const char*> next;
    for (const std::vector<char>& one : all) next.push_back(one.data());
    for (Kept& one : list) {
      if (one.share.ordered)
        combine_in_order(one, next);
      else
        combine_results(one, next);
      for (int i = 0; i < peers_.count(); ++i) next[i] += bytes_of(one, i);
    }
  }
  void combine_results(Kept& one, const std::vector<const char*>& next) const {
    std::vector<char> items;
    for (const char* number : next) items.insert(items.end(), number, number + one.share.bytes);
    const std::int64_t count = peers_.count();
    one.share.tree(items.data(), &count, 1, &one.result);
  }
  void combine_in_order(Kept& one, const std::vector<const char*>& next) {
    std::vector<PartNumbers> numbers;
    for (int i = 0; i < peers_.count(); ++i) numbers.push_back({&nodes()[i], next[i]});
    join_nodes(one.share, extents_of(whole_), std::move(numbers), &one.result);
  }

  static Extents extents_of(const Cell<D>& cell) { return {cell.begin(), cell.end()}; }
  /// By process.
  const std::vector<NodesOf>& nodes() {
    if (nodes_.empty())
      for (const Cells<D>& part : parts_)
        nodes_.emplace_back(extents_of(whole_), extents_of(part.begin), extents_of(part.end));
    return nodes_;
  }
  bool cuts_chunks(const Cells<D>& part) const {
    return paraiso_support::cuts_chunks(part.begin[0], part.end[0], whole_[0]);
  }

  const Peers& peers_;
  const Cell<D>& whole_;
  const std::vector<Cells<D>>& parts_;
  const Cells<D>& computed_;
  std::vector<NodesOf> nodes_;
  std::vector<Kept> kept_, done_;
};

}  // namespace paraiso_mpi
