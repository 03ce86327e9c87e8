// Random programs over special values (signed zeros, infinities, NaN, denormals, the least and the
// greatest) on devices, by OpenCL and as CUDA's text: the interpreter's bits, of cells, globals and
// ghost cells. PARAISO_SPECIAL sets how many programs (4), PARAISO_SPECIAL_SEED the first seed (1).
#include <gtest/gtest.h>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/verify/verify_backend.hpp"
#include "tests/device/backends.hpp"
#include "tests/differential/programs.hpp"
#include "tests/differential/states.hpp"
#include "tests/support/nested_extrema.hpp"
#include "tests/support/random_machine.hpp"
#include "tests/support/setting.hpp"
#include "tests/support/special_machine.hpp"
#include "tests/support/special_values.hpp"

namespace paraiso {
namespace {

std::string first_special_difference(const om::Machine& program, const runtime::Library& library,
                                     std::uint64_t seed) {
  Rng rng(seed);
  for (int round = 0; round < 2; ++round) {
    om::State state =
        test::special_state(program, {test::kSpecialValues, test::kSpecialValues}, round, rng);
    const auto instance = library.instance(state.size);
    test::set_state(*instance, state);
    for (const om::Kernel& kernel : program.kernels) {
      om::interpret(program, kernel, state);
      instance->run(kernel.name);
      const auto difference = test::compare_states(program, state, test::get_state(*instance));
      if (!difference.empty()) return "after `" + kernel.name + "`: " + difference;
    }
  }
  return {};
}

class SpecialValuesOnDevice : public testing::TestWithParam<DeviceBackend> {};

TEST_P(SpecialValuesOnDevice, EqualTheInterpreter) {
  PARAISO_NEEDS_BACKEND(GetParam());
  const runtime::Backend& backend = GetParam().row();
  const auto programs = test::setting("PARAISO_SPECIAL", 4);
  const auto first_seed = static_cast<std::uint64_t>(test::setting("PARAISO_SPECIAL_SEED", 1));
  constexpr test::SpecialForm kForms[] = {test::SpecialForm::cells, test::SpecialForm::boundary,
                                          test::SpecialForm::vectors};
  std::vector<plan::Plan> plans;
  for (std::int64_t n = 0; n < programs; ++n) {
    Rng rng(first_seed + static_cast<std::uint64_t>(n));
    const auto numbers = n % 2 == 0 ? passes::Numbers::fma : passes::Numbers::strict;
    const auto machine = test::special_machine(rng, kForms[n % std::size(kForms)], 6);
    plans.push_back(backend.make_plan(passes::prepare(machine, numbers), {}));
  }
  const auto libraries = backend.compile(plans, test_build());
  for (std::size_t i = 0; i < libraries.size(); ++i)
    EXPECT_EQ(first_special_difference(plans[i].machine, libraries[i], first_seed + i), "")
        << "seed " << first_seed + i << "\n"
        << om::print(plans[i].machine);
}

TEST_P(SpecialValuesOnDevice, ExtremaOfExtremaHaveTheBitsOfWhatIsWritten) {
  PARAISO_NEEDS_BACKEND(GetParam());
  const om::Machine written = test::nested_extrema();
  const om::Machine program = passes::prepare(written, passes::Numbers::fma);
  const runtime::Backend& backend = GetParam().row();
  std::vector<plan::Plan> plans;
  plans.push_back(backend.make_plan(program, {}));
  EXPECT_EQ(first_special_difference(written, backend.compile(plans, test_build()).front(), 1), "");
}

TEST_P(SpecialValuesOnDevice, OfKeptProgramsEqualTheInterpreter) {
  PARAISO_NEEDS_BACKEND(GetParam());
  const runtime::Backend& backend = GetParam().row();
  std::vector<plan::Plan> plans;
  for (const char* name : test::kSpecialPrograms)
    for (const auto numbers : {passes::Numbers::strict, passes::Numbers::fma})
      plans.push_back(backend.make_plan(passes::prepare(test::read_program(name), numbers), {}));
  const verify::VerifyOptions verify;
  for (const auto& library : backend.compile(plans, test_build())) {
    const auto difference = verify::verify_library(library, verify);
    EXPECT_FALSE(difference) << library.machine().name << ": " << difference->text();
  }
}

INSTANTIATE_TEST_SUITE_P(Of, SpecialValuesOnDevice, testing::ValuesIn(device_backends()),
                         [](const auto& info) { return std::string(info.param.label); });

}  // namespace
}  // namespace paraiso
