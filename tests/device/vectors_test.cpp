// A thread that makes several neighbours along x at once: what it loads and stores, with the
// interpreter's bits where rows end within a vector; and arrays of a level on common cells.
#include <gtest/gtest.h>

#include <algorithm>

#include "apps/apps.hpp"
#include "paraiso/codegen/device/host/generate_device.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/device/thread/body_bound.hpp"
#include "paraiso/plan/device/thread/order_terms.hpp"
#include "paraiso/plan/device/thread/vector_rows.hpp"
#include "tests/device/compared.hpp"

namespace paraiso {
namespace {

using Wanted = std::vector<std::pair<const char*, const char*>>;

om::Machine program_of(const char* name, int dimension, om::Element precision) {
  const App& app = *std::ranges::find(apps::built_in(), name, &App::name);
  return passes::prepare(only_steps(app.build({dimension, precision, app.problems[0].name})),
                         passes::Numbers::fma);
}

plan::Plan planned(const om::Machine& program, const runtime::Backend& backend,
                   const Wanted& wanted) {
  plan::Schedule schedule;
  for (const plan::Gene& gene : plan::genes(program, backend.options))
    for (const auto& [end, allele] : wanted)
      if (gene.name.ends_with(end)) schedule.choices[gene.name] = allele;
  return backend.make_plan(program, schedule);
}

const plan::Group& first_group(const plan::Plan& plan) {
  return plan.find_kernel("proceed")->groups.at(0);
}

int count(const std::string& text, const std::string& wanted) {
  int found = 0;
  for (auto at = text.find(wanted); at != std::string::npos; at = text.find(wanted, at + 1))
    ++found;
  return found;
}

TEST(Vectors, LoadARowOnce) {
  const runtime::Backend& cuda = *runtime::find_backend("cuda");
  const plan::Plan plan =
      planned(program_of("acoustic", 3, om::Element::f32), cuda, {{"/vector", "4"}});
  EXPECT_EQ(plan::vector_of(first_group(plan)), 4);
  const auto rows = plan::vector_rows(first_group(plan).stages[0], 4);
  EXPECT_EQ(rows.size(), 19u);  // 16 beside the cell's own, and one of each array
  const auto own = std::ranges::find(rows, 3, &plan::VectorRow::vectors);
  ASSERT_NE(own, rows.end());
  EXPECT_EQ(own->first, -4);  // 4 cells on either side
  EXPECT_GE(plan.margin.upper[0], 7);
  std::string text;
  for (const codegen::SourceFile& file : cuda.generate(plan, {}))
    if (file.name.ends_with(".cu")) text = file.text;
  const auto step = text.substr(text.find("void acoustic_proceed_1"));
  const std::string body = step.substr(0, step.find("\n}\n"));
  EXPECT_EQ(count(body, "load_4_f32("), 21);
  EXPECT_EQ(count(body, "store_4_f32("), 1);
}

/// Random programs found it: what is reduced is stored as an array of bytes.
constexpr const char* kAny = R"(paraiso 1
machine any dimension 1
static u local f64
  boundary 0 cyclic cyclic
static found global bool
kernel proceed step
  %u = load u
  %right = shift %u (1)
  %sum = add %u %right
  store u %sum
  %less = lt %u %right
  %found = reduce any %less
  store found %found
end
end machine
)";

TEST(Vectors, AreNotOfBytesNorWhereValuesAreKept) {
  const runtime::Backend& cuda = *runtime::find_backend("cuda");
  EXPECT_EQ(first_group(planned(program_of("life", 2, om::Element::f64), cuda, {{"/vector", "4"}}))
                .device.vector,
            1);
  const om::Machine any = passes::prepare(om::parse(kAny, "any.om"), passes::Numbers::fma);
  for (const char* cells : {"2", "4"})
    EXPECT_EQ(plan::vector_of(first_group(planned(any, cuda, {{"/vector", cells}}))), 1);
  EXPECT_EQ(plan::vector_of(first_group(planned(program_of("heat", 3, om::Element::f64), cuda,
                                                {{"/vector", "4"}, {"/march", "on"}}))),
            1);
}

TEST(Vectors, BeginAtAlignedCells) {
  const runtime::Backend& cuda = *runtime::find_backend("cuda");
  const plan::Plan plan =
      planned(program_of("hydro", 2, om::Element::f64), cuda, {{"/vector", "4"}});
  for (const plan::Group& group : plan.find_kernel("proceed")->groups)
    EXPECT_EQ(group.box.lower[0] % plan::vector_of(group), 0) << group.box.text();
}

/// Fluxes along different axes are needed on different cells.
TEST(CommonRanges, JoinTheFluxesOfALevel) {
  const runtime::Backend& cuda = *runtime::find_backend("cuda");
  const om::Machine program = program_of("hydro", 3, om::Element::f64);
  const auto groups_of = [&](const char* ranges) {
    return planned(program, cuda,
                   {{"/ranges", ranges},
                    {"_flux_x.storage", "array"},
                    {"_flux_y.storage", "array"},
                    {"_flux_z.storage", "array"},
                    {"/half.storage", "array"}})
        .find_kernel("proceed")
        ->groups;
  };
  const auto exact = groups_of("exact"), common = groups_of("common");
  EXPECT_EQ(exact.size(), 8u);
  ASSERT_EQ(common.size(), 4u);
  EXPECT_EQ(common[0].box.text(), "[-3, N+2) x [-3, N+2) x [-3, N+2)");
  EXPECT_EQ(common[0].stages[0].outputs.size(), 15u);
}

/// Each flux has its own neighbours: one after the other they need no more registers than one, but
/// for what is common.
TEST(OrderTerms, PutsWhatHasMuchInCommonSideBySide) {
  const runtime::Backend& cuda = *runtime::find_backend("cuda");
  const om::Machine program = program_of("hydro", 3, om::Element::f64);
  const plan::Plan plan = planned(program, cuda,
                                  {{"/ranges", "common"},
                                   {"_flux_x.storage", "array"},
                                   {"_flux_y.storage", "array"},
                                   {"_flux_z.storage", "array"},
                                   {"/half.storage", "array"}});
  const om::Graph& graph = plan.find_kernel("proceed")->kernel->graph;
  const plan::Expansion ordered = first_group(plan).stages[0].expansion;
  plan::Expansion again = ordered;
  plan::order_terms(graph, again);
  EXPECT_EQ(plan::live_registers(graph, again), plan::live_registers(graph, ordered));
  EXPECT_LT(plan::live_registers(graph, ordered), 100);  // 149 in the order of the program
  for (std::size_t t = 0; t < ordered.terms.size(); ++t)
    for (const int operand : ordered.terms[t].operands) EXPECT_LT(operand, static_cast<int>(t));
}

struct VectorCase {
  const char* app;
  int dimension;
  om::Element precision;
  Wanted wanted;
};

/// One row, rows in blocks, arrays in place, kernels that reduce; margins on each side.
const VectorCase kVectorCases[] = {
    {"heat", 1, om::Element::f32, {{"/vector", "4"}}},
    {"heat", 2, om::Element::f64, {{"/vector", "4"}, {"/cells", "2"}, {"/block_x", "32"}}},
    {"acoustic", 3, om::Element::f32, {{"/vector", "4"}, {"/cells", "4"}, {"/block_x", "32"}}},
    {"hydro", 2, om::Element::f32, {{"/vector", "2"}, {"/ranges", "common"}}},
};

class VectorsOn : public testing::TestWithParam<DeviceBackend> {};

TEST_P(VectorsOn, EqualTheInterpreter) {
  PARAISO_NEEDS_BACKEND(GetParam());
  const std::vector<std::vector<std::int64_t>> sizes[] = {
      {{1}, {5}, {64}}, {{1, 2}, {7, 5}, {66, 9}}, {{3, 2, 3}, {34, 6, 3}, {16, 5, 9}}};
  const runtime::Backend& backend = GetParam().row();
  std::vector<Compared> all;
  for (const VectorCase& one : kVectorCases)
    all.push_back({planned(program_of(one.app, one.dimension, one.precision), backend, one.wanted),
                   sizes[one.dimension - 1], one.app});
  expect_equal_interpreter(backend, std::move(all));
}

INSTANTIATE_TEST_SUITE_P(Of, VectorsOn, testing::ValuesIn(device_backends()),
                         [](const auto& info) { return std::string(info.param.label); });

}  // namespace
}  // namespace paraiso
