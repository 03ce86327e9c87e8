#include "paraiso/tune/replay/recording.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <unordered_map>

#include "paraiso/base/error.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/tune/contest/rating.hpp"
#include "paraiso/tune/database/genes_json.hpp"

namespace paraiso::tune {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 2;
constexpr const char* kVersionName = "paraiso_recording";

Json to_json(const Problem& p) {
  return {{kVersionName, kVersion},
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
          {"genes", genes_json(p.genes)}};
}

Problem problem_from(const Json& json) {
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
          json.value("target", "native")};  // as all recordings of before there were others
}

Json to_json(const Recording::Entry& entry, const std::vector<plan::Gene>& genes) {
  Json parents = Json::array();
  for (const std::size_t parent : entry.parents) parents.push_back(parent + 1);
  return {plan::letters_of(genes, entry.genome),
          entry.measurement.score,
          entry.measurement.deviation,
          entry.method,
          std::move(parents),
          entry.measurement.reason};
}

/// `place` is that of the entry itself: parents come before it.
Recording::Entry entry_from(const Json& json, const std::vector<plan::Gene>& genes,
                            std::size_t place) {
  Recording::Entry entry;
  entry.genome = plan::genome_from(genes, json.at(0).get<std::string>());
  entry.measurement.score = json.at(1).get<double>();
  entry.measurement.deviation = json.at(2).get<double>();
  entry.method = json.at(3).get<std::string>();
  for (const Json& number : json.at(4)) {
    const auto parent = number.get<std::int64_t>();
    if (parent < 1 || parent > static_cast<std::int64_t>(place))
      throw Error(fmt::format("individual {} can't have the parent {}", place + 1, parent));
    entry.parents.push_back(static_cast<std::size_t>(parent - 1));
  }
  entry.measurement.reason = json.at(5).get<std::string>();
  return entry;
}

/// What `read` returns; what it throws is told at its line.
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

Problem read_header(Location here, const std::string& line) {
  return at_line(here, [&] {
    const Json json = Json::parse(line);
    if (!json.is_object() || !json.contains(kVersionName))
      throw Error("this is no recording: its first line names no problem");
    if (const auto version = json.at(kVersionName).get<std::int64_t>(); version != kVersion)
      throw Error(
          fmt::format("this is a recording of version {}: version {} is known", version, kVersion));
    return problem_from(json);
  });
}

}  // namespace

std::string print(const Recording& recording) {
  std::string text = to_json(recording.problem).dump() + "\n";
  for (const Recording::Entry& entry : recording.entries)
    text += to_json(entry, recording.problem.genes).dump() + "\n";
  return text;
}

Recording parse_recording(std::string_view text, std::string_view file) {
  Recording recording;
  Location here{intern_file(file), 0};
  for (const std::string& line : split(text, '\n')) {
    ++here.line;
    if (here.line == 1)
      recording.problem = read_header(here, line);
    else if (!line.empty())
      recording.entries.push_back(at_line(here, [&] {
        return entry_from(Json::parse(line), recording.problem.genes, recording.entries.size());
      }));
  }
  return recording;
}

Recording record(Database& database, std::int64_t problem) {
  Recording recording;
  for (auto& [id, found] : database.problems())
    if (id == problem) recording.problem = std::move(found);
  const Rating rating(database, problem);
  std::unordered_map<std::int64_t, std::size_t> place_of;
  database.each(problem, 0, [&](const Individual& individual) {
    place_of[individual.id] = recording.entries.size();
    Recording::Entry entry;
    entry.genome = plan::genome_from(recording.problem.genes, individual.genome);
    entry.measurement = rating(individual);
    entry.measurement.sources = individual.measurement.sources;
    entry.method = individual.method;
    for (const std::int64_t parent : individual.parents)
      if (const auto found = place_of.find(parent); found != place_of.end())
        entry.parents.push_back(found->second);
    recording.entries.push_back(std::move(entry));
  });
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
