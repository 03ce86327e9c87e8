#include "paraiso/plan/loops/buffer_lines.hpp"

#include <algorithm>
#include <set>

#include "paraiso/plan/groups/edge_fills.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

/// The age of a row that is read, along each axis of the sweep.
struct Age {
  std::vector<int> along;
  bool same_loop;  // read just before the newest row is written; else after
};

std::map<ValueId, int> buffers_by_value(const Group& group) {
  std::map<ValueId, int> buffer_of;
  for (std::size_t b = 0; b < group.buffers.size(); ++b)
    buffer_of[group.buffers[b].value] = static_cast<int>(b);
  return buffer_of;
}

/// Ages of the sources of ghost rows, when these are filled.
std::vector<Age> ages_of_sources(const GroupValues& items, const GroupValue& item) {
  std::vector<Age> list;
  if (!item.state) return list;
  for (std::size_t i = 0; i < items.sweep.size(); ++i) {
    const int axis = items.sweep[i];
    if (!item.state->filled[axis]) continue;
    for (const bool upper : {false, true}) {
      const std::int32_t width = upper ? item.box.upper[axis] : item.box.lower[axis];
      Age age{std::vector<int>(items.sweep.size(), 0), false};
      age.along[i] = width + farthest_source(items, item, axis, upper);
      list.push_back(std::move(age));
    }
  }
  return list;
}

/// Per buffer, the ages of all rows that are read.
std::vector<std::vector<Age>> find_ages(const GroupValues& items, const Group& group) {
  const auto item_of = [&](ValueId value) -> const GroupValue& {
    return items.list[items.of_value[value.index]];
  };
  const auto buffer_of = buffers_by_value(group);
  std::vector<std::vector<Age>> ages;
  for (const Buffer& buffer : group.buffers)
    ages.push_back(ages_of_sources(items, item_of(buffer.value)));
  for (const Stage& stage : group.stages) {
    std::set<int> made;
    for (const BufferWrite& keep : stage.buffer_writes) made.insert(keep.buffer);
    for (const Term& term : stage.expansion.terms) {
      if (term.kind != Term::Kind::read_buffer) continue;
      const int b = buffer_of.at(term.value);
      const Offset& newest = item_of(term.value).lag;
      Age age{{}, made.contains(b)};
      for (int axis : group.sweep) age.along.push_back(-term.offset[axis] - newest[axis]);
      ages[b].push_back(std::move(age));
    }
  }
  return ages;
}

/// Whether a row is read before the newest row replaces it. The first axis of the sweep, from
/// number `from` on, decides along which the two differ in age.
bool read_in_time(const Age& age, std::size_t from) {
  for (std::size_t i = from; i < age.along.size(); ++i)
    if (age.along[i] != 0) return age.along[i] < 0;
  return age.same_loop;
}

void count_lines_of(Buffer& buffer, const std::vector<Age>& ages, const std::vector<int>& sweep) {
  for (std::size_t i = 0; i < sweep.size(); ++i) {
    int oldest = 0;
    for (const Age& age : ages) oldest = std::max(oldest, age.along[i]);
    int& lines = buffer.lines[sweep[i]];
    lines = std::max(1, oldest);
    for (const Age& age : ages)
      if (age.along[i] == oldest && !read_in_time(age, i + 1)) lines = oldest + 1;
    if (oldest > 0) break;
  }
}

}  // namespace

void count_lines(const GroupValues& items, Group& group) {
  const auto ages = find_ages(items, group);
  for (std::size_t b = 0; b < group.buffers.size(); ++b)
    count_lines_of(group.buffers[b], ages[b], group.sweep);
}

void widen_buffers(Group& group) {
  const auto buffer_of = buffers_by_value(group);
  std::vector<Extent> touched;
  for (const Buffer& buffer : group.buffers) touched.push_back(buffer.reach);
  for (const Stage& stage : group.stages) {
    for (const BufferWrite& keep : stage.buffer_writes)
      touched[keep.buffer].include(stage.reach, stage.behind(keep.root));
    for (const Term& term : stage.expansion.terms)
      if (term.kind == Term::Kind::read_buffer)
        touched[buffer_of.at(term.value)].include(stage.reach, term.offset);
  }
  for (std::size_t b = 0; b < group.buffers.size(); ++b)
    for (int axis : group.sweep) {
      group.buffers[b].reach.lower[axis] = touched[b].lower[axis];
      group.buffers[b].reach.upper[axis] = touched[b].upper[axis];
    }
}

}  // namespace paraiso::plan
