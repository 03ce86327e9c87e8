#include "cli/tuning/tune_predict.hpp"

#include <fmt/format.h>

namespace paraiso::cli {

namespace {

tune::TryingList list_of(tune::Database& database, std::int64_t problem,
                         const tune::TunedProgram& tuned) {
  try {
    return tune::trying_list(database, problem, tuned);
  } catch (const Error& error) {
    tune::TryingList none;
    none.why_empty =
        fmt::format("what was tuned can't be read: {}", error.diagnostics()[0].message);
    return none;
  }
}

std::string closest_text(const tune::TryingList& list) {
  const tune::CloseInstance& first = list.near.front();
  return fmt::format("{} {} ({} {:.2f} of 1){}", first.instance.problem.machine,
                     first.instance.problem.size,
                     list.learnt > 0 ? "expected overlap" : "like it by", first.likeness,
                     list.near.size() > 1 ? fmt::format(" and {} more", list.near.size() - 1) : "");
}

std::string text(const Foretold& foretold) {
  const tune::TryingList& list = foretold.list;
  if (list.near.empty()) return fmt::format("not predicted: {}\n", list.why_empty);
  const std::string expected = fmt::format(
      "{:.2f} times the default is expected, {:.2f} is good enough", list.gain, foretold.enough);
  if (list.trials.empty()) return fmt::format("not predicted: {}; {}\n", list.why_empty, expected);
  return fmt::format("predicted: {} schedule{} to try, from {}; {}\n", list.trials.size(),
                     list.trials.size() == 1 ? "" : "s", closest_text(list), expected);
}

}  // namespace

Foretold foretell(const TuneCall& call, const tune::TunedProgram& tuned, tune::Database& database,
                  std::int64_t problem) {
  Foretold foretold;
  foretold.enough = call.good_enough;
  if (!call.predict) return foretold;
  foretold.list = list_of(database, problem, tuned);
  if (foretold.enough == 0 && !foretold.list.near.empty())
    foretold.enough = tune::kEnough * foretold.list.gain;
  say_aside(text(foretold));
  return foretold;
}

}  // namespace paraiso::cli
