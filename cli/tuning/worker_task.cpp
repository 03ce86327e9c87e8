#include "cli/tuning/worker_task.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "paraiso/runtime/system/file.hpp"

namespace paraiso::cli {

namespace {

using Json = nlohmann::ordered_json;

// Each function gives `visit` the name and the value of every member, to write it or to read it. A
// member that is added to one of the structures, and not here, does not compile.

template <class Choice, class Visit>
void members_of_machine(Choice& choice, const Visit& visit) {
  auto& [machine, dimension, precision, problem, choose] = choice;
  visit("machine", machine);
  visit("dimension", dimension);
  visit("precision", precision);
  visit("problem", problem);
  visit("choose", choose);
}

template <class Building, class Visit>
void members_of_building(Building& building, const Visit& visit) {
  auto& [backend, schedule, given, compiler, target, device, planned_for, numbers, fuse,
         hold_time_step, versions] = building;
  (void)versions;  // a task is about one schedule, which is given
  visit("backend", backend);
  visit("named_schedule", schedule);
  visit("schedule", given);
  visit("compiler", compiler);
  visit("target", target);
  visit("device", device);
  visit("planned_for", planned_for);
  visit("numbers", numbers);
  visit("fuse", fuse);
  visit("hold_time_step", hold_time_step);
}

template <class Execution, class Visit>
void members_of_execution(Execution& execution, const Visit& visit) {
  auto& [machine, building, size, set, parameters, restarts, database, division, threads, json] =
      execution;
  members_of_machine(machine, visit);
  members_of_building(building, visit);
  visit("size", size);
  visit("set", set);
  visit("parameters", parameters);
  visit("restarts", restarts);
  visit("database", database);
  visit("ranks", division.ranks);
  visit("divide", division.divide);
  visit("threads", threads);
  visit("json", json);
}

template <class Task, class Visit>
void members(Task& task, const Visit& visit) {
  auto& [execution, phase, answer, tuner, expected, steps, repeats, best, check_seconds,
         compile_seconds] = task;
  members_of_execution(execution, visit);
  visit("phase", phase);
  visit("answer", answer);
  visit("tuner", tuner);
  visit("expected", expected);
  visit("steps", steps);
  visit("repeats", repeats);
  visit("best", best);
  visit("check_seconds", check_seconds);
  visit("compile_seconds", compile_seconds);
}

// --- values that are no numbers, texts or lists of them ---

template <class T>
Json written(const T& value) {
  return value;
}
Json written(passes::Numbers numbers) { return passes::name(numbers); }
Json written(const plan::Schedule& schedule) { return schedule.choices; }
Json written(const runtime::Parameters& parameters) {
  Json list = Json::array();
  for (const auto& [name, value] : parameters)
    list.push_back({name, om::name(value.element()), value.text()});
  return list;
}
template <class T>
Json written(const std::optional<T>& value) {
  return value ? written(*value) : Json();
}

template <class T>
void read(const Json& json, T& value) {
  json.get_to(value);
}
void read(const Json& json, passes::Numbers& numbers) {
  numbers = passes::parse_numbers(json.get<std::string>()).value();
}
void read(const Json& json, plan::Schedule& schedule) { json.get_to(schedule.choices); }
void read(const Json& json, runtime::Parameters& parameters) {
  for (const Json& item : json)
    parameters.push_back(
        {item.at(0), om::Constant::parse(om::parse_element(item.at(1).get<std::string>()).value(),
                                         item.at(2).get<std::string>())
                         .value()});
}
template <class T>
void read(const Json& json, std::optional<T>& value) {
  if (json.is_null())
    value.reset();
  else
    read(json, value.emplace());
}

}  // namespace

void write_task(const WorkerTask& task, const std::filesystem::path& file) {
  Json json;
  members(task, [&](const char* name, const auto& value) { json[name] = written(value); });
  try {
    runtime::write_file(file, json.dump(1));
  } catch (const Json::type_error&) {
    throw Error("names and paths must be UTF-8 where workers are to read them");
  }
}

WorkerTask read_task(const std::filesystem::path& file) {
  WorkerTask task;
  try {
    const Json json = Json::parse(runtime::read_file(file));
    members(task, [&](const char* name, auto& value) { read(json.at(name), value); });
  } catch (const Json::exception&) {
    throw Error(fmt::format("`{}` is no task of a worker", file.string()));
  } catch (const std::bad_optional_access&) {
    throw Error(fmt::format("`{}` is no task of a worker", file.string()));
  }
  return task;
}

}  // namespace paraiso::cli
