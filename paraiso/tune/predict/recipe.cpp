#include "paraiso/tune/predict/recipe.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

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

const std::string& allele_of(const plan::Gene& gene, const plan::Schedule& schedule) {
  const auto chosen = schedule.choices.find(gene.name);
  return chosen == schedule.choices.end() ? gene.alleles.front() : chosen->second;
}

}  // namespace

std::vector<Role> roles_of(const om::Kernel& kernel, plan::OptionTable options) {
  std::vector<Role> roles;
  for (const plan::OptionGene& option : options(kernel.graph.dimension()))
    roles.push_back({option.name, true});
  const plan::KernelGenes genes = plan::kernel_genes(kernel);
  const auto demands = plan::demands(kernel, genes);
  for (std::size_t g = 0; g < genes.storage.size(); ++g)
    roles.push_back({role_of(genes.storage[g], demands[g]), false});
  return roles;
}

Recipe recipe_of(const std::vector<plan::Gene>& genes, const std::vector<Role>& roles,
                 const plan::Schedule& schedule) {
  Recipe recipe;
  std::map<std::string, std::map<std::string, int>> votes;  // role -> allele -> values
  for (std::size_t g = 0; g < genes.size(); ++g) {
    const std::string& allele = allele_of(genes[g], schedule);
    if (roles[g].is_option)
      recipe.options[roles[g].name] = allele;
    else
      ++votes[roles[g].name][allele];
  }
  for (const auto& [role, alleles] : votes)
    recipe.storage[role] =
        std::ranges::max_element(alleles, {}, [](const auto& vote) { return vote.second; })->first;
  return recipe;
}

plan::Schedule schedule_of(const Recipe& recipe, const std::vector<plan::Gene>& genes,
                           const std::vector<Role>& roles, plan::Schedule base) {
  for (std::size_t g = 0; g < genes.size(); ++g) {
    const auto& chosen = roles[g].is_option ? recipe.options : recipe.storage;
    const auto allele = chosen.find(roles[g].name);
    if (allele != chosen.end() &&
        std::ranges::find(genes[g].alleles, allele->second) != genes[g].alleles.end())
      base.choices[genes[g].name] = allele->second;
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
  for (const Role& role : roles) rows.push_back({role.name, role.is_option});
  return rows;
}

std::vector<Role> roles_from(const Json& json) {
  std::vector<Role> roles;
  for (const auto& [name, is_option] : json.get<std::vector<std::pair<std::string, bool>>>())
    roles.push_back({name, is_option});
  return roles;
}

}  // namespace paraiso::tune
