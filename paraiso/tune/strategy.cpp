#include "paraiso/tune/strategy.hpp"

#include <fmt/format.h>

#include <charconv>
#include <set>

#include "paraiso/base/error.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/tune/strategies/all.hpp"

namespace paraiso::tune {

const std::vector<StrategyInfo>& strategies() {
  static const std::vector<StrategyInfo> table = {
      {"anneal", "parallel asynchronous genetic simulated annealing", make_anneal},
      {"random", "genomes at random, each with the same probability", make_random},
      {"scattered", "genomes at random, from near the start to far from it", make_scattered},
      {"greedy", "one gene at a time", make_greedy},
      {"nelder-mead", "a simplex that walks, one individual after another", make_nelder_mead},
      {"torczon", "a simplex that walks, many individuals at once", make_torczon},
      {"genetic",
       "a population, crossover and mutation",
       make_genetic,
       {{"population", 10, 2, 10000, "individuals that may be parents"},
        {"children", 2, 1, 10000, "of a generation"},
        {"mutation", 0.1, 0, 1, "of the genes of half of the children"},
        {"stepping", 0.5, 0, 1, "how often a number changes by one step only"},
        {"patience", 20, 1, 10000, "generations without progress before a new population"}}},
      {"local-search",
       "climbs, leaps from the summit, and climbs again",
       make_local_search,
       {{"first", 20, 1, 10000, "random genomes, the best of which it climbs from"},
        {"kick", 3, 1, 1000, "genes that a leap changes"},
        {"patience", 5, 0, 10000, "vain climbs before it begins anew"},
        {"far", 1, 0, 1, "whether numbers change by more than a step too"}}},
      {"guided",
       "climbs where a forest of trees expects most",
       make_guided,
       {{"first", 20, 1, 10000, "random genomes, the best of which it climbs from"},
        {"kick", 2, 0, 1000, "genes that a leap changes"},
        {"leaps", 60, 1, 100000, "leaps that compete"},
        {"elite", 10, 1, 1000, "individuals that leaps are crossed with"},
        {"share", 1, 0, 1, "of the changes of one gene that are tried"},
        {"trust", 0, 0, 1, "in what is expected: 1 explores nothing"},
        {"patience", 20, 0, 10000, "vain climbs before it begins anew"},
        {"far", 1, 0, 1, "whether numbers change by more than a step too"}}},
      {"differential",
       "differences of a population's members",
       make_differential,
       {{"population", 20, 4, 10000, "members"},
        {"factor", 0.5, 0, 2, "of the differences"},
        {"crossing", 0.7, 0, 1, "the part of the genes that change"}}},
      {"swarm",
       "particles drawn to the best places",
       make_swarm,
       {{"particles", 20, 2, 10000, ""},
        {"inertia", 0.5, 0, 2, "what stays of the speed"},
        {"own", 1.5, 0, 4, "pull of the particle's best place"},
        {"common", 1.0, 0, 4, "pull of the best place of all"}}},
      {"bandit",
       "the others in turn, the more successful ones more often",
       make_bandit,
       {{"exploring", 0.05, 0, 10, "weight of what was seldom used"},
        {"window", 500, 1, 1000000, "births that count"}}},
      {"surrogate",
       "measures what a forest of trees expects to improve most",
       make_surrogate,
       {{"first", 10, 1, 10000, "random genomes before the first prediction"},
        {"trees", 20, 1, 1000, ""},
        {"questions", 5, 1, 1000, "that compete for a split"},
        {"leaf", 2, 1, 1000, "individuals that are not split"},
        {"elite", 10, 1, 1000, "individuals near which it looks"},
        {"candidates", 60, 1, 100000, "crossovers that compete"},
        {"exploring", 0.05, 0, 1, "the part of random genomes"},
        {"exploiting", 0.5, 0, 1, "the part for which the mean counts alone"}}},
      {"exhaustive", "every genome of a small space", make_exhaustive},
  };
  return table;
}

namespace {

const StrategyInfo& info_of(const std::string& name) {
  std::vector<std::string> names;
  for (const StrategyInfo& info : strategies()) {
    if (info.name == name) return info;
    names.emplace_back(info.name);
  }
  const std::string near = nearest(name, names);
  const Error error(fmt::format("there is no strategy {}", shown(name)));
  throw near.empty() ? error.with_hint(fmt::format("there is {}", fmt::join(names, ", ")))
                     : error.with_hint(fmt::format("did you mean `{}`?", near));
}

/// One `name=value` after the strategy's name.
void set(const StrategyInfo& info, const std::string& word, std::map<std::string, double>& values) {
  const auto parts = split(word, '=');
  std::vector<std::string> names;
  for (const StrategySetting& setting : info.settings) {
    names.emplace_back(setting.name);
    if (setting.name != parts[0]) continue;
    double value = 0;
    const std::string text = parts.size() == 2 ? parts[1] : "";
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || stop != text.data() + text.size() ||
        !(value >= setting.low && value <= setting.high))
      throw Error(fmt::format("`{}` of `{}` is a number from {} to {}, not {}", setting.name,
                              info.name, setting.low, setting.high, shown(text)));
    if (!values.emplace(setting.name, value).second)
      throw Error(fmt::format("`{}` of `{}` is set twice", setting.name, info.name));
    return;
  }
  throw Error(fmt::format("`{}` has no setting {}", info.name, shown(parts[0])))
      .with_hint(names.empty() ? "it has none" : fmt::format("it has {}", fmt::join(names, ", ")));
}

/// All settings of `genetic:population=20`.
std::map<std::string, double> settings_in(const StrategyInfo& info, const std::string& name) {
  std::map<std::string, double> given;
  if (const auto colon = name.find(':'); colon != std::string::npos)
    for (const std::string& word : split(name.substr(colon + 1), ',')) set(info, word, given);
  for (const StrategySetting& setting : info.settings) given.emplace(setting.name, setting.value);
  return given;
}

}  // namespace

const StrategyInfo& require_strategy(const std::string& name) {
  const StrategyInfo& info = info_of(name.substr(0, name.find(':')));
  (void)settings_in(info, name);
  return info;
}

void require_strategies(const std::vector<std::string>& names) {
  std::set<std::string> seen;
  for (const std::string& name : names) {
    require_strategy(name);
    if (!seen.insert(name).second) throw Error(fmt::format("strategy `{}` is given twice", name));
  }
}

std::unique_ptr<Strategy> make_strategy(const std::string& name, const SearchContext& setting) {
  const StrategyInfo& info = require_strategy(name);
  SearchContext full = setting;
  full.settings = settings_in(info, name);
  return info.make(full);
}

}  // namespace paraiso::tune
