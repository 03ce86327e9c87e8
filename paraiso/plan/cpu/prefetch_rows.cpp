#include "paraiso/plan/cpu/prefetch_rows.hpp"

#include <algorithm>
#include <bit>

namespace paraiso::plan {

using om::Offset;

namespace {

// The prefetch distance from the foremost row that is read. Two rows leave all loops except the
// last one the time of a whole row; one plane is time enough.
constexpr std::int32_t kRowsAhead = 2, kPlanesAhead = 1;

/// Whether a sweep reaches `one` after `other`.
bool is_later(const Offset& one, const Offset& other) {
  return std::ranges::lexicographical_compare(other.rbegin(), other.rend(), one.rbegin(),
                                              one.rend());
}

/// Whether the loops of a sweep share the prefetching; a loop on its own prefetches its own rows.
bool share_rows(const Group& group) { return !group.sweep.empty() && group.stages.size() > 1; }

}  // namespace

PrefetchDistance prefetch_distance(const Group& group) {
  if (share_rows(group)) {
    const int axis = group.sweep.back();
    return {axis, axis == 1 ? kRowsAhead : kPlanesAhead};
  }
  const int dimension = static_cast<int>(group.cpu.tile.size());
  int axis = 1;  // of the innermost loop over rows
  while (axis < dimension && std::ranges::count(group.sweep, axis) > 0) ++axis;
  return {axis < dimension ? axis : group.sweep.back(), 0};
}

namespace {

/// The row of each array that the loops reach first.
class Foremost {
 public:
  Foremost(const KernelPlan& kernel, const Group& group) : kernel_(kernel), group_(group) {}

  void read_by(const Stage& stage) {
    for (const Term& term : stage.expansion.terms)
      if (const auto array = kernel_.array_read(group_, term))
        touch({*array, term.value, {}, term.offset});
  }
  void written_by(const Stage& stage) {
    for (const Output& output : stage.outputs)
      touch({output.array, output.value, output.target, stage.behind(output.root)});
  }
  /// The rows after them.
  [[nodiscard]] std::vector<PrefetchRow> coming() const {
    const PrefetchDistance ahead = prefetch_distance(group_);
    std::vector<PrefetchRow> rows;
    for (const auto& [array, row] : rows_) {
      rows.push_back(row);
      rows.back().offset[ahead.axis] += ahead.steps;
    }
    return rows;
  }

 private:
  void touch(PrefetchRow row) {
    row.offset[0] = 0;
    auto [known, added] = rows_.try_emplace(row.array, row);
    if (!added && is_later(row.offset, known->second.offset)) known->second = row;
  }

  const KernelPlan& kernel_;
  const Group& group_;
  std::map<ArrayRef, PrefetchRow> rows_;
};

std::vector<std::size_t> loops_in_vectors(const Group& group) {
  std::vector<std::size_t> places;
  for (std::size_t s = 0; s < group.stages.size(); ++s)
    if (group.stages[s].cpu.in_vectors) places.push_back(s);
  return places;
}

}  // namespace

std::vector<PrefetchRow> prefetch_rows(const KernelPlan& kernel, const Group& group) {
  if (!group.cpu.prefetch || !share_rows(group)) return {};
  Foremost foremost(kernel, group);
  for (const Stage& stage : group.stages) {
    foremost.read_by(stage);
    if (group.form == Form::split) foremost.written_by(stage);
  }
  return foremost.coming();
}

std::vector<std::vector<PrefetchPart>> prefetch_parts(const KernelPlan& kernel,
                                                      const Group& group) {
  const std::vector<PrefetchRow> rows = prefetch_rows(kernel, group);
  if (rows.empty()) return {};
  const std::vector<std::size_t> places = loops_in_vectors(group);
  const std::size_t loops = places.size();
  const std::size_t parts = std::bit_floor(std::max<std::size_t>(1, loops / rows.size()));
  std::vector<std::vector<PrefetchPart>> asked(group.stages.size());
  for (std::size_t loop = 0; loop < loops; ++loop) {
    std::vector<PrefetchPart>& own = asked[places[loop]];
    if (group.form == Form::split && parts == 1) {
      Foremost foremost(kernel, group);
      foremost.read_by(group.stages[places[loop]]);
      const std::vector<PrefetchRow> reads = foremost.coming();
      const auto last = std::ranges::max_element(
          reads, [](const auto& a, const auto& b) { return is_later(b.offset, a.offset); });
      if (last != reads.end()) own.push_back({*last, 0, 1});
      continue;
    }
    for (std::size_t turn = loop; turn < parts * rows.size(); turn += loops)
      own.push_back({rows[turn / parts], turn % parts, parts});
  }
  return asked;
}

}  // namespace paraiso::plan
