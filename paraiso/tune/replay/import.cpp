#include "paraiso/tune/replay/import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "paraiso/base/error.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/tune/replay/inflate.hpp"

namespace paraiso::tune {

namespace {

using Json = nlohmann::ordered_json;
using plan::Gene;

constexpr double kMilli = 1e-3;
constexpr double kErrorTime = 1e20;      // what Kernel Tuner notes for a failure, besides a word
constexpr double kShortestTime = 1e-12;  // a femtosecond: nothing is faster
constexpr std::size_t kMostAlleles = 65535;  // what a genome can number

std::string text_of(const Json& value) {
  if (value.is_structured()) throw Error("a parameter's value is a list or an object");
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string text_at(const Json& object, const char* name) {
  return object.contains(name) ? text_of(object.at(name)) : "";
}

/// "4096x4096" of [4096, 4096].
std::string size_of(const Json& object) {
  if (!object.contains("problem_size")) return "";
  const Json& size = object.at("problem_size");
  if (!size.is_array()) return text_of(size);
  std::vector<std::string> extents;
  for (const Json& extent : size) extents.push_back(text_of(extent));
  return fmt::format("{}", fmt::join(extents, "x"));
}

/// The genes, and how a configuration becomes a genome.
class Genes {
 public:
  void add(const std::string& name, const Json& value) {
    auto [row, unknown] = row_of_.try_emplace(name, genes_.size());
    if (unknown) genes_.push_back({name, {}}), places_.emplace_back();
    auto& alleles = genes_[row->second].alleles;
    const auto place = static_cast<std::uint16_t>(alleles.size());
    if (!places_[row->second].try_emplace(text_of(value), place).second) return;
    alleles.push_back(text_of(value));
    if (alleles.size() > kMostAlleles)
      throw Error(fmt::format("parameter {} has too many values", shown(name)));
  }

  [[nodiscard]] plan::Genome genome(const Json& configuration) const {
    plan::Genome genome;
    for (std::size_t g = 0; g < genes_.size(); ++g) {
      const std::string& name = genes_[g].name;
      if (!configuration.contains(name))
        throw Error(fmt::format("a configuration lacks parameter {}", shown(name)));
      const std::string value = text_of(configuration.at(name));
      const auto found = places_[g].find(value);
      if (found == places_[g].end())
        throw Error(fmt::format("parameter {} can't be {}", shown(name), shown(value)));
      genome.push_back(found->second);
    }
    return genome;
  }

  [[nodiscard]] const std::vector<Gene>& table() const { return genes_; }

 private:
  std::vector<Gene> genes_;
  std::vector<std::map<std::string, std::uint16_t>> places_;
  std::map<std::string, std::size_t> row_of_;
};

double score_of(double milliseconds) {
  if (milliseconds < kShortestTime)
    throw Error(fmt::format("a time of {} ms is too short", milliseconds));
  return 1 / (kMilli * milliseconds);
}

/// The time in milliseconds as a score, or why there is none.
Measurement measurement_of(const Json& time, const Json& samples, const std::string& reason) {
  if (!reason.empty()) return failed(reason);
  if (time.is_string()) return failed(time.get<std::string>());
  if (!time.is_number()) return failed("no time");
  const double milliseconds = time.get<double>();
  if (!(milliseconds > 0) || milliseconds >= kErrorTime) return failed("no time");
  std::vector<double> scores;
  for (const Json& sample : samples)
    if (sample.is_number() && sample.get<double>() > 0)
      scores.push_back(score_of(sample.get<double>()));
  Measurement result;
  if (!scores.empty()) result = measured(std::move(scores));
  result.score = score_of(milliseconds);
  return result;
}

/// By the first of the names that is there.
std::optional<double> seconds_at(const Json& object, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (!object.contains(name) || !object.at(name).is_number()) continue;
    const double milliseconds = object.at(name).get<double>();
    if (milliseconds >= 0) return kMilli * milliseconds;
  }
  return std::nullopt;
}

void require_milliseconds(const std::string& unit) {
  for (const char* known : {"", "ms", "milliseconds", "miliseconds"})  // the last is the hub's
    if (unit == known) return;
  throw Error(fmt::format("a time is in {}: milliseconds are expected", shown(unit)));
}

const Json kNone = Json::array();

const Json& at_or_none(const Json& object, const char* name) {
  return object.contains(name) ? object.at(name) : kNone;
}

Recording from_cache(const Json& json) {
  if (text_at(json, "objective") != "" && text_at(json, "objective") != "time")
    throw Error(fmt::format("its objective is {}: only `time` is known",
                            shown(text_at(json, "objective"))));
  Genes genes;
  for (const Json& key : json.at("tune_params_keys")) {
    const auto name = key.get<std::string>();
    const Json& values = json.at("tune_params").at(name);
    if (values.empty()) throw Error(fmt::format("parameter {} has no values", shown(name)));
    for (const Json& value : values) genes.add(name, value);
  }
  Recording recording;
  for (const auto& item : json.at("cache").items()) {
    const Json& row = item.value();
    recording.entries.push_back(
        {genes.genome(row),
         measurement_of(at_or_none(row, "time"), at_or_none(row, "times"),
                        text_at(row, "__error__")),
         "exhaustive",
         {},
         {seconds_at(row, {"compile_time"}), seconds_at(row, {"verification_time"}),
          seconds_at(row, {"benchmark_time"})}});
  }
  recording.problem.genes = genes.table();
  return recording;
}

/// The time among a row's measurements; nothing if there is none.
Json time_in(const Json& row) {
  for (const Json& measurement : at_or_none(row, "measurements"))
    if (text_at(measurement, "name") == "time") {
      require_milliseconds(text_at(measurement, "unit"));
      return measurement.at("value");
    }
  return {};
}

Recording from_t4(const Json& json) {
  if (json.contains("metadata")) require_milliseconds(text_at(json.at("metadata"), "timeunit"));
  Genes genes;
  for (const Json& row : json.at("results"))
    for (const auto& item : row.at("configuration").items()) genes.add(item.key(), item.value());
  Recording recording;
  for (const Json& row : json.at("results")) {
    const Json& times = row.contains("times") ? row.at("times") : kNone;
    const std::string invalid = text_at(row, "invalidity");
    recording.entries.push_back(
        {genes.genome(row.at("configuration")),
         measurement_of(time_in(row), times.is_object() ? at_or_none(times, "runtimes") : kNone,
                        invalid == "correct" ? "" : invalid),
         "exhaustive",
         {},
         {seconds_at(times, {"compilation", "compilation_time"}), seconds_at(times, {"validation"}),
          seconds_at(times, {"benchmark"})}});
  }
  recording.problem.genes = genes.table();
  return recording;
}

/// Throws Error where a configuration is there twice, or looks so since not all parameters are
/// named.
void require_distinct(const Recording& recording) {
  if (const auto same = first_repeated(recording))
    throw Error(fmt::format("configurations {} and {} have the same parameters", same->first + 1,
                            same->second + 1));
}

Recording from_json(const std::string& text) {
  const Json json = Json::parse(text);
  Recording recording = json.contains("cache") ? from_cache(json) : from_t4(json);
  recording.problem.machine = text_at(json, "kernel_name");
  recording.problem.host = text_at(json, "device_name");
  recording.problem.size = size_of(json);
  if (recording.entries.empty()) throw Error("it has no configurations");
  if (recording.problem.genes.empty()) throw Error("it has no parameters");
  require_distinct(recording);
  return recording;
}

}  // namespace

Recording import_kernel_tuner(std::string data, const std::string& file) {
  const auto wrong = [&](const std::string& reason) {
    return Error(fmt::format("`{}` is no file of Kernel Tuner: {}", file, reason));
  };
  try {
    return from_json(inflated(std::move(data)));
  } catch (const Error& error) {
    throw wrong(error.diagnostics()[0].message);
  } catch (const Json::parse_error&) {
    throw wrong("it is not JSON");
  } catch (const Json::exception&) {
    throw wrong("it has neither configurations of a cache nor results of T4");
  }
}

}  // namespace paraiso::tune
