#include "paraiso/tune/predict/recipe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "paraiso/base/text.hpp"
#include "paraiso/plan/schedule/exchange_gene.hpp"
#include "paraiso/plan/search/keep_values.hpp"

namespace paraiso::tune {

namespace {

using Json = nlohmann::ordered_json;

// Additions: what costs less is computed again as soon as it could be read, and what costs more
// than `kDear` never.
constexpr double kCheap = 4, kDear = 20;

std::string role_of(const plan::StorageGene& gene, const plan::ValueDemand& demand) {
  std::string role = demand.kept ? "kept" : "free";
  if (gene.alleles.front() == plan::kArray) role = "state";
  role += demand.uses < 2 ? " 1" : demand.uses < 4 ? " 2-3" : " 4+";
  role += demand.cost < kCheap ? " cheap" : demand.cost < kDear ? " fair" : " dear";
  if (demand.divides) role += " divides";
  if (demand.crosses) role += " crosses";
  if (demand.stored) role += " result";
  return role;
}

/// `xy 5 depth 3 cost 32 mul`
std::string details_of(const plan::ValueDemand& demand) {
  std::string text;
  for (std::size_t a = 0; a < 3; ++a)
    if (demand.axes >> a & 1) text += "xyz"[a];
  const int doublings = demand.cost > 0 ? static_cast<int>(std::floor(std::log2(demand.cost))) : 0;
  return fmt::format("{} {} depth {} cost {} {}", text.empty() ? "here" : text, demand.uses,
                     demand.depth, std::exp2(doublings), demand.made_by);
}

/// What a recipe may call a value by, what tells most first.
std::vector<std::string> keys_of(const Role& role) {
  std::vector<std::string> keys;
  if (!role.computation.empty()) keys.push_back("= " + role.computation);
  if (!role.details.empty()) keys.push_back(role.name + ": " + role.details);
  keys.push_back(role.name);
  return keys;
}

using Votes = std::map<std::string, std::map<std::string, int>>;  // key -> allele -> values

std::map<std::string, std::string> most_of(const Votes& votes) {
  std::map<std::string, std::string> most;
  for (const auto& [key, alleles] : votes)
    most[key] =
        std::ranges::max_element(alleles, {}, [](const auto& vote) { return vote.second; })->first;
  return most;
}

const std::string& allele_of(const plan::Gene& gene, const plan::Schedule& schedule) {
  const auto chosen = schedule.choices.find(gene.name);
  return chosen == schedule.choices.end() ? gene.alleles.front() : chosen->second;
}

}  // namespace

std::vector<Role> roles_of(const om::Kernel& kernel, plan::OptionTable options, bool on_ranks) {
  std::vector<Role> roles;
  for (const plan::OptionGene& option : options(kernel.graph.dimension()))
    roles.push_back({option.name, true});
  const plan::KernelGenes genes = plan::kernel_genes(kernel);
  const auto demands = plan::demands(kernel, genes);
  for (std::size_t g = 0; g < genes.storage.size(); ++g)
    roles.push_back({role_of(genes.storage[g], demands[g]), false, details_of(demands[g]),
                     hex(demands[g].computation)});
  if (on_ranks) roles.push_back({plan::kExchange, true});
  return roles;
}

Recipe recipe_of(const std::vector<plan::Gene>& genes, const std::vector<Role>& roles,
                 const plan::Schedule& schedule) {
  Recipe recipe;
  Votes finest, coarser;
  for (std::size_t g = 0; g < genes.size(); ++g) {
    const std::string& allele = allele_of(genes[g], schedule);
    if (roles[g].is_option)
      recipe.options[roles[g].name] = allele;
    else
      ++finest[keys_of(roles[g]).front()][allele];
  }
  recipe.storage = most_of(finest);
  // Values count as they are stored through the recipe, whose schedule is then of the same recipe.
  for (const Role& role : roles) {
    if (role.is_option) continue;
    const auto keys = keys_of(role);
    for (std::size_t k = 1; k < keys.size(); ++k)
      ++coarser[keys[k]][recipe.storage.at(keys.front())];
  }
  recipe.storage.merge(most_of(coarser));
  return recipe;
}

plan::Schedule schedule_of(const Recipe& recipe, const std::vector<plan::Gene>& genes,
                           const std::vector<Role>& roles, plan::Schedule base) {
  for (std::size_t g = 0; g < genes.size(); ++g) {
    const auto& chosen = roles[g].is_option ? recipe.options : recipe.storage;
    for (const std::string& key : keys_of(roles[g])) {
      const auto allele = chosen.find(key);
      if (allele == chosen.end() ||
          std::ranges::find(genes[g].alleles, allele->second) == genes[g].alleles.end())
        continue;
      base.choices[genes[g].name] = allele->second;
      break;
    }
  }
  return base;
}

bool agree(const Recipe& one, const Recipe& other) {
  const auto alike = [](const auto& mine, const auto& theirs) {
    return std::ranges::all_of(mine, [&](const auto& choice) {
      const auto other = theirs.find(choice.first);
      return other == theirs.end() || other->second == choice.second;
    });
  };
  return alike(one.options, other.options) && alike(one.storage, other.storage);
}

Json roles_json(const std::vector<Role>& roles) {
  Json rows = Json::array();
  for (const Role& role : roles) {
    Json row = {role.name, role.is_option};
    if (!role.is_option) row.insert(row.end(), {role.details, role.computation});
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Role> roles_from(const Json& json) {
  std::vector<Role> roles;
  for (const Json& row : json)
    roles.push_back({row.at(0).get<std::string>(), row.at(1).get<bool>(),
                     row.size() > 2 ? row.at(2).get<std::string>() : "",
                     row.size() > 3 ? row.at(3).get<std::string>() : ""});
  return roles;
}

}  // namespace paraiso::tune
