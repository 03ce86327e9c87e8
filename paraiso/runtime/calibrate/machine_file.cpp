#include "paraiso/runtime/calibrate/machine_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "paraiso/base/error.hpp"
#include "paraiso/base/rounded.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/runtime/system/file.hpp"

namespace paraiso::runtime {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr double kMostThreads = 4096;

/// Reads one file; every complaint names the field.
class Reader {
 public:
  Reader(const std::string& text, const std::string& name)
      : name_(name), json_(Json::parse(text, nullptr, false)) {
    if (!json_.is_object() || !json_.contains("paraiso_machine"))
      throw Error(fmt::format("`{}` is not a machine file", name_)).with_hint(kHint);
    if (json_["paraiso_machine"] != kVersion)
      throw Error(fmt::format("`{}` is a machine file of another version of Paraiso", name_))
          .with_hint(kHint);
  }

  MachineFile run() const {
    refuse_unknown();
    MachineFile file;
    plan::MachineModel& machine = file.machine;
    machine.processor = text("processor");
    file.host = text("host");
    file.target = text("target");
    file.compiler = text("compiler");
    file.busy = truth("busy");
    machine.threads = whole("threads", kMostThreads);
    for (const plan::MachineField& field : plan::machine_fields()) {
      if (field.newer && !json_.contains(field.name)) continue;
      machine.*field.value = number(json_, field.name, field.least, field.most);
    }
    if (!json_.contains("caches") || !json_["caches"].is_array() || json_["caches"].size() < 2)
      throw wrong("`caches` is not a list of at least two");
    for (const plan::ModelConstant& constant : plan::model_constants())
      if (json_.contains("constants") && json_["constants"].contains(constant.name))
        machine.constants.*constant.value = number(json_["constants"], constant.name, 0, 1e12);
    for (const Json& cache : json_["caches"]) machine.caches.push_back(cache_of(cache));
    return file;
  }

 private:
  static constexpr const char* kHint = "`paraiso calibrate --output FILE` writes one";

  [[nodiscard]] Error wrong(const std::string& what) const {
    return Error(fmt::format("`{}` is not a machine file: {}", name_, what)).with_hint(kHint);
  }

  [[nodiscard]] std::string text(const char* key) const {
    if (!json_.contains(key) || !json_[key].is_string())
      throw wrong(fmt::format("`{}` is missing or not a text", key));
    return json_[key];
  }

  /// False where it is not said.
  [[nodiscard]] bool truth(const char* key) const {
    if (!json_.contains(key)) return false;
    if (!json_[key].is_boolean()) throw wrong(fmt::format("`{}` is not true or false", key));
    return json_[key];
  }

  [[nodiscard]] double number(const Json& from, const char* key, double least, double most) const {
    if (!from.is_object() || !from.contains(key) || !from[key].is_number())
      throw wrong(fmt::format("`{}` is missing or not a number", key));
    const double value = from[key];
    if (!(value >= least && value <= most))
      throw wrong(
          fmt::format("`{}` is {:g}, and must be between {:g} and {:g}", key, value, least, most));
    return value;
  }

  [[nodiscard]] int whole(const char* key, double most) const {
    const double value = number(json_, key, 1, most);
    if (value != std::floor(value)) throw wrong(fmt::format("`{}` is not a whole number", key));
    return static_cast<int>(value);
  }

  /// A misspelt name would leave a value as it is by default.
  void refuse_unknown() const {
    std::set<std::string> known = {"paraiso_machine", "processor", "host",
                                   "target",          "compiler",  "busy",
                                   "threads",         "caches",    "constants"};
    for (const plan::MachineField& field : plan::machine_fields()) known.insert(field.name);
    refuse_others(json_, known);
    if (!json_.contains("constants")) return;
    if (!json_["constants"].is_object()) throw wrong("`constants` is not an object");
    std::set<std::string> constants;
    for (const plan::ModelConstant& constant : plan::model_constants())
      constants.insert(constant.name);
    refuse_others(json_["constants"], constants);
  }

  void refuse_others(const Json& object, const std::set<std::string>& known) const {
    for (const auto& [key, value] : object.items())
      if (!known.contains(key)) throw wrong(fmt::format("{} is no field of one", shown(key)));
  }

  [[nodiscard]] plan::CacheModel cache_of(const Json& cache) const {
    return {number(cache, "bytes", plan::kLeastCache, plan::kMostCache),
            number(cache, "bytes_per_second", plan::kSlowestCache, plan::kFastestCache)};
  }

  const std::string& name_;
  Json json_;
};

/// To four digits: the measurement has no more.
double four_digits(double value) { return rounded(value, 4); }

}  // namespace

std::string machine_text(const MachineFile& file) {
  const plan::MachineModel& machine = file.machine;
  Json json = {{"paraiso_machine", kVersion}, {"processor", machine.processor}, {"host", file.host},
               {"target", file.target},       {"compiler", file.compiler},      {"busy", file.busy},
               {"threads", machine.threads}};
  for (const plan::MachineField& field : plan::machine_fields())
    json[field.name] = four_digits(machine.*field.value);
  json["caches"] = Json::array();
  for (const plan::CacheModel& cache : machine.caches)
    json["caches"].push_back({{"bytes", four_digits(cache.bytes)},
                              {"bytes_per_second", four_digits(cache.bytes_per_second)}});
  return json.dump(2) + "\n";
}

MachineFile parse_machine(const std::string& text, const std::string& name) {
  return Reader(text, name).run();
}

MachineFile read_machine(const std::filesystem::path& path) {
  return parse_machine(read_file(path), path.string());
}

}  // namespace paraiso::runtime
