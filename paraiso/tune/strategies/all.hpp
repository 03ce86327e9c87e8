// The strategies, one file each, which explains it.
// Gives: make_NAME. Needs: strategy.
#pragma once

#include "paraiso/tune/strategy.hpp"

namespace paraiso::tune {

[[nodiscard]] std::unique_ptr<Strategy> make_anneal(const SearchContext& setting);
[[nodiscard]] std::unique_ptr<Strategy> make_bandit(const SearchContext& setting);
[[nodiscard]] std::unique_ptr<Strategy> make_differential(const SearchContext& setting);
[[nodiscard]] std::unique_ptr<Strategy> make_exhaustive(const SearchContext& setting);
[[nodiscard]] std::unique_ptr<Strategy> make_genetic(const SearchContext& setting);
[[nodiscard]] std::unique_ptr<Strategy> make_greedy(const SearchContext& setting);
[[nodiscard]] std::unique_ptr<Strategy> make_guided(const SearchContext& setting);
[[nodiscard]] std::unique_ptr<Strategy> make_local_search(const SearchContext& setting);
[[nodiscard]] std::unique_ptr<Strategy> make_nelder_mead(const SearchContext& setting);
[[nodiscard]] std::unique_ptr<Strategy> make_random(const SearchContext& setting);
[[nodiscard]] std::unique_ptr<Strategy> make_scattered(const SearchContext& setting);
[[nodiscard]] std::unique_ptr<Strategy> make_surrogate(const SearchContext& setting);
[[nodiscard]] std::unique_ptr<Strategy> make_swarm(const SearchContext& setting);
[[nodiscard]] std::unique_ptr<Strategy> make_torczon(const SearchContext& setting);

}  // namespace paraiso::tune
