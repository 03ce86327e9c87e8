#include "paraiso/om/interpret/partial_reduction.hpp"

#include <algorithm>

#include "paraiso/om/graph/reduces.hpp"
#include "paraiso/om/interpret/interpret.hpp"

namespace paraiso::om {

PartialReduction::PartialReduction(ReduceOp op, Element element, Cell size)
    : op_(op),
      element_(element),
      size_(std::move(size)),
      ordered_(has_order(op, element)),
      missing_(Box{Cell(size_.size(), 0), size_}.cell_count()) {}

/// Of two cells the tree, and any order, has one meaning.
Constant PartialReduction::combined(Constant x, Constant y) const {
  return reduce_tree(op_, element_, std::array{x.bits(), y.bits()}, std::array<std::int64_t, 1>{2});
}

std::int64_t PartialReduction::chunk_length(std::int64_t chunk) const {
  return std::min(kChunk, size_[0] - chunk * kChunk);
}

void PartialReduction::add(const Box& box, std::span<const Constant> cells) {
  if (!ordered_) {
    for (const Constant cell : cells) add_unordered(cell, 1);
    return;
  }
  const std::size_t length = box.row_length();
  box.for_each_row([&](const Cell& first) {
    add_row(first, cells.first(length));
    cells = cells.subspan(length);
  });
}

void PartialReduction::add_unordered(Constant value, std::size_t cells) {
  // Even one cell is reduced: an extreme that is zero is +0.
  unordered_ = unordered_ ? combined(*unordered_, value)
                          : reduce_tree(op_, element_, std::array{value.bits()},
                                        std::array<std::int64_t, 1>{1});
  missing_ -= cells;
}

void PartialReduction::add_row(const Cell& first, std::span<const Constant> cells) {
  Cell place = first;
  for (std::int64_t begin = first[0]; !cells.empty();) {
    place[0] = begin / kChunk;
    const std::int64_t end = place[0] * kChunk + chunk_length(place[0]);
    const auto count = std::min(cells.size(), static_cast<std::size_t>(end - begin));
    add_to_chunk(place, static_cast<std::size_t>(begin - place[0] * kChunk), cells.first(count));
    cells = cells.subspan(count);
    begin = end;
  }
}

void PartialReduction::add_to_chunk(const Cell& place, std::size_t first,
                                    std::span<const Constant> cells) {
  const auto length = static_cast<std::size_t>(chunk_length(place[0]));
  Fragment& chunk = fragments_.try_emplace(place, Fragment{{}, length}).first->second;
  chunk.cells.resize(length);
  std::ranges::copy(cells, chunk.cells.begin() + static_cast<std::ptrdiff_t>(first));
  chunk.missing -= cells.size();
  if (chunk.missing > 0) return;
  std::vector<std::uint64_t> bits;
  for (const auto& cell : chunk.cells) bits.push_back(cell->bits());
  fragments_.erase(place);
  const std::array size = {static_cast<std::int64_t>(length)};
  add_node(0, 0, place, reduce_tree(op_, element_, bits, size));
}

void PartialReduction::add_node(std::size_t axis, int level, Cell place, Constant value) {
  while (axis < size_.size()) {
    const std::int64_t items = axis == 0 ? (size_[0] + kChunk - 1) / kChunk : size_[axis];
    if ((std::int64_t{1} << level) >= items) {  // all items of the axis: one item of the next
      place[axis++] = 0;
      level = 0;
      continue;
    }
    const std::int64_t number = place[axis];
    if (number % 2 == 1 || (number + 1) << level < items) {  // it is one of two
      Cell other = place;
      other[axis] = number ^ 1;
      const auto found = nodes_.find({axis, level, other});
      if (found == nodes_.end()) {
        nodes_.emplace(Key{axis, level, std::move(place)}, value);
        return;
      }
      value = number % 2 == 0 ? combined(value, found->second) : combined(found->second, value);
      nodes_.erase(found);
    }
    place[axis] = number / 2;
    ++level;
  }
  total_ = value;
}

void PartialReduction::merge(const PartialReduction& other) {
  if (!ordered_ && other.unordered_)
    add_unordered(*other.unordered_,
                  Box{Cell(size_.size(), 0), size_}.cell_count() - other.missing_);
  for (const auto& [key, value] : other.nodes_)
    add_node(std::get<0>(key), std::get<1>(key), std::get<2>(key), value);
  for (const auto& [place, fragment] : other.fragments_)
    for (std::size_t i = 0; i < fragment.cells.size(); ++i)
      if (fragment.cells[i]) add_to_chunk(place, i, std::span(&*fragment.cells[i], 1));
  if (other.total_) total_ = other.total_;
}

std::optional<Constant> PartialReduction::result() const {
  if (!ordered_) return missing_ == 0 ? unordered_ : std::nullopt;
  return total_;
}

namespace {

/// The fewest nodes that make up items [begin, end) of n.
double interval_nodes(std::int64_t begin, std::int64_t end, std::int64_t n) {
  double nodes = 0;
  while (begin < end) {  // the largest node that starts at `begin` and ends by `end`
    std::int64_t length = 1;
    while (begin % (2 * length) == 0 && std::min(begin + 2 * length, n) <= end &&
           begin + length < n)
      length *= 2;
    ++nodes;
    begin += length;
  }
  return nodes;
}

/// Chunks that lie in [begin, end) of a row of n cells as nodes, and the cells of the others.
double row_numbers(std::int64_t begin, std::int64_t end, std::int64_t n) {
  const std::int64_t chunks = (n + kChunk - 1) / kChunk;
  const std::int64_t first = (begin + kChunk - 1) / kChunk;
  const std::int64_t last = end == n ? chunks : end / kChunk;
  if (first >= last) return static_cast<double>(end - begin);
  const std::int64_t cut = first * kChunk - begin + std::max<std::int64_t>(0, end - last * kChunk);
  return interval_nodes(first, last, chunks) + static_cast<double>(cut);
}

}  // namespace

double PartialReduction::count_of(ReduceOp op, Element element, const Box& box, const Cell& size) {
  if (!has_order(op, element)) return 1;
  std::size_t axis = 0;  // the first along which the box is not the whole grid
  while (axis + 1 < size.size() && box.lower[axis] == 0 && box.upper[axis] == size[axis]) ++axis;
  double numbers = axis == 0 ? row_numbers(box.lower[0], box.upper[0], size[0])
                             : interval_nodes(box.lower[axis], box.upper[axis], size[axis]);
  for (std::size_t a = axis + 1; a < size.size(); ++a)
    numbers *= static_cast<double>(box.upper[a] - box.lower[a]);
  return numbers;
}

std::size_t PartialReduction::count() const {
  std::size_t numbers = nodes_.size() + (unordered_ ? 1 : 0) + (total_ ? 1 : 0);
  for (const auto& [place, fragment] : fragments_)
    numbers += fragment.cells.size() - fragment.missing;
  return numbers;
}

}  // namespace paraiso::om
