#include "paraiso/plan/schedule/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/base/error.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/plan/schedule/exchange_gene.hpp"
#include "paraiso/plan/schedule/skew_genes.hpp"

namespace paraiso::plan {

namespace {

constexpr std::string_view kBlanks = " \t\r";

[[noreturn]] void fail(Location here, const std::string& message, std::string_view word,
                       const std::vector<std::string>& known) {
  Error error(here, message);
  std::string near = nearest(word, known);
  throw near.empty() ? error : error.with_hint(fmt::format("did you mean `{}`?", near));
}

}  // namespace

Schedule overlaid(Schedule base, const Schedule& other) {
  for (const auto& [gene, allele] : other.choices) base.choices[gene] = allele;
  return base;
}

std::string print(const Schedule& schedule, const om::Machine& machine) {
  std::string text = fmt::format("# a schedule for machine `{}`\nprogram = {}\n", machine.name,
                                 om::program_hash(machine));
  for (const auto& [gene, allele] : schedule.choices)
    text += fmt::format("{} = {}\n", gene, allele);
  return text;
}

Schedule parse(std::string_view text, std::string_view file, const om::Machine& machine,
               const std::vector<Gene>& genes) {
  std::map<std::string, std::vector<std::string>> table;
  std::vector<std::string> names;
  const auto add = [&](const Gene& gene) {
    table[gene.name] = gene.alleles;
    names.push_back(gene.name);
  };
  for (const Gene& gene : genes) add(gene);
  for (const auto& kernel : machine.kernels) add(exchange_gene(kernel));
  for (const Gene& gene : skew_genes(machine)) add(gene);
  Schedule schedule;
  Location here{intern_file(file), 0};
  for (const auto& whole : split(text, '\n')) {
    ++here.line;
    std::string_view line = trimmed(
        std::string_view(whole).substr(0, whole.find('#') == 0 ? 0 : whole.size()), kBlanks);
    if (line.empty()) continue;
    auto equals = line.find(" = ");
    if (equals == std::string_view::npos) throw Error(here, "expected `gene = allele`");
    std::string name(trimmed(line.substr(0, equals), kBlanks)),
        allele(trimmed(line.substr(equals + 3), kBlanks));
    if (name == "program") {
      if (allele != om::program_hash(machine))
        throw Error(here, fmt::format("this schedule belongs to program {}, not to `{}` ({})",
                                      shown(allele), machine.name, om::program_hash(machine)));
      continue;
    }
    auto known = table.find(name);
    if (known == table.end())
      fail(here, fmt::format("there is no gene {}", shown(name)), name, names);
    if (std::ranges::find(known->second, allele) == known->second.end())
      fail(here,
           fmt::format("gene `{}` has no allele {}: it has {}", name, shown(allele),
                       fmt::join(known->second, ", ")),
           allele, known->second);
    if (!schedule.choices.emplace(name, allele).second)
      throw Error(here, fmt::format("gene `{}` is given twice", name));
  }
  return schedule;
}

std::string schedule_hash(const Schedule& schedule) {
  std::string text;
  for (const auto& [gene, allele] : schedule.choices) text += gene + "=" + allele + "\n";
  return hex(fnv1a(text));
}

}  // namespace paraiso::plan
