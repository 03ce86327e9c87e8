#include "paraiso/codegen/device/print/vector_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "paraiso/codegen/claris/walk.hpp"

namespace paraiso::codegen {

using namespace claris;
using om::Element;

namespace {

constexpr std::size_t kMostAligned = 16;  // bytes: what one instruction loads

// 0: cells, 1: the element's name, 2: its type, 3: bytes of alignment.
constexpr const char* kVectorText =
    R"(/// {0} neighbours, which one instruction loads or stores.
typedef struct __attribute__((aligned({3}))) {{
  {2} at[{0}];
}} Vector_{0}_{1};

)";

constexpr const char* kLoadText =
    R"(FUNCTION void load_{0}_{1}({2}* cells, GLOBAL const {2}* from) {{
  const Vector_{0}_{1} loaded = *(GLOBAL const Vector_{0}_{1}*)from;
  for (int c = 0; c < {0}; ++c) cells[c] = loaded.at[c];
}}

)";

// 4: the assignment.
constexpr const char* kStoreText =
    R"(/// The first `count` cells, or all where there are not so many.
FUNCTION void store_{0}_{1}(GLOBAL {2}* to, const {2}* cells, LONG count) {{
  if (count < {0}) {{
    for (int c = 0; c < {0}; ++c)
      if (c < count) to[c] = cells[c];
    return;
  }}
  Vector_{0}_{1} stored;
  for (int c = 0; c < {0}; ++c) stored.at[c] = cells[c];
{4}}}

)";

/// Of `stored` to `to`, in pieces of the bytes that one instruction stores.
std::string assignment(int cells, Element element) {
  const std::size_t bytes = static_cast<std::size_t>(cells) * om::size_of(element);
  const std::size_t piece = std::min(bytes, kMostAligned);
  std::string text;
  for (std::size_t from = 0; from < bytes; from += piece)
    text += fmt::format("  STORE_{0}(to + {1}, stored.at + {1});\n", piece,
                        from / om::size_of(element));
  return text;
}

using VectorTypes = std::set<std::pair<int, Element>>;

template <class Node>
void collect(const Block& block, VectorTypes& found) {
  for (const Statement& statement : block) {
    if (const auto* of_device = std::get_if<DeviceStatement>(&statement.node))
      if (const auto* node = std::get_if<Node>(of_device); node && node->cells > 1)
        found.insert({node->cells, node->element});
    for (const Block* part : parts(statement).blocks) collect<Node>(*part, found);
  }
}

std::string vector_name(Element element, int cells) {
  return fmt::format("{}_{}", cells, om::name(element));
}

}  // namespace

std::string load_function(Element element, int cells) {
  return "load_" + vector_name(element, cells);
}

std::string store_function(Element element, int cells) {
  return "store_" + vector_name(element, cells);
}

std::string vector_functions(const Dialect& dialect, const std::vector<Function>& functions) {
  VectorTypes loaded, stored;
  for (const Function& function : functions) {
    collect<LoadCells>(function.body, loaded);
    collect<StoreGhosts>(function.body, loaded);
    collect<StoreCells>(function.body, stored);
  }
  VectorTypes all = loaded;
  all.insert(stored.begin(), stored.end());
  std::string text = stored.empty() ? "" : dialect.store_bytes;
  for (const auto& one : all) {
    const auto print = [&](const char* what) {
      const auto& [cells, element] = one;
      const std::size_t bytes = static_cast<std::size_t>(cells) * om::size_of(element);
      text +=
          fmt::format(fmt::runtime(what), cells, om::name(element), memory_type(dialect, element),
                      std::min(bytes, kMostAligned), assignment(cells, element));
    };
    print(kVectorText);
    if (loaded.contains(one)) print(kLoadText);
    if (stored.contains(one)) print(kStoreText);
  }
  return text;
}

}  // namespace paraiso::codegen
