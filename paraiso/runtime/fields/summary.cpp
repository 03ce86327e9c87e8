#include "paraiso/runtime/fields/summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "paraiso/base/text.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/support/reduction.hpp"

namespace paraiso::runtime {
namespace {

using paraiso_support::chunk_cells;

/// The fixed tree over items that come one after the other: one partial sum for each binary 1 of
/// their number, the largest first.
class RunningTree {
 public:
  void add(double item) {
    for (auto before = count_++; before % 2 != 0; before /= 2) item = taken() + item;
    partial_.push_back(item);
  }
  [[nodiscard]] std::int64_t count() const { return count_; }
  /// The sum of all items, at least one; the tree starts over.
  double finish() {
    double total = taken();
    while (!partial_.empty()) total = taken() + total;
    count_ = 0;
    return total;
  }

 private:
  double taken() {
    const double last = partial_.back();
    partial_.pop_back();
    return last;
  }

  std::vector<double> partial_;
  std::int64_t count_ = 0;
};

/// Chunks of each row, rows of each plane, planes, ...: a tree an axis.
class GridSum {
 public:
  explicit GridSum(const std::vector<std::int64_t>& size) : size_(size), axes_(size.size()) {}

  void add_chunk(double partial) { axes_[0].add(partial); }
  void finish_row() {
    double item = axes_[0].finish();
    for (std::size_t a = 1; a < axes_.size(); ++a) {
      axes_[a].add(item);
      if (axes_[a].count() < size_[a]) return;
      item = axes_[a].finish();
    }
    total_ = item;
  }
  [[nodiscard]] double total() const { return total_; }

 private:
  const std::vector<std::int64_t>& size_;
  std::vector<RunningTree> axes_;
  double total_ = 0;
};

template <class T>
std::uint64_t bits_of(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

/// One field's summary, chunk by chunk.
template <class T>
class Summary {
 public:
  explicit Summary(const std::vector<std::int64_t>& size) : row_(size[0]), sum_(size) {}

  /// A row, or the next whole chunks of it.
  void add(const T* cells, std::int64_t count) {
    for (std::int64_t first = 0; first < count; first += chunk_cells)
      add_chunk(cells + first, std::min(chunk_cells, count - first));
    if ((of_row_ += count) < row_) return;
    of_row_ = 0;
    sum_.finish_row();
  }

  void finish(FieldSummary& summary) const {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    // Of zeros of both signs the first seen would win: adding 0 makes any of them +0.
    summary.minimum = any_nan_ ? nan : low_ + 0.0;
    summary.maximum = any_nan_ ? nan : high_ + 0.0;
    const double sum = sum_.total();
    summary.sum = any_nan_ || std::isnan(sum) ? nan : sum;  // of infinities: no sign
    summary.hash = hex(hash_);
  }

 private:
  void add_chunk(const T* cells, std::int64_t count) {
    double values[chunk_cells];
    for (std::int64_t i = 0; i < count; ++i) {
      T value = cells[i];
      if constexpr (std::is_floating_point_v<T>)
        if (value != value) {
          value = std::numeric_limits<T>::quiet_NaN();
          any_nan_ = true;
        }
      hash_ += mixed(position_++, bits_of(value));
      const auto x = values[i] = static_cast<double>(value);
      low_ = x < low_ ? x : low_;
      high_ = x > high_ ? x : high_;
    }
    sum_.add_chunk(paraiso_support::reduce_chunk<paraiso_support::Sum>(values, count));
  }

  std::int64_t row_, of_row_ = 0;  // cells of a row, and those so far
  GridSum sum_;
  std::uint64_t hash_ = 0, position_ = 0;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -low_;
  bool any_nan_ = false;
};

template <class T>
void summarise_field(Instance& instance, om::StaticId id, FieldSummary& summary) {
  Summary<T> parts(instance.size());
  for_each_row(instance, id, [&](const char* row, std::size_t bytes) {
    parts.add(reinterpret_cast<const T*>(row), static_cast<std::int64_t>(bytes / sizeof(T)));
  });
  parts.finish(summary);
}

}  // namespace

std::vector<FieldSummary> summarise_fields(Instance& instance) {
  std::vector<FieldSummary> summaries;
  const auto& statics = instance.machine().statics;
  for (std::size_t i = 0; i < statics.size(); ++i) {
    if (!statics[i].type.is_local()) continue;
    auto& summary = summaries.emplace_back();
    summary.name = statics[i].name;
    summary.element = statics[i].type.element;
    om::with_element(summary.element, [&](auto t) {
      summarise_field<decltype(t)>(instance, om::StaticId(i), summary);
    });
  }
  return summaries;
}

std::vector<ScalarSummary> summarise_scalars(const Instance& instance) {
  std::vector<ScalarSummary> summaries;
  const auto& statics = instance.machine().statics;
  for (std::size_t i = 0; i < statics.size(); ++i)
    if (!statics[i].type.is_local())
      summaries.push_back({statics[i].name, instance.scalar(om::StaticId(i))});
  return summaries;
}

}  // namespace paraiso::runtime
