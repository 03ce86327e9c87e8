// The kernels of programs in every dialect: the same text but for the dialect's words; and in a
// toy one that only this test knows, which is a table and nothing else.
#include "paraiso/codegen/device/print/kernels_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <functional>
#include <regex>
#include <sstream>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/device/device_plan.hpp"
#include "paraiso/plan/device/search/device_search.hpp"

namespace paraiso::codegen {
namespace {

DeviceModule golden(const std::string& folder) {
  const std::string path = PARAISO_SOURCE_DIR "/tests/golden/" + folder + "/program.om";
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  const auto program = passes::prepare(om::parse(text.str(), path), passes::Numbers::fma);
  return make_device_module(plan::device_plan(program, plan::device_schedule(program, {})), "");
}

/// Every boundary, a boundary kernel, a reduction.
DeviceModule channel() { return golden("channel_3d"); }

bool has_word(const std::string& text, const std::string& word) {
  return text.find(word) != std::string::npos;
}

TEST(KernelsText, HasTheWordsOfItsDialectAlone) {
  const DeviceModule module = channel();
  const auto text = [&](const char* dialect) {
    return kernels_text(module, find_dialect(dialect));
  };
  EXPECT_TRUE(
      has_word(text("opencl"),
               "__kernel __attribute__((reqd_work_group_size(32, 8, 1))) void channel_proceed_1("));
  EXPECT_FALSE(has_word(text("opencl"), "__global__"));
  for (const char* dialect : {"cuda", "hip"}) {
    EXPECT_TRUE(
        has_word(text(dialect), "__global__ __launch_bounds__(256) void channel_proceed_1("))
        << dialect;
    EXPECT_TRUE(has_word(text(dialect), "threadIdx.x")) << dialect;
    for (const char* foreign : {"__kernel", "get_local_id", "cl_khr", "LONG", "THREAD_", "GLOBAL"})
      EXPECT_FALSE(has_word(text(dialect), foreign)) << dialect << ": " << foreign;
  }
}

TEST(KernelsText, OfATableIsInItsWords) {
  Dialect toy = find_dialect("opencl");
  toy.head = "use toys\n";
  toy.kernel = "playful";
  toy.block_bounds = "by({0}, {1})";
  toy.restrict = "own";
  toy.global = "shelf";
  toy.i64 = "big";
  toy.thread = "child(@)";
  const std::string text = kernels_text(channel(), toy);
  EXPECT_TRUE(text.starts_with("use toys\n"));
  EXPECT_TRUE(has_word(
      text, "playful by(32, 8) void channel_proceed_1(Grid grid, shelf const double* own"));
  EXPECT_TRUE(has_word(text, "const big row = grid.stride[1];"));
  EXPECT_TRUE(has_word(text, "child(0)"));
}

// --- token by token ---

/// Names, numbers and signs, without comments.
std::vector<std::string> tokens_of(const std::string& text) {
  const std::string code = std::regex_replace(text, std::regex("//[^\n]*"), "");
  const std::regex token("[A-Za-z_]\\w*|[0-9][\\w.]*|\\S");
  return {std::sregex_token_iterator(code.begin(), code.end(), token), {}};
}

/// The text of `from` in the words of `to`: what a spelling stands for, phrase by phrase, the
/// longer ones first. What says where things lie has no counterpart in each language: it goes.
std::vector<std::string> in_words_of(const Dialect& to, const Dialect& from, std::string text) {
  text.erase(0, std::string_view(from.head).size());
  if (const auto macros = text.find(from.store_bytes); macros != std::string::npos)
    text.erase(macros, std::string_view(from.store_bytes).size());
  // The bounds of a kernel's blocks: parentheses in parentheses.
  text = std::regex_replace(
      text, std::regex("__launch_bounds__\\([^)]*\\)|__attribute__\\(\\(reqd[^)]*\\)\\)\\)"), "");
  std::vector<std::pair<std::string, std::string>> phrases;
  for (const Dialect* dialect : {&from, &to})
    for (const char* place :
         {dialect->function, dialect->routine, dialect->kernel, dialect->table, dialect->constant,
          dialect->global, dialect->shared, dialect->local, dialect->restrict})
      if (*place) phrases.emplace_back(place, "");
  for (const auto word : {&Dialect::barrier, &Dialect::bits_of_f64, &Dialect::f64_of_bits,
                          &Dialect::f32_of_bits, &Dialect::u64, &Dialect::i64})
    phrases.emplace_back(from.*word, to.*word);
  for (const auto word :
       {&Dialect::thread, &Dialect::block_size, &Dialect::block, &Dialect::blocks})
    for (int axis = 0; axis < 3; ++axis)
      phrases.emplace_back(std::regex_replace(from.*word, std::regex("@"), from.axes[axis]),
                           std::regex_replace(to.*word, std::regex("@"), to.axes[axis]));
  std::ranges::stable_sort(phrases, std::greater(), [](const auto& p) { return p.first.size(); });
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto fits = [&](const auto& phrase) {
      const auto in_name = [&](std::size_t i) {
        return i < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_');
      };
      const std::size_t end = at + phrase.first.size();
      return text.compare(at, phrase.first.size(), phrase.first) == 0 &&
             !(at > 0 && in_name(at - 1) && in_name(at)) && !(in_name(end - 1) && in_name(end));
    };
    const auto phrase = std::ranges::find_if(phrases, fits);
    result += phrase == phrases.end() ? std::string(1, text[at]) : phrase->second;
    at += phrase == phrases.end() ? 1 : phrase->first.size();
  }
  std::vector<std::string> tokens = tokens_of(result);
  for (std::string& token : tokens)  // OpenCL C has one name for both
    if (token == from.fma_f32 || token == to.fma_f32) token = to.fma_f64;
  std::erase(tokens, "const");  // some spellings of tables have it
  return tokens;
}

TEST(KernelsText, IsTheSameTokenByToken) {
  for (const char* folder : {"wave_1d", "diffusion_2d", "relaxation_2d", "life_2d", "channel_3d"}) {
    const DeviceModule module = golden(folder);
    const Dialect& cuda = find_dialect("cuda");
    const auto tokens = [&](const char* name) {
      const Dialect& dialect = find_dialect(name);
      return in_words_of(cuda, dialect, kernels_text(module, dialect));
    };
    EXPECT_GT(tokens("cuda").size(), 300u) << folder;
    EXPECT_EQ(tokens("opencl"), tokens("cuda")) << folder;
    EXPECT_EQ(tokens("hip"), tokens("cuda")) << folder;
  }
}

}  // namespace
}  // namespace paraiso::codegen
