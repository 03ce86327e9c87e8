#include "paraiso/passes/passes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/base/text.hpp"
#include "paraiso/om/verify.hpp"
#include "paraiso/passes/contract.hpp"
#include "paraiso/passes/remove_dead.hpp"
#include "paraiso/passes/simplify.hpp"

namespace paraiso::passes {

const char* name(Numbers numbers) {
  switch (numbers) {
    case Numbers::strict: return "strict";
    case Numbers::fma: return "fma";
    case Numbers::fast: return "fast";
  }
  return "";
}

std::optional<Numbers> parse_numbers(std::string_view text) {
  for (auto n : {Numbers::strict, Numbers::fma, Numbers::fast})
    if (text == name(n)) return n;
  return std::nullopt;
}

const std::vector<Pass>& passes() {
  static const std::vector<Pass> table = {
      {"remove_dead", "drop what no Store needs", remove_dead, false},
      {"simplify", "algebra that changes no bit", simplify, false},
      {"contract", "make multiply-adds explicit (not in strict)", contract, true},
      {"sweep", "drop what the passes before left unused", remove_dead, false},
  };
  return table;
}

om::Machine prepare(const om::Machine& machine, Numbers numbers, std::string_view after) {
  std::vector<std::string> names;
  for (const auto& pass : passes()) names.push_back(pass.name);
  if (!after.empty() && std::ranges::find(names, after) == names.end()) {
    Error error(fmt::format("there is no pass `{}`", after));
    std::string near = nearest(after, names);
    throw near.empty() ? error.with_hint(fmt::format("passes: {}", fmt::join(names, ", ")))
                       : error.with_hint(fmt::format("did you mean `{}`?", near));
  }
  om::Machine result = machine;
  om::verify(result);
  for (const auto& pass : passes()) {
    if (!(pass.fma_only && numbers == Numbers::strict)) {
      result = pass.run(result);
      om::verify(result);
    }
    if (after == pass.name) break;
  }
  return result;
}

}  // namespace paraiso::passes
