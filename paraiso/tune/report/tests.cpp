// Tests: is a kind of birth correlated with success, and with the births of its parents? Tables A15
// and 11 of the 2012 paper.
#include <fmt/format.h>

#include "paraiso/tune/analysis/correlations.hpp"
#include "paraiso/tune/analysis/markov.hpp"
#include "paraiso/tune/report/html/html.hpp"
#include "paraiso/tune/report/sections.hpp"

namespace paraiso::tune {

namespace {

// The paper's significance level.
constexpr double kSignificant = 1e-3;

std::string sign(const ChiSquared& test) {
  return test.sign > 0 ? "positive" : test.sign < 0 ? "negative" : "-";
}

/// The statistic, its degrees of freedom, its probability, and the verdict.
void add_test(std::vector<std::string>& row, const ChiSquared& test) {
  if (test.degrees == 0) {
    row.insert(row.end(), {"-", "0", "-", "nothing to test"});
    return;
  }
  const double probability = test.probability();
  row.insert(row.end(), {fmt::format("{:.2f}", test.statistic), std::to_string(test.degrees),
                         fmt::format("{:.2g}", probability),
                         probability < kSignificant ? "significant" : "may be chance"});
}

HtmlTable correlation_table(const Lineage& lineage) {
  HtmlTable table{"Correlations",
                  {"birth or rank", "with", "among", "sign", "chi squared", "degrees",
                   "probability", "at 0.001"},
                  {}};
  for (const CorrelationRow& row : correlations(lineage)) {
    std::vector<std::string> cells = {row.first, row.second, row.among, sign(row.test)};
    add_test(cells, row.test);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

HtmlTable markov_table(const Lineage& lineage) {
  const MarkovTests tests = markov_tests(lineage);
  HtmlTable table{"Family lines as Markov chains",
                  {"hypothesis", "sign", "chi squared", "degrees", "probability", "at 0.001"},
                  {}};
  const auto add = [&](const std::string& hypothesis, const ChiSquared& test) {
    std::vector<std::string> cells = {hypothesis, sign(test)};
    add_test(cells, test);
    table.rows.push_back(std::move(cells));
  };
  add("births do not depend on their parents'", tests.zeroth);
  add("they depend on the parents' only", tests.first);
  for (const auto& prefix : tests.prefixes)
    add(fmt::format("{} does not depend on {} before it", prefix.letter, prefix.prefix),
        prefix.test);
  return table;
}

}  // namespace

Section tests_section(const ReportRun& run) {
  const Lineage lineage = lineage_of(run.recording);
  return {"Tests",
          html(correlation_table(lineage)) +
              note("Pearson's tests of independence; d is the contribution distance. The last two "
                   "are controls, which should find nothing.") +
              html(markov_table(lineage)) +
              note("Along the family lines of the best; the letters 1, 2 and 3 are births with as "
                   "many parents.")};
}

}  // namespace paraiso::tune
