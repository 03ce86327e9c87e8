#include "paraiso/tune/strategy.hpp"

#include <fmt/format.h>

#include "paraiso/base/error.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/tune/strategies/all.hpp"

namespace paraiso::tune {

const std::vector<StrategyInfo>& strategies() {
  static const std::vector<StrategyInfo> table = {
      {"anneal", "parallel asynchronous genetic simulated annealing", make_anneal},
      {"random", "genomes at random, near the start and far from it", make_random},
      {"greedy", "one gene at a time", make_greedy},
      {"nelder-mead", "a simplex that walks, one individual after another", make_nelder_mead},
      {"torczon", "a simplex that walks, many individuals at once", make_torczon},
      {"exhaustive", "every genome of a small space", make_exhaustive},
  };
  return table;
}

const StrategyInfo& require_strategy(const std::string& name) {
  std::vector<std::string> names;
  for (const StrategyInfo& info : strategies()) {
    if (info.name == name) return info;
    names.push_back(info.name);
  }
  const std::string near = nearest(name, names);
  const Error error(fmt::format("there is no strategy {}", shown(name)));
  throw near.empty() ? error.with_hint(fmt::format("there is {}", fmt::join(names, ", ")))
                     : error.with_hint(fmt::format("did you mean `{}`?", near));
}

std::unique_ptr<Strategy> make_strategy(const std::string& name, const Setting& setting) {
  return require_strategy(name).make(setting);
}

}  // namespace paraiso::tune
