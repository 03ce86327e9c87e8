#include "paraiso/tune/replay/recording.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>

#include "paraiso/base/error.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/tune/contest/rating.hpp"
#include "paraiso/tune/database/genes_json.hpp"

namespace paraiso::tune {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 3, kOldestVersion = 2;
constexpr const char* kVersionName = "paraiso_recording";
constexpr const char* kRecorded[] = {"trajectory", "exhaustive", "drawn"};
constexpr const char* kKinds[] = {"names", "numbers"};

/// The value of an enumeration from its name in a table.
template <class Value, std::size_t N>
Value value_named(const char* const (&names)[N], const std::string& name) {
  for (std::size_t v = 0; v < N; ++v)
    if (names[v] == name) return static_cast<Value>(v);
  throw Error(fmt::format("{} is none of {}", shown(name), fmt::join(names, ", ")));
}

Json kinds_json(const Recording& recording) {
  Json names = Json::array();
  for (const GeneKind kind :
       recording.kinds.empty() ? kinds_of(recording.problem.genes) : recording.kinds)
    names.push_back(kKinds[static_cast<std::size_t>(kind)]);
  return names;
}

Json to_json(const Recording& recording) {
  const TuningProblem& p = recording.problem;
  return {{kVersionName, kVersion},
          {"recorded", kRecorded[static_cast<std::size_t>(recording.recorded)]},
          {"distribution", recording.distribution},
          {"source", recording.source},
          {"licence", recording.licence},
          {"machine", p.machine},
          {"program_hash", p.program_hash},
          {"numbers", p.numbers},
          {"element", p.element},
          {"backend", p.backend},
          {"compiler", p.compiler},
          {"threads", p.threads},
          {"size", p.size},
          {"host", p.host},
          {"host_fingerprint", p.host_fingerprint},
          {"generator", p.generator},
          {"initial", p.initial},
          {"parameters", p.parameters},
          {"target", p.target},
          {"genes", genes_json(p.genes)},
          {"kinds", kinds_json(recording)}};
}

std::vector<GeneKind> kinds_from(const Json& json, std::size_t genes) {
  std::vector<GeneKind> kinds;
  for (const Json& name : json)
    kinds.push_back(value_named<GeneKind>(kKinds, name.get<std::string>()));
  if (kinds.size() != genes)
    throw Error(fmt::format("there are {} kinds of {} genes", kinds.size(), genes));
  return kinds;
}

TuningProblem problem_from(const Json& json) {
  const auto text = [&](const char* name) { return json.at(name).get<std::string>(); };
  return {text("machine"),
          text("program_hash"),
          text("numbers"),
          text("element"),
          text("backend"),
          text("compiler"),
          json.at("threads").get<int>(),
          text("size"),
          text("host"),
          text("host_fingerprint"),
          genes_from(json.at("genes")),
          text("generator"),
          text("initial"),
          text("parameters"),
          json.value("target", "native")};  // older recordings have no target
}

Json to_json(const Recording::Entry& entry, const std::vector<plan::Gene>& genes) {
  Json parents = Json::array();
  for (const std::size_t parent : entry.parents) parents.push_back(parent + 1);
  Json seconds = Json::array();
  for (const auto& part : entry.seconds) seconds.push_back(part ? Json(*part) : Json());
  return {plan::letters_of(genes, entry.genome),
          entry.measurement.score,
          entry.measurement.deviation,
          entry.method,
          std::move(parents),
          entry.measurement.reason,
          std::move(seconds),
          entry.measurement.samples};
}

double not_negative(const Json& json) {
  const auto number = json.get<double>();
  if (!std::isfinite(number) || number < 0) throw Error("a score or time can't be negative");
  return number;
}

/// No letter is missing, too many, or beyond a gene's alleles.
plan::Genome genome_in(const std::vector<plan::Gene>& genes, const std::string& letters) {
  plan::Genome genome = plan::genome_from(genes, letters);
  if (plan::letters_of(genes, genome) != letters)
    throw Error(fmt::format("{} is no genome of {} genes", shown(letters), genes.size()));
  return genome;
}

/// `place` is the index of the entry itself: parents come before it.
Recording::Entry entry_from(const Json& json, const std::vector<plan::Gene>& genes,
                            std::size_t place) {
  Recording::Entry entry;
  entry.genome = genome_in(genes, json.at(0).get<std::string>());
  entry.measurement.score = not_negative(json.at(1));
  entry.measurement.deviation = not_negative(json.at(2));
  entry.method = json.at(3).get<std::string>();
  for (const Json& number : json.at(4)) {
    const auto parent = number.get<std::int64_t>();
    if (parent < 1 || parent > static_cast<std::int64_t>(place))
      throw Error(fmt::format("individual {} can't have the parent {}", place + 1, parent));
    entry.parents.push_back(static_cast<std::size_t>(parent - 1));
  }
  entry.measurement.reason = json.at(5).get<std::string>();
  if (entry.measurement.score > 0 && !entry.measurement.ok())
    throw Error("an individual with a score has not failed: its reason is to be empty");
  if (json.size() == 6) return entry;  // version 2
  for (std::size_t part = 0; part < entry.seconds.size(); ++part)
    if (const Json& seconds = json.at(6).at(part); !seconds.is_null())
      entry.seconds[part] = not_negative(seconds);
  for (const Json& sample : json.at(7)) entry.measurement.samples.push_back(not_negative(sample));
  return entry;
}

/// The result of `read`; errors get its line.
template <class Read>
auto at_line(Location here, Read read) {
  try {
    return read();
  } catch (const Error& error) {
    throw Error(here, error.diagnostics()[0].message);
  } catch (const Json::exception&) {
    throw Error(here, "this is no line of a recording");
  }
}

Recording read_header(Location here, const std::string& line) {
  return at_line(here, [&] {
    const Json json = Json::parse(line);
    if (!json.is_object() || !json.contains(kVersionName))
      throw Error("this is no recording: its first line names no problem");
    const auto version = json.at(kVersionName).get<std::int64_t>();
    if (version < kOldestVersion || version > kVersion)
      throw Error(fmt::format("this is a recording of version {}: versions {} to {} are known",
                              version, kOldestVersion, kVersion));
    Recording recording{problem_from(json), {}, {}, {}, {}, {}, {}};
    if (version == 2) return recording;
    recording.recorded = value_named<Recorded>(kRecorded, json.at("recorded").get<std::string>());
    recording.distribution = json.at("distribution").get<std::string>();
    recording.source = json.at("source").get<std::string>();
    recording.licence = json.at("licence").get<std::string>();
    recording.kinds = kinds_from(json.at("kinds"), recording.problem.genes.size());
    return recording;
  });
}

/// A space has each individual once.
void require_distinct(const Recording& recording, const char* file) {
  if (recording.recorded == Recorded::trajectory) return;
  if (const auto same = first_repeated(recording))
    throw Error(
        {file, static_cast<int>(same->second + 2)},
        fmt::format("individual {} of a complete recording is there already", same->second + 1));
}

/// Of building, checking, timing. What is 0 was not done or is unknown: the same code had been
/// built or timed before.
std::array<std::optional<double>, 3> seconds_of(const Measurement& measurement) {
  const auto known = [](double seconds) {
    return seconds > 0 ? std::optional(seconds) : std::nullopt;
  };
  return {known(measurement.compile_seconds), known(measurement.check_seconds),
          known(measurement.time_seconds)};
}

/// What is no UTF-8, as a path may be, is replaced.
std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Error chosen_by_a_search() {
  return Error(
      "a search chose these individuals, which compares no searches: a complete recording is made "
      "by one of the strategies exhaustive, random, scattered");
}

}  // namespace

