// How long Paraiso itself takes: passes, default planner, generation, interpretation.
//   build/bin/bench_paraiso
#include <benchmark/benchmark.h>

#include "apps/apps.hpp"
#include "paraiso/codegen/cpu/openmp.hpp"
#include "paraiso/om/interpret/interpret.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"

namespace paraiso {
namespace {

om::Machine hydro(int dimension) {
  for (const auto& app : apps::built_in())
    if (app.name == "hydro") return app.build({dimension, om::Element::f64, app.problems[0].name});
  throw Error("there is no app `hydro`");
}

/// A chain of `length` smoothings in one dimension: four instructions each.
om::Machine chain(std::int64_t length) {
  om::Machine machine;
  machine.name = "chain";
  machine.dimension = 1;
  om::Static& f = machine.statics.emplace_back();
  f.name = "f";
  f.type = {om::Realm::local, om::Element::f64};
  f.boundary = {{om::Cyclic{}, om::Cyclic{}}};
  om::Graph graph(machine.signature());
  om::ValueId value = graph.add(om::Load{om::StaticId(0)});
  for (std::int64_t i = 0; i < length; ++i) {
    auto manifest = i % 50 == 49;
    auto left = graph.add(om::Shift{{1}}, {value});
    value = graph.add(om::Arith{om::Op::add, om::Element::f64}, {left, value});
    value = graph.add(om::Arith{om::Op::sqrt, om::Element::f64}, {value});
    if (manifest) graph.annotate(value, {om::Storing::manifest, {}});
  }
  graph.add(om::Store{om::StaticId(0)}, {value});
  machine.kernels.push_back({"proceed", om::KernelRole::step, std::move(graph), {}});
  return machine;
}

void BM_BuildHydro(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(hydro(static_cast<int>(state.range(0))));
}
BENCHMARK(BM_BuildHydro)->DenseRange(1, 3)->Unit(benchmark::kMillisecond);

void BM_PrepareHydro(benchmark::State& state) {
  auto machine = hydro(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(passes::prepare(machine, passes::Numbers::fma));
}
BENCHMARK(BM_PrepareHydro)->DenseRange(1, 3)->Unit(benchmark::kMillisecond);

void BM_PlanHydro(benchmark::State& state) {
  auto program = passes::prepare(hydro(static_cast<int>(state.range(0))), passes::Numbers::fma);
  for (auto _ : state) benchmark::DoNotOptimize(plan::default_schedule(program));
}
BENCHMARK(BM_PlanHydro)->DenseRange(1, 3)->Unit(benchmark::kMillisecond);

void BM_GenerateHydro(benchmark::State& state) {
  auto program = passes::prepare(hydro(static_cast<int>(state.range(0))), passes::Numbers::fma);
  auto schedule = plan::default_schedule(program);
  for (auto _ : state)
    benchmark::DoNotOptimize(codegen::generate_openmp(plan::plan_program(program, schedule)));
}
BENCHMARK(BM_GenerateHydro)->DenseRange(1, 3)->Unit(benchmark::kMillisecond);

void BM_GenerateChain(benchmark::State& state) {
  auto program = passes::prepare(chain(state.range(0)), passes::Numbers::fma);
  for (auto _ : state)
    benchmark::DoNotOptimize(codegen::generate_openmp(plan::plan_program(program, {})));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(BM_GenerateChain)
    ->RangeMultiplier(2)
    ->Range(128, 2048)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

void BM_ParseHydro(benchmark::State& state) {
  auto text = om::print(hydro(static_cast<int>(state.range(0))));
  for (auto _ : state) benchmark::DoNotOptimize(om::parse(text));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(BM_ParseHydro)->DenseRange(1, 3)->Unit(benchmark::kMillisecond);

void BM_InterpretHydroStep(benchmark::State& state) {
  auto machine = hydro(2);
  auto begin = om::initial_state(machine, {32, 32});
  om::interpret(machine, *machine.initial_kernels()[0], begin);
  for (auto _ : state) {
    auto now = begin;
    om::interpret(machine, *machine.step_kernel(), now);
  }
}
BENCHMARK(BM_InterpretHydroStep)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace paraiso
