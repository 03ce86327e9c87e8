#include "paraiso/verify/compare.hpp"

#include <fmt/format.h>

#include <cstring>

#include "paraiso/runtime/system/memory.hpp"

namespace paraiso::verify {

using namespace runtime;

namespace {

/// All cells as the fields of generated code have them in memory, axis 0 fastest.
std::vector<char> in_memory(const om::Array& array) {
  const std::size_t bytes = om::size_of(array.element);
  std::vector<char> cells(array.bits.size() * bytes);
  om::with_element(array.element, [&](auto t) {
    for (std::size_t i = 0; i < array.bits.size(); ++i) {
      const auto value = array.at(i).as<decltype(t)>();
      std::memcpy(&cells[i * bytes], &value, bytes);
    }
  });
  return cells;
}

/// Cell number `i` of those.
om::Constant in_memory_at(om::Element element, const std::vector<char>& cells, std::size_t i) {
  return om::with_element(element, [&](auto t) {
    std::memcpy(&t, &cells[i * sizeof t], sizeof t);
    return om::Constant(t);
  });
}

std::optional<Difference> compare_local(Instance& instance, om::StaticId id,
                                        const om::Array& expected, double allowed) {
  std::vector<char> cells(expected.bits.size() * om::size_of(expected.element));
  instance.read(id, {om::Cell(instance.size().size(), 0), instance.size()}, cells.data());
  std::optional<Difference> found;
  std::size_t next = 0;
  for_each_cell(instance.size(), [&](const auto& cell) {
    const om::Constant got = in_memory_at(expected.element, cells, next);
    const om::Constant want = expected.at(next++);
    if (found || agree(want, got, allowed)) return;
    found.emplace();
    found->cell = cell;
    found->expected = want;
    found->got = got;
  });
  return found;
}

std::optional<Difference> compare_global(Instance& instance, om::StaticId id,
                                         const om::Array& expected, double allowed) {
  if (agree(expected.at(0), instance.scalar(id), allowed)) return {};
  Difference difference;
  difference.expected = expected.at(0);
  difference.got = instance.scalar(id);
  return difference;
}

}  // namespace

void write_state(Instance& instance, const om::State& state) {
  const om::Machine& program = instance.machine();
  for (std::size_t i = 0; i < program.statics.size(); ++i) {
    const om::StaticId id(i);
    if (program.at(id).type.realm == om::Realm::global)
      instance.set_scalar(id, state.arrays[i].at(0));
    else
      instance.write(id, {om::Cell(state.size.size(), 0), state.size},
                     in_memory(state.arrays[i]).data());
  }
}

std::optional<Difference> first_difference(Instance& instance, const om::State& expected,
                                           const Tolerance& tolerance) {
  for (std::size_t i = 0; i < expected.arrays.size(); ++i) {
    const om::StaticId id(i);
    const om::Static& entry = instance.machine().at(id);
    const double allowed = tolerance.of(id);
    auto difference = entry.type.is_local()
                          ? compare_local(instance, id, expected.arrays[i], allowed)
                          : compare_global(instance, id, expected.arrays[i], allowed);
    if (!difference) continue;
    difference->name = entry.name;
    difference->allowed = allowed;
    return difference;
  }
  return {};
}

std::string Difference::text() const {
  const std::string place = cell.empty() ? "" : fmt::format(" at cell {}", size_text(cell));
  const std::string most =
      allowed > 0 ? fmt::format(", more than {:.2g} away", allowed) : std::string();
  return fmt::format(
      "`{}`{} is {} and the interpreter says {}{}\n"
      "after call {} (`{}`) from {}, size {}{}, {} for {}, {} thread{}, schedule {} of seed {}",
      name, place, got.text(), expected.text(), most, call + 1, kernel, start, size_text(size),
      ranks > 1 ? fmt::format(" on {} ranks", ranks) : "", compiler, target, threads,
      threads == 1 ? "" : "s", schedule, seed);
}

}  // namespace paraiso::verify
