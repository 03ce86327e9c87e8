// Recipe: a schedule of one kernel in terms that all programs share, so that it can be applied to
// another one. Gives: Recipe, Role, roles_of, recipe_of, schedule_of, agree, roles_json,
// roles_from. Needs: keep_values, schedule.
//
// Options (tiles, vectors, ...) are what they are in the gene table. The storage of a value is
// chosen by its *role*: whether the planner would keep it, at how many offsets it is asked for,
// what computing it again costs, whether the offsets cross the outermost axis, whether it is a
// result.
//
//   kept 4+ dear divides crosses      rolling
//   free 1 cheap result               inline
//   state                             array           a state between fused steps
//
// Two things tell values of a role apart: *details*, along which axes and at how many offsets they
// are asked for, how many kept values lie on the way to them, what computing them costs within a
// factor of two, and which operator makes them; and their *computation*, a hash of the expression
// that makes them from fields of whatever names.
//
//   kept 4+ dear divides crosses: xy 5 depth 3 cost 32 mul      array
//   = 4874dae1f3bc0768                                          array
//
// A recipe has all three. Where a program has a value that is computed as one of the recipe's, it
// is stored like that one; else like most values of its details, else like most of its role. Roles
// that the recipe does not know stay as they were. make_plan repairs what is not legal there.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "paraiso/plan/schedule/genes.hpp"

namespace paraiso::tune {

struct Recipe {
  std::map<std::string, std::string> options;  // `tile_x` -> `1024`
  std::map<std::string, std::string> storage;  // role, role and details, computation -> allele

  friend bool operator==(const Recipe&, const Recipe&) = default;
};

/// What a kernel's genes are in a recipe, as its gene table has them: the option's name, or the
/// role of the values.
struct Role {
  std::string name;
  bool is_option = false;
  std::string details = {}, computation = {};  // of a value; empty: not known
  friend bool operator==(const Role&, const Role&) = default;
};
/// On ranks, how messages are awaited is an option like others.
[[nodiscard]] std::vector<Role> roles_of(const om::Kernel& kernel, plan::OptionTable options,
                                         bool on_ranks = false);

/// Of a schedule of the genes with these roles; a gene that it lacks has its default.
[[nodiscard]] Recipe recipe_of(const std::vector<plan::Gene>& genes, const std::vector<Role>& roles,
                               const plan::Schedule& schedule);

/// `base` with the recipe's choices on top, where the genes know them; not repaired.
[[nodiscard]] plan::Schedule schedule_of(const Recipe& recipe, const std::vector<plan::Gene>& genes,
                                         const std::vector<Role>& roles, plan::Schedule base);

/// Whether two recipes choose the same wherever both choose.
[[nodiscard]] bool agree(const Recipe& one, const Recipe& other);

[[nodiscard]] nlohmann::ordered_json roles_json(const std::vector<Role>& roles);
/// Throws Json::exception if it is no such list.
[[nodiscard]] std::vector<Role> roles_from(const nlohmann::ordered_json& json);

}  // namespace paraiso::tune
