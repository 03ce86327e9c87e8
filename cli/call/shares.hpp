// shares: how often `anneal` tries each method of birth, `--shares`.
// Gives: declare_shares, require_anneal. Needs: strategy, CLI11.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "paraiso/tune/strategy.hpp"

namespace paraiso::cli {

/// `--shares M:C:T`: mutations, crossovers and triangulations; only their ratios count. The
/// experiments of the 2012 paper are 3:3:3, 3:7:0 and 3:0:7.
void declare_shares(CLI::App& command, std::optional<tune::BirthShares>& shares);

/// Throws WrongCall if shares are given for a strategy that has none.
void require_anneal(const std::optional<tune::BirthShares>& shares, const std::string& strategy);

}  // namespace paraiso::cli
