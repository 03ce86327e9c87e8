#include "cli/call/shares.hpp"

#include <fmt/format.h>

#include "cli/call/session.hpp"
#include "cli/call/values.hpp"
#include "paraiso/base/text.hpp"

namespace paraiso::cli {

namespace {

tune::BirthShares shares_in(const std::string& text) {
  std::vector<double> shares;
  for (const std::string& word : split(text, ':'))
    if (const auto share = finite_number(word); share && *share >= 0) shares.push_back(*share);
  if (shares.size() != 3 || split(text, ':').size() != 3 || shares[0] + shares[1] + shares[2] == 0)
    throw WrongCall(
        fmt::format("`--shares` needs three numbers, of mutation, crossover and "
                    "triangulation, like `3:3:3`, got {}",
                    shown(text)));
  return {.mutation = shares[0], .crossover = shares[1], .triangulation = shares[2]};
}

}  // namespace

void declare_shares(CLI::App& command, std::optional<tune::BirthShares>& shares) {
  command
      .add_option_function<std::string>(
          "--shares", [&shares](const std::string& text) { shares = shares_in(text); },
          "mutation, crossover, triangulation; default 1:1:1")
      ->type_name("M:C:T");
}

void require_anneal(const std::optional<tune::BirthShares>& shares, const std::string& strategy) {
  if (shares && strategy != "anneal")
    throw WrongCall(fmt::format("`--shares` is for `anneal`, not for `{}`", strategy));
}

}  // namespace paraiso::cli
