// Programs under schedules that once had other bits on a device than the interpreter. Each is kept
// as schedules/NAME.om, with NAME.schedule beside it.
#include <gtest/gtest.h>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/verify/verify_backend.hpp"
#include "tests/device/backends.hpp"

namespace paraiso {
namespace {

std::string text_of(const std::string& file) {
  return runtime::read_file(PARAISO_SOURCE_DIR "/tests/device/schedules/" + file);
}

class KeptSchedules : public testing::TestWithParam<DeviceBackend> {
 protected:
  /// What differs from the interpreter.
  static std::string difference(const std::string& name, const passes::Numbers numbers) {
    const runtime::Backend& backend = GetParam().row();
    const om::Machine program = passes::prepare(om::parse(text_of(name + ".om")), numbers);
    const plan::Plan plan =
        backend.make_plan(program, plan::parse(text_of(name + ".schedule"), name + ".schedule",
                                               program, plan::genes(program, backend.options)));
    verify::VerifyOptions compared;
    compared.backend = &backend;
    compared.sizes = {{4, 6}, {67, 9}};
    const auto found =
        verify::verify_library(backend.compile({&plan, 1}, test_build())[0], compared);
    return found ? found->text() : "";
  }
};

/// PoCL 3.1 made wrong code of a barrier at the end of a sweep's turn.
TEST_P(KeptSchedules, MayWaitBetweenTurns) {
  PARAISO_NEEDS_BACKEND(GetParam());
  EXPECT_EQ(difference("between_turns_2d", passes::Numbers::strict), "");
}

/// What a loop finds beyond the grid are cells of the grid: it must not overwrite them meanwhile.
TEST_P(KeptSchedules, OverwriteNoCellsThatAreFound) {
  PARAISO_NEEDS_BACKEND(GetParam());
  EXPECT_EQ(difference("in_place_beyond_2d", passes::Numbers::strict), "");
}

INSTANTIATE_TEST_SUITE_P(Of, KeptSchedules, testing::ValuesIn(device_backends()),
                         [](const auto& info) { return std::string(info.param.label); });

}  // namespace
}  // namespace paraiso
