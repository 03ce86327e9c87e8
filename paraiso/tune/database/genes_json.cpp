#include "paraiso/tune/database/genes_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "paraiso/base/error.hpp"

namespace paraiso::tune {

using Json = nlohmann::ordered_json;

Json genes_json(const std::vector<plan::Gene>& genes) {
  Json rows = Json::array();
  for (const plan::Gene& gene : genes) rows.push_back({gene.name, gene.alleles});
  return rows;
}

std::vector<plan::Gene> genes_from(const Json& json) {
  using Row = std::pair<std::string, std::vector<std::string>>;
  std::vector<plan::Gene> genes;
  for (const Row& row : json.get<std::vector<Row>>()) {
    if (row.second.empty()) throw Error(fmt::format("gene `{}` has no alleles", row.first));
    genes.push_back({row.first, row.second});
  }
  return genes;
}

}  // namespace paraiso::tune
