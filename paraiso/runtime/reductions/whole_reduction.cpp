#include "paraiso/runtime/reductions/whole_reduction.hpp"

#include <algorithm>
#include <cstring>

#include "paraiso/support/limits.hpp"
#include "paraiso/support/reduction.hpp"

namespace paraiso::runtime {
namespace {

constexpr std::int64_t kChunk = paraiso_support::chunk_cells;

std::int64_t chunks_of(std::int64_t cells) { return (cells + kChunk - 1) / kChunk; }

std::size_t product(const om::Cell& extents) {
  std::size_t count = 1;
  for (const std::int64_t n : extents) count *= static_cast<std::size_t>(n);
  return count;
}

om::Box grid_of(const om::Cell& extents) { return {om::Cell(extents.size(), 0), extents}; }

}  // namespace

bool WholeReduction::gives_cells(const om::Cell& size, const om::Box& box) {
  return box.lower[0] % kChunk != 0 || (box.upper[0] % kChunk != 0 && box.upper[0] != size[0]);
}

std::size_t WholeReduction::item_count(const om::Cell& size, const om::Box& box) {
  const std::int64_t cells = box.upper[0] - box.lower[0];
  const std::int64_t row = gives_cells(size, box) ? cells : chunks_of(cells);
  return box.cell_count() / static_cast<std::size_t>(cells) * static_cast<std::size_t>(row);
}

WholeReduction::WholeReduction(const om::Cell& size, const paraiso_support::Reducing& like)
    : size_(size), chunks_(size), like_(like) {
  chunks_[0] = chunks_of(size[0]);
  items_.resize(product(chunks_) * like.bytes);
  whole_.resize(product(chunks_));
}

void WholeReduction::add(const om::Box& box, const char* items) {
  const bool cells = gives_cells(size_, box);
  om::Box place = box;
  if (!cells) {
    place.lower[0] /= kChunk;
    place.upper[0] = chunks_of(box.upper[0]);
  } else if (cells_.empty()) {
    cells_.resize(product(size_) * like_.bytes);
  }
  const auto count = static_cast<std::size_t>(place.upper[0] - place.lower[0]);
  std::vector<char>& to = cells ? cells_ : items_;
  const om::Box all = grid_of(cells ? size_ : chunks_);
  place.for_each_row([&](const om::Cell& cell) {
    const std::size_t first = all.position(cell);
    std::memcpy(to.data() + first * like_.bytes, items, count * like_.bytes);
    items += count * like_.bytes;
    if (!cells)
      for (std::size_t i = 0; i < count; ++i) whole_[first + i] = true;
  });
}

void WholeReduction::join_chunks() {
  std::size_t item = 0;
  const om::Box all = grid_of(size_);
  all.for_each_row([&](const om::Cell& cell) {
    const std::size_t first = all.position(cell);
    for (std::int64_t c = 0; c < chunks_[0]; ++c, ++item)
      if (!whole_[item])
        like_.chunk(cells_.data() + (first + static_cast<std::size_t>(c * kChunk)) * like_.bytes,
                    std::min(kChunk, size_[0] - c * kChunk), items_.data() + item * like_.bytes);
  });
}

void WholeReduction::finish(void* result) {
  if (!cells_.empty()) join_chunks();
  like_.tree(items_.data(), chunks_.data(), static_cast<int>(chunks_.size()), result);
}

}  // namespace paraiso::runtime
