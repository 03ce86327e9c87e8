// Five small programs on their way from text to code, kept whole: the machine after each pass, the
// plan, the generated source. scripts/rewrite-goldens.sh writes them anew.
//
// Of each program its folder has
//   program.om                    as written: the one file that nobody makes
//   after/1_remove_dead.om, ...   after each pass, of two steps where passes fuse steps
//   after/strict.om               after all of `prepare`, where no multiply-adds are made
//   default.plan, fused.plan      the default schedule and its plan, of one step and of two
//   SCHEDULE.plan, SCHEDULE.cpp   under a given schedule
//   plain.hpp, plain_strict.cpp   of the first one also the header, and the source in strict
//   numbers
//                                 where that differs
//   project/                      of one program what `emit --mpi` writes of its own, with the
//                                 runtime's entry points
//   opencl.cl, cuda.cu, hip.hip   the kernels of devices, under the default schedule of devices
//   opencl.cpp, cuda.cpp          of some their host's side, without the kernels
// Plans are forecast for the documented machine: nothing depends on the one that runs the test.
#include "tests/support/golden.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "paraiso/codegen/cpu/openmp.hpp"
#include "paraiso/codegen/device/host/device_class.hpp"
#include "paraiso/codegen/device/print/kernels_text.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/describe.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/cpu/loop_words.hpp"
#include "paraiso/plan/device/device_plan.hpp"
#include "paraiso/plan/device/search/device_search.hpp"
#include "paraiso/plan/make/repair.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "tests/support/cpu_plans.hpp"

