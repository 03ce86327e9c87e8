// What a schedule loses on its way through a recipe, as predictions take it: `through_recipe
// RECORDING APP DIM [OPTION=VALUE...] [PLACE...]` reads schedules of the app from a recording, the
// fastest one and those at other places behind it, and prints of each itself and what its recipe
// makes of it by roles alone, with details, and with all: how many of its genes differ, and the
// schedule as `--schedule` takes it.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "apps/apps.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/make/canonical.hpp"
#include "paraiso/plan/schedule/cpu_options.hpp"
#include "paraiso/plan/schedule/genome.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/tune/predict/recipe.hpp"

namespace {

using namespace paraiso;
using Json = nlohmann::ordered_json;

struct Recorded {
  om::Element element = om::Element::f64;
  std::string problem;
  std::vector<plan::Schedule> schedules;  // the fastest first
};

Recorded read_recording(const char* file) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line)) throw Error(fmt::format("`{}` can't be read", file));
  const Json head = Json::parse(line);
  Recorded recorded;
  recorded.element = om::parse_element(head.at("element").get<std::string>()).value();
  recorded.problem = head.at("initial").get<std::string>();
  std::vector<plan::Gene> genes;
  for (const Json& gene : head.at("genes")) genes.push_back({gene.at(0), gene.at(1)});
  std::vector<std::pair<double, std::string>> rows;
  while (std::getline(in, line)) {
    const Json row = Json::parse(line);
    if (row.at(1).is_number()) rows.emplace_back(row.at(1), row.at(0));
  }
  std::ranges::stable_sort(rows, std::greater(), [](const auto& row) { return row.first; });
  for (const auto& [speed, letters] : rows)
    recorded.schedules.push_back(plan::schedule_of(genes, plan::genome_from(genes, letters)));
  return recorded;
}

int differences(const plan::Genome& one, const plan::Genome& other) {
  int count = 0;
  for (std::size_t g = 0; g < one.size(); ++g) count += one[g] != other[g];
  return count;
}

void print_ways(const om::Machine& machine, const plan::Canonical& canonical,
                const std::vector<tune::Role>& roles, const plan::Schedule& schedule) {
  const auto table = plan::genes(machine, plan::cpu_options);
  const plan::Schedule others = plan::default_schedule(machine);
  const auto& genes = canonical.genes();
  std::vector<tune::Role> details = roles;
  for (tune::Role& role : details) role.computation.clear();
  std::vector<tune::Role> plain = details;
  for (tune::Role& role : plain) role.details.clear();
  const plan::Genome itself = canonical(plan::genome_of(genes, schedule));
  const plan::Schedule legal = plan::schedule_of(genes, itself);
  const auto through = [&](const std::vector<tune::Role>& known) {
    const tune::Recipe recipe = tune::recipe_of(genes, known, legal);
    return canonical(plan::genome_of(genes, tune::schedule_of(recipe, genes, known, {})));
  };
  const std::pair<const char*, plan::Genome> ways[] = {{"itself", itself},
                                                       {"roles", through(plain)},
                                                       {"details", through(details)},
                                                       {"all", through(roles)}};
  for (const auto& [name, genome] : ways)
    fmt::print("{} {} {} genome:{}:{}\n", name, differences(itself, genome), genes.size(),
               plan::gene_table_hash(table),
               plan::letters_of(
                   table, plan::genome_of(
                              table, plan::overlaid(others, plan::schedule_of(genes, genome)))));
}

int run(int argc, char** argv) {
  const Recorded recorded = read_recording(argv[1]);
  const auto& all = apps::built_in();
  const auto app = std::ranges::find(all, std::string_view(argv[2]), &App::name);
  if (app == all.end()) throw Error(fmt::format("no app `{}`", argv[2]));
  std::vector<std::string> chosen;
  std::vector<std::size_t> places{1};
  for (int a = 4; a < argc; ++a) {
    if (std::string_view(argv[a]).find('=') != std::string_view::npos)
      chosen.emplace_back(argv[a]);
    else
      places.push_back(static_cast<std::size_t>(std::atoi(argv[a])));
  }
  const om::Machine machine =
      passes::prepare(app->build({std::atoi(argv[3]), recorded.element, recorded.problem,
                                  choose(*app, recorded.problem, chosen)}),
                      passes::Numbers::fma);
  const plan::Canonical canonical(machine, machine.step_kernel()->name, plan::cpu_options);
  const auto roles = tune::roles_of(*machine.step_kernel(), plan::cpu_options);
  for (const std::size_t place : places) {
    if (place == 0 || place > recorded.schedules.size()) break;
    print_ways(machine, canonical, roles, recorded.schedules[place - 1]);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 4) {
    fmt::print(stderr, "usage: bench_through_recipe RECORDING APP DIM [OPTION=VALUE|PLACE...]\n");
    return 2;
  }
  return run(argc, argv);
} catch (const std::exception& error) {
  fmt::print(stderr, "error: {}\n", error.what());
  return 1;
}
