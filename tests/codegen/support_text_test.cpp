// The support text of generated code compiles by itself, without Paraiso.
#include "paraiso/codegen/support_text.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace paraiso::codegen {
namespace {

/// Uses every part of the header once: an operator, a function of the source, a reduction.
constexpr const char* kUser = R"(#include "paraiso_support.hpp"
int main() {
  const double cells[3] = {1, -2, 4};
  double partials[2] = {paraiso_support::reduce_chunk<paraiso_support::Sum>(cells, 3),
                        paraiso_support::reduce_chunk<paraiso_support::Min>(cells, 3)};
  const long sum = paraiso_support::cast<std::int32_t>(
      paraiso_support::combine_tree<paraiso_support::Sum>(partials, 2));
  return paraiso_support::exp(0.0) == 1 && paraiso_support::div(7, 0) == 0 && sum == 1 ? 0 : 1;
}
)";

class SupportText : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    std::string folder = (std::filesystem::temp_directory_path() / "support_text_XXXXXX").string();
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    folder_ = folder;
    std::ofstream(folder_ / "paraiso_support.hpp") << support_header();
    std::ofstream(folder_ / "paraiso_support.cpp") << support_source();
    std::ofstream(folder_ / "user.cpp") << kUser;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  int run(const std::string& command) const {
    return std::system(("cd " + folder_.string() + " && " + command).c_str());
  }
  std::filesystem::path folder_;
};

TEST_P(SupportText, CompilesAloneWithoutWarningsAndRuns) {
  const std::string compiler = GetParam();
  if (run("command -v " + compiler + " > /dev/null") != 0)
    GTEST_SKIP() << compiler << " is not installed";
  EXPECT_EQ(run(compiler + " -std=c++17 -O2 -Wall -Wextra -Wpedantic -Werror -ffp-contract=off "
                           "-o user user.cpp paraiso_support.cpp && ./user"),
            0);
}

INSTANTIATE_TEST_SUITE_P(Compilers, SupportText, testing::Values("g++", "clang++"),
                         [](const auto& info) {
                           return std::string(info.param) == "g++" ? "gcc" : "clang";
                         });

TEST(SupportTextFiles, IncludesNothingOfOurs) {
  EXPECT_EQ(support_header().find("#include \""), std::string_view::npos);
  EXPECT_EQ(support_header().find("#pragma once"), std::string_view::npos);
  EXPECT_EQ(support_source().find("#include \"paraiso/"), std::string_view::npos);
  EXPECT_NE(support_source().find("#include \"paraiso_support.hpp\""), std::string_view::npos);
}

}  // namespace
}  // namespace paraiso::codegen
