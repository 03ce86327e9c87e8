// genes_json: a gene table as JSON, in a database and in a recording: [[name, [allele, ...]], ...]
// Gives: genes_json, genes_from. Needs: plan's genes, nlohmann_json.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "paraiso/plan/schedule/schedule.hpp"

namespace paraiso::tune {

[[nodiscard]] nlohmann::ordered_json genes_json(const std::vector<plan::Gene>& genes);
/// Throws Json::exception if it is not such a table, Error for a gene without alleles.
[[nodiscard]] std::vector<plan::Gene> genes_from(const nlohmann::ordered_json& json);

}  // namespace paraiso::tune
