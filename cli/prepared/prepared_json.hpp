// prepared_json: what `run --json` and `bench --json` both say of what runs. Gives: prepared_json.
// Needs: prepared.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cli/prepared/prepared.hpp"

namespace paraiso::cli {

/// The program, how it was built, and where it runs; not what it did.
[[nodiscard]] nlohmann::ordered_json prepared_json(const Prepared& prepared);

}  // namespace paraiso::cli
