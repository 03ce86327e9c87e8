// The strategies, one file each, which tells what it does.
// Gives: make_NAME. Needs: strategy.
#pragma once

#include "paraiso/tune/strategy.hpp"

namespace paraiso::tune {

[[nodiscard]] std::unique_ptr<Strategy> make_anneal(const Setting& setting);
[[nodiscard]] std::unique_ptr<Strategy> make_exhaustive(const Setting& setting);
[[nodiscard]] std::unique_ptr<Strategy> make_greedy(const Setting& setting);
[[nodiscard]] std::unique_ptr<Strategy> make_nelder_mead(const Setting& setting);
[[nodiscard]] std::unique_ptr<Strategy> make_random(const Setting& setting);
[[nodiscard]] std::unique_ptr<Strategy> make_torczon(const Setting& setting);

}  // namespace paraiso::tune
