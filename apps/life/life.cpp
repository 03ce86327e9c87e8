#include "apps/life/life.hpp"

#include "apps/solver.hpp"

namespace paraiso::apps {
namespace {

using Cells = Local<bool, 2>;
constexpr Axis<2> x(0), y(1);

/// How many of the eight cells around each one are alive.
Local<std::int32_t, 2> neighbours(const Cells& alive) {
  const auto count = cast<std::int32_t>(alive);
  const auto row = at(count, -x) + count + at(count, +x);
  return at(row, -y) + row + at(row, +y) - count;
}

/// Five cells that move by one cell along both axes in four generations.
Cells glider() {
  const auto i = index(x), j = index(y);
  const auto top = j == 0 && i == 1, middle = j == 1 && i == 2;
  return top || middle || (j == 2 && i >= 0 && i <= 2);
}

/// Each cell lives with probability 3/8, the same on every machine: from a hash of its index.
Cells random_cells() {
  const auto mixed = (index(x) * 73856093 ^ index(y) * 19349663) * 0x5851f42d4c957f2d;
  const auto high = mixed / (std::int64_t{1} << 40);
  return (high & 7) < 3;
}

om::Machine machine() {
  Builder<2> om("life");
  Field<bool, 2> alive{om, "alive", cyclic()};
  Scalar<std::int64_t, 2> population{om, "population"}, generation{om, "generation"};

  const auto set = [&](const Cells& cells) {
    store(alive, cells);
    store(population, reduce_sum(cast<std::int64_t>(cells)));
  };
  const auto begin = [&](const Cells& cells) {
    set(cells);
    store(generation, 0);
  };
  om.initial("glider", [&] { begin(glider()); });
  om.initial("random", [&] { begin(random_cells()); });
  om.step("proceed", [&] {
    const auto now = load(alive);
    const auto count = neighbours(now);
    set(count == 3 || (now && count == 2));
    store(generation, load(generation) + 1);
  });
  return om.machine();
}

}  // namespace

App life() {
  const auto size = [](int) { return std::vector<std::int64_t>{80, 48}; };
  App app;
  app.name = "life";
  app.summary = "Conway's game of life on a cyclic grid";
  app.dimensions = {2};
  app.precisions = {om::Element::f64};
  app.problems = {{"glider", "a glider, back home after 960 generations", 0, 960, size},
                  {"random", "three cells of eight alive", 0, 1000, size}};
  app.build = [](const AppOptions&) { return machine(); };
  return app;
}

}  // namespace paraiso::apps