namespace paraiso {
namespace {

using Texts = std::map<std::string, std::string>;  // by the file's name

/// A way to run the program; a gene that is not chosen takes its default.
struct NamedSchedule {
  std::string name;
  int steps = 1;  // fused
  std::map<std::string, std::string> choices = {};
};

struct Program {
  std::string folder;
  std::vector<NamedSchedule> schedules;
  bool project = false;  // of the first schedule
  bool device = false;   // also the host's side of its kernels
};

void PrintTo(const Program& program, std::ostream* out) { *out << program.folder; }

/// After so many of its steps are fused.
om::Machine fused(const om::Machine& prepared, int steps) {
  return passes::fuse(prepared, steps).machine;
}

Texts after_passes(const om::Machine& machine, const om::Machine& prepared) {
  Texts texts;
  int count = 0;
  for (const passes::Pass& pass : passes::passes()) {
    if (!pass.runs_in(passes::Numbers::fma)) continue;
    const om::Machine after =
        pass.phase == passes::Phase::prepare
            ? passes::prepare(machine, passes::Numbers::fma, pass.name)
            : passes::fuse(prepared, 2, /*hold_time_step=*/false, pass.name).machine;
    texts[fmt::format("after/{}_{}.om", ++count, pass.name)] = om::print(after);
  }
  texts["after/strict.om"] = om::print(passes::prepare(machine, passes::Numbers::strict));
  return texts;
}

std::string planned(const om::Machine& program, const plan::Schedule& schedule) {
  return fmt::format(
      "{}\n{}", plan::print(schedule, program),
      plan::describe(plan::plan_program(program, schedule), plan::large_grid(program.dimension),
                     plan::predict, plan::cpu_loops));
}

/// As it was chosen: what repair has to change should not be kept under its name.
plan::Schedule chosen(const om::Machine& program, const NamedSchedule& schedule) {
  const plan::Schedule result = plan::repair(program, {schedule.choices});
  for (const auto& [gene, allele] : schedule.choices)
    EXPECT_EQ(result.choices.at(gene), allele) << schedule.name << ": " << gene << " is repaired";
  return result;
}

/// NAME.hpp and NAME.cpp of the machine, and what the options ask for.
Texts sources(const om::Machine& program, const NamedSchedule& schedule,
              const codegen::GenerateOptions& options = {}) {
  Texts texts;
  for (const auto& file :
       codegen::generate_openmp(plan::plan_program(program, chosen(program, schedule)), options))
    if (!file.name.starts_with("paraiso_support")) texts[file.name] = file.text;
  return texts;
}

/// The back ends of devices: the kernels, and the host's source without their text.
Texts device_texts(const om::Machine& program, bool with_host) {
  const plan::Plan plan = plan::device_plan(program, plan::device_schedule(program, {}));
  const codegen::DeviceModule module = codegen::make_device_module(plan, "");
  Texts texts;
  for (const codegen::Dialect& dialect : codegen::dialects()) {
    const std::string kernels = codegen::kernels_text(module, dialect), name = dialect.name;
    texts[name + dialect.suffix] = kernels;
    if (!with_host || name == "hip") continue;
    std::string source = codegen::print_device_source(module, dialect);
    if (const auto at = source.find(kernels); at != source.npos) source.erase(at, kernels.size());
    texts[name + ".cpp"] = source;
  }
  return texts;
}

/// All of a program that is kept, by the file's name.
Texts texts_of(const Program& program, const om::Machine& machine) {
  const om::Machine prepared = passes::prepare(machine, passes::Numbers::fma);
  Texts made = after_passes(machine, prepared);
  for (const auto& [file, steps] : {std::pair{"default.plan", 1}, {"fused.plan", 2}}) {
    const om::Machine whole = fused(prepared, steps);
    made[file] = planned(whole, plan::default_schedule(whole));
  }
  for (const NamedSchedule& schedule : program.schedules) {
    const om::Machine whole = fused(prepared, schedule.steps);
    made[schedule.name + ".plan"] = planned(whole, chosen(whole, schedule));
    made[schedule.name + ".cpp"] = sources(whole, schedule).at(machine.name + ".cpp");
  }
  const NamedSchedule& first = program.schedules.at(0);
  const om::Machine whole = fused(prepared, first.steps);
  const om::Machine strict = fused(passes::prepare(machine, passes::Numbers::strict), first.steps);
  made[first.name + ".hpp"] = sources(whole, first).at(machine.name + ".hpp");
  const std::string strictly = sources(strict, first).at(machine.name + ".cpp");
  if (strictly != made[first.name + ".cpp"]) made[first.name + "_strict.cpp"] = strictly;
  made.merge(device_texts(prepared, program.device));
  if (program.project)
    for (const auto& [file, text] :
         sources(whole, first, {.class_name = {}, .plugin = true, .standalone = true, .mpi = true}))
      if (!file.starts_with("paraiso_")) made["project/" + file] = text;
  return made;
}

class Golden : public testing::TestWithParam<Program> {};

TEST_P(Golden, TextsAreAsKept) {
  const std::filesystem::path folder =
      std::filesystem::path(PARAISO_SOURCE_DIR "/tests/golden") / GetParam().folder;
  const om::Machine machine = om::parse(runtime::read_file(folder / "program.om"), "program.om");
  test::expect_golden_folder(folder, texts_of(GetParam(), machine), {"program.om"});
}

/// Of a step's kernel, or of fused ones: gene -> allele without the kernel's name.
std::map<std::string, std::string> of(const std::string& kernel,
                                      const std::map<std::string, std::string>& choices) {
  std::map<std::string, std::string> named;
  for (const auto& [gene, allele] : choices) named[kernel + "/" + gene] = allele;
  return named;
}

std::vector<Program> programs() {
  const std::string step = "proceed", pair = "proceed_2";
  return {
      {"wave_1d",
       {{"plain"},
        {"vectors", 1,
         of(step,
            {{"vectors", "4"}, {"streaming", "large"}, {"prefetch", "row"}, {"tile_x", "1024"}})},
        {"arrays", 1, of(step, {{"laplacian.storage", "array"}, {"g1.storage", "array_alone"}})},
        {"pair_in_scratch", 2,
         of(pair, {{"f1.storage", "scratch"}, {"g1.storage", "scratch"}, {"tile_x", "256"}})}}},
      {"diffusion_2d",
       {{"plain"},
        {"tiles", 1,
         of(step, {{"smooth.storage", "scratch"},
                   {"flux.storage", "scratch"},
                   {"tile_x", "64"},
                   {"tile_y", "8"}})},
        {"sweep", 1, of(step, {{"smooth.storage", "rolling"}, {"flux.storage", "rolling"}})},
        {"overlapped", 1, of(step, {{"exchange", "overlapped"}})},
        {"sweep_in_vectors", 1,
         of(step, {{"smooth.storage", "rolling"},
                   {"flux.storage", "rolling"},
                   {"vectors", "2"},
                   {"jam", "2"},
                   {"prefetch", "row"},
                   {"streaming", "large"}})},
        {"divides_together", 1,
         of(step, {{"divides", "together"},
                   {"smooth.storage", "array"},
                   {"flux.storage", "rolling"},
                   {"grouping", "apart"}})}}},
      {"relaxation_2d",
       {{"plain"},
        {"jam", 1, of(step, {{"jam", "4"}, {"next.storage", "array"}})},
        {"pair", 2, of(pair, {{"next.storage", "rolling"}})},
        {"split_pair", 2,
         of(pair, {{"next.storage", "rolling"},
                   {"form", "split"},
                   {"tile_y", "32"},
                   {"prefetch", "row"}})}}},
      {"life_2d",
       {{"plain"},
        {"sweep", 1,
         of(step,
            {{"row.storage", "rolling"}, {"neighbours.storage", "scratch"}, {"vectors", "2"}})},
        {"arrays", 1, of(step, {{"grouping", "apart"}, {"odd.storage", "array"}})}},
       /*project=*/false,
       /*device=*/true},
      {"channel_3d",
       {{"plain"},
        {"pair", 2, of(pair, {})},
        {"pair_swept", 2,
         of(pair, {{"momentum.state", "rolling"}, {"dye.state", "rolling"}, {"tile_y", "64"}})},
        {"pair_swept_along_y", 2,
         of(pair, {{"momentum.state", "rolling"}, {"dye.state", "rolling"}, {"sweep", "y"}})}},
       /*project=*/true,
       /*device=*/true},
  };
}

INSTANTIATE_TEST_SUITE_P(Programs, Golden, testing::ValuesIn(programs()),
                         [](const auto& info) { return info.param.folder; });

}  // namespace
}  // namespace paraiso
