// Grids of more than 2^31 cells have the size that they have. The machine keeps no array, so that
// memory suffices.
#include <gtest/gtest.h>

#include "paraiso/om/interpret/interpret.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/build/compile.hpp"
#include "tests/support/compiled.hpp"

namespace paraiso::runtime {
namespace {

om::Machine counting() {
  return passes::prepare(om::parse(R"(paraiso 1
machine counting dimension 2
static cells global i64
kernel count
  %0 = load_size 0
  %1 = load_size 1
  %2 = mul %0 %1
  store cells %2
end
end machine
)"),
                         passes::Numbers::strict);
}

using Size = std::vector<std::int64_t>;

/// Which takes up to 2^32 cells.
TEST(LargeGrid, OfTheInterpreter) {
  const auto program = counting();
  for (const Size& size : {Size{3000000000, 1}, Size{1, 3000000000}, Size{65537, 32769}}) {
    om::State state = om::initial_state(program, size);
    om::interpret(program, program.kernels[0], state);
    EXPECT_EQ(state.arrays[0].at(0).as<std::int64_t>(), size[0] * size[1]);
  }
}

TEST(LargeGrid, OfGeneratedCode) {
  const auto program = counting();
  CompileOptions options;
  options.cache = PARAISO_BINARY_DIR "/test-cache";
  options.optimization = "-O1";
  const auto library =
      compile(plan::plan_program(program, plan::default_schedule(program)), options);
  for (const Size& size : {Size{3000000000, 1}, Size{1, 3000000000}, Size{3000000000, 3000}}) {
    const auto instance = library.instance(size);
    instance->run("count");
    EXPECT_EQ(instance->scalar(om::StaticId(0)).as<std::int64_t>(), size[0] * size[1]);
  }
}

}  // namespace
}  // namespace paraiso::runtime
