// Reductions over a grid that processes of MPI share, with the bits of one process.
// Gives: Sums in paraiso_mpi. Needs: parts.hpp, mpi.hpp, own.hpp, reduction.hpp.
//
// Those whose order shows in the bits are never left to MPI. Those that no cell waits for are kept
// until somebody asks: then all that are kept take one exchange of messages together.
#pragma once

#include <cstring>
#include <vector>

#include "paraiso/support/mpi/mpi.hpp"
#include "paraiso/support/mpi/own.hpp"
#include "paraiso/support/mpi/parts.hpp"
#include "paraiso/support/reduction.hpp"

namespace paraiso_mpi {

using paraiso_support::chunk_cells;
using paraiso_support::Reducing;

template <int D>
class Sums {
 public:
  /// `computed`: the cells whose items this process gives; its own, or more.
  Sums(const Peers& peers, const Cell<D>& whole, const std::vector<Cells<D>>& parts,
       const Cells<D>& computed)
      : peers_(peers), whole_(whole), parts_(parts), computed_(computed) {}

  /// As Exchange::reduce: sets the result, unless nobody waits for it.
  void reduce(const Reducing& all) {
    std::vector<char> items;
    Cell<D> extents;
    const Reducing share = of_own(all, items, extents);
    std::vector<Kept> one;
    keep(share, one);
    if (share.late >= 0) return kept_.push_back(std::move(one[0]));
    finish(one);
    std::memcpy(share.result, &one[0].result, share.bytes);
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

  void keep(const Reducing& share, std::vector<Kept>& list) const {
    const void* items = share.items;
    std::size_t bytes = share.bytes;
    if (share.ordered) {
      bytes *= static_cast<std::size_t>(items_of(parts_[peers_.rank()]).count());
    } else {
      share.tree(share.items, share.extents, share.axes, share.result);
      items = share.result;
    }
    const char* const first = static_cast<const char*>(items);
    list.push_back({share, {first, first + bytes}});
  }

  /// The results of the whole grid. If all are without an order, each process finds them itself.
  void finish(std::vector<Kept>& list) const {
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

  std::size_t bytes_of(const Kept& one, const Cells<D>& part) const {
    return one.share.bytes *
           static_cast<std::size_t>(one.share.ordered ? items_of(part).count() : 1);
  }
  Shares shares(const std::vector<Kept>& list, std::vector<char> own) const {
    Shares all{std::move(own)};
    for (int from = 1; from < peers_.count(); ++from) {
      std::size_t bytes = 0;
      for (const Kept& one : list) bytes += bytes_of(one, parts_[from]);
      peers_.receive(from, all.emplace_back(bytes).data(), bytes);
    }
    return all;
  }

  void combine(std::vector<Kept>& list, const Shares& all) const {
    std::vector<const char*> next;
    for (const std::vector<char>& one : all) next.push_back(one.data());
    for (Kept& one : list) {
      one.share.result = &one.result;
      if (one.share.ordered)
        combine_in_order(one.share, next);
      else
        combine_results(one.share, next);
      for (std::size_t i = 0; i < next.size(); ++i) next[i] += bytes_of(one, parts_[i]);
    }
  }
  void combine_results(const Reducing& share, const std::vector<const char*>& next) const {
    std::vector<char> items;
    for (const char* one : next) items.insert(items.end(), one, one + share.bytes);
    const std::int64_t count = peers_.count();
    share.tree(items.data(), &count, 1, share.result);
  }
  /// Puts the items of all in their places, and combines them by the tree of the whole grid.
  void combine_in_order(const Reducing& share, const std::vector<const char*>& next) const {
    const Cell<D> extents = all_chunks();
    std::vector<char> of_chunks, of_cells;
    for (std::size_t from = 0; from < parts_.size(); ++from) {
      const bool cut = cuts_chunks(parts_[from]);
      place(share.bytes, parts_[from], next[from], cut ? whole_ : extents,
            cut ? of_cells : of_chunks);
    }
    if (!of_cells.empty()) join_chunks(share, of_cells, of_chunks);
    share.tree(of_chunks.data(), extents.data(), D, share.result);
  }
  void place(std::size_t bytes, const Cells<D>& part, const char* items, const Cell<D>& extents,
             std::vector<char>& all) const {
    all.resize(bytes * static_cast<std::size_t>(Cells<D>{{}, extents}.count()));
    each_row(items_of(part), [&](const Cell<D>& first, std::int64_t count) {
      const std::size_t length = bytes * static_cast<std::size_t>(count);
      std::memcpy(all.data() + bytes * static_cast<std::size_t>(position<D>(first, extents)), items,
                  length);
      items += length;
    });
  }
  /// The items of chunks that are cut, from their cells.
  void join_chunks(const Reducing& share, const std::vector<char>& of_cells,
                   std::vector<char>& of_chunks) const {
    const Cell<D> extents = all_chunks();
    of_chunks.resize(share.bytes * static_cast<std::size_t>(Cells<D>{{}, extents}.count()));
    for (const Cells<D>& part : parts_)
      if (cuts_chunks(part))
        each_row(part, [&](Cell<D> cell, std::int64_t count) {
          const std::int64_t begin = cell[0] / chunk_cells, end = chunks(cell[0] + count);
          for (std::int64_t chunk = begin; chunk < end; ++chunk) {
            cell[0] = chunk * chunk_cells;
            const char* const cells =
                of_cells.data() + share.bytes * static_cast<std::size_t>(position<D>(cell, whole_));
            const std::int64_t length = std::min(chunk_cells, whole_[0] - cell[0]);
            cell[0] = chunk;
            share.chunk(cells, length,
                        of_chunks.data() +
                            share.bytes * static_cast<std::size_t>(position<D>(cell, extents)));
          }
        });
  }

  bool cuts_chunks(const Cells<D>& part) const {
    const std::int64_t end = part.end[0];
    return part.begin[0] % chunk_cells != 0 || (end % chunk_cells != 0 && end != whole_[0]);
  }
  static std::int64_t chunks(std::int64_t cells) { return (cells + chunk_cells - 1) / chunk_cells; }
  /// Of the whole grid, along each axis.
  Cell<D> all_chunks() const {
    Cell<D> extents = whole_;
    extents[0] = chunks(whole_[0]);
    return extents;
  }
  /// A part's items in the whole grid's: one for each cell where chunks are cut.
  Cells<D> items_of(Cells<D> part) const {
    if (cuts_chunks(part)) return part;
    part.begin[0] /= chunk_cells;
    part.end[0] = chunks(part.end[0]);
    return part;
  }

  const Peers& peers_;
  const Cell<D>& whole_;
  const std::vector<Cells<D>>& parts_;
  const Cells<D>& computed_;
  std::vector<Kept> kept_, done_;
};

}  // namespace paraiso_mpi