std::string print(const Recording& recording) {
  std::string text = line_of(to_json(recording));
  for (const Recording::Entry& entry : recording.entries)
    text += line_of(to_json(entry, recording.problem.genes));
  return text;
}

Recording parse_recording(std::string_view text, std::string_view file) {
  Recording recording;
  Location here{intern_file(file), 0};
  for (const std::string& line : split(text, '\n')) {
    ++here.line;
    if (here.line == 1)
      recording = read_header(here, line);
    else if (!line.empty())
      recording.entries.push_back(at_line(here, [&] {
        return entry_from(Json::parse(line), recording.problem.genes, recording.entries.size());
      }));
  }
  require_distinct(recording, here.file);
  return recording;
}

std::optional<std::pair<std::size_t, std::size_t>> first_repeated(const Recording& recording) {
  std::map<plan::Genome, std::size_t> seen;
  for (std::size_t e = 0; e < recording.entries.size(); ++e) {
    const auto [first, unknown] = seen.try_emplace(recording.entries[e].genome, e);
    if (!unknown) return std::pair(first->second, e);
  }
  return std::nullopt;
}

Recording record(Database& database, std::int64_t problem) {
  Recording recording;
  if (auto found = database.problem(problem)) recording.problem = std::move(*found);
  const Rating rating(database, problem);
  std::unordered_map<std::int64_t, std::size_t> place_of;
  database.each(problem, 0, [&](const Individual& individual) {
    place_of[individual.id] = recording.entries.size();
    Recording::Entry entry;
    entry.genome = plan::genome_from(recording.problem.genes, individual.genome);
    entry.measurement = rating(individual);
    entry.measurement.sources = individual.measurement.sources;
    entry.measurement.samples = individual.measurement.samples;
    entry.seconds = seconds_of(individual.measurement);
    entry.method = individual.method;
    for (const std::int64_t parent : individual.parents)
      if (const auto found = place_of.find(parent); found != place_of.end())
        entry.parents.push_back(found->second);
    recording.entries.push_back(std::move(entry));
  });
  return recording;
}

Recording complete(Recording recording) {
  std::set<std::string> methods;
  for (const Recording::Entry& entry : recording.entries)
    if (entry.method != "start") methods.insert(entry.method);
  if (methods.size() != 1 || !(methods.contains("exhaustive") || methods.contains("random") ||
                               methods.contains("scattered")))
    throw chosen_by_a_search();
  recording.distribution = *methods.begin();
  recording.recorded =
      recording.distribution == "exhaustive" ? Recorded::exhaustive : Recorded::drawn;
  if (recording.recorded == Recorded::exhaustive) recording.distribution.clear();
  return recording;
}

Recording record_complete(Database& database, std::int64_t problem) {
  Recording recording = complete(record(database, problem));
  const bool exhaustive = recording.recorded == Recorded::exhaustive;
  std::set<std::int64_t> drew;  // sessions
  database.each(problem, 0, [&](const Individual& individual) {
    if (individual.method != "start") drew.insert(individual.session);
  });
  for (const TunerRunCount& run : database.sessions(problem))
    if (drew.contains(run.id) &&
        run.session.strategy != (exhaustive ? "exhaustive" : recording.distribution))
      throw chosen_by_a_search();
  if (exhaustive && !database.is_exhausted(problem))
    throw Error("the exhaustive search did not try all that there are")
        .with_hint(
            "the same `paraiso tune` goes on with it, and says when every schedule is known");
  return recording;
}

Lineage lineage_of(const Recording& recording) {
  Lineage lineage;
  for (const Recording::Entry& entry : recording.entries)
    lineage.push_back(
        {entry.measurement.score, entry.measurement.deviation, entry.parents, entry.method});
  return lineage;
}

}  // namespace paraiso::tune
