#include "paraiso/tune/evaluate/worker_answer.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/temporary_folder.hpp"

namespace paraiso::tune {
namespace {

struct WorkerAnswer : testing::Test {
  runtime::TemporaryFolder folder;
  std::filesystem::path file = folder.path() / "answer.json";

  std::optional<nlohmann::ordered_json> after(int status) const {
    runtime::ProgramResult result;
    result.status = status;
    return worker_answer(result, file);
  }
};

TEST_F(WorkerAnswer, IsWhatItWrote) {
  runtime::write_file(file, R"({"samples": [1.5]})");
  const auto answer = after(0);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->dump(), R"({"samples":[1.5]})");
}

TEST_F(WorkerAnswer, IsNoneWithoutAFileAndFromAWorkerThatDidNotComeToItsEnd) {
  EXPECT_FALSE(after(0));
  runtime::write_file(file, R"({"samples": [1.5]})");
  EXPECT_FALSE(after(1));
  EXPECT_FALSE(after(128 + 11));
}

TEST_F(WorkerAnswer, MayBeGarbage) {
  for (const char* text : {"", "[", "\xff", "{\"samples\": "}) {
    runtime::write_file(file, text);
    const auto answer = after(0);
    ASSERT_TRUE(answer) << text;
    EXPECT_TRUE(answer->is_discarded()) << text;
  }
  for (const char* text : {"[]", "3", R"({"cannot_write": 3})"}) {
    runtime::write_file(file, text);
    EXPECT_TRUE(after(0)) << text;
  }
}

TEST_F(WorkerAnswer, ThrowsWhereNothingCouldBeWritten) {
  EXPECT_THROW(static_cast<void>(after(kCannotAnswer)), runtime::CannotWrite);
  runtime::write_file(file, R"({"cannot_write": "can't write `x`: No space left on device"})");
  try {
    static_cast<void>(after(0));
    FAIL() << "it does not throw";
  } catch (const runtime::CannotWrite& error) {
    EXPECT_EQ(error.diagnostics()[0].message, "can't write `x`: No space left on device");
  }
}

}  // namespace
}  // namespace paraiso::tune
