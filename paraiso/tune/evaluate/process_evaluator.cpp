#include "paraiso/tune/evaluate/process_evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <nlohmann/json.hpp>
#include <utility>

#include "paraiso/base/clock.hpp"
#include "paraiso/base/error.hpp"
#include "paraiso/runtime/process/stop_signals.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/tune/evaluate/worker_answer.hpp"

namespace paraiso::tune {

namespace {

using Json = nlohmann::ordered_json;
using runtime::HostLock;

constexpr const char* kGarbage = "the worker's answer can't be understood";

/// Throws Json::exception if there is no measurement in it.
Measurement measurement_in(const Json& answer) {
  if (answer.contains("reason")) {
    const auto reason = answer.at("reason").get<std::string>();
    return failed(reason.empty() ? kGarbage : reason);
  }
  Measurement measurement;
  if (answer.contains("samples")) {
    const auto samples = answer.at("samples").get<std::vector<double>>();
    const bool sound = !samples.empty() && std::ranges::all_of(samples, [](double sample) {
      return std::isfinite(sample) && sample > 0;
    });
    return sound ? measured(samples) : failed(kGarbage);
  }
  measurement.schedule_hash = answer.at("schedule_hash").get<std::string>();
  measurement.code_hash = answer.at("code_hash").get<std::string>();
  measurement.compile_seconds = answer.at("compile_seconds").get<double>();
  return measurement;
}

Measurement told_in(const Json& answer) {
  try {
    return measurement_in(answer);
  } catch (const Json::exception&) {
    return failed(kGarbage);
  }
}

}  // namespace

ProcessEvaluator::ProcessEvaluator(EvaluatorSettings settings) : settings_(std::move(settings)) {}

void ProcessEvaluator::start(std::size_t ticket, const plan::Genome& genome) {
  waiting_.push_back({ticket, genome, {}});
}

Finished ProcessEvaluator::wait() {
  if (built_.empty()) build_all();
  const Job job = std::move(built_.front());
  built_.pop_front();
  Finished finished{job.ticket, job.built, {}};
  if (job.built.ok()) {
    finished.host = hold(HostLock::Mode::alone);
    finished.measurement = time_once(job);
  }
  if (!finished.measurement.ok() && settings_.keep)
    finished.measurement.sources = settings_.keep(job.genome).string();
  return finished;
}

std::shared_ptr<const void> ProcessEvaluator::hold(HostLock::Mode use) const {
  return std::make_shared<const runtime::Turn>(settings_.locks, use);
}

Measurement ProcessEvaluator::run(WorkerOrder order, const std::string& name,
                                  std::size_t at_a_time) const {
  const bool building = order.phase == WorkerOrder::Phase::build;
  const WorkerLimits& limits = settings_.limits;
  const double seconds = building ? limits.build_seconds : limits.time_seconds;
  const double bytes = limits.bytes / static_cast<double>(at_a_time);
  order.answer = settings_.folder / (name + ".json");
  order.task = settings_.folder / (name + ".task");
  const double begin = steady_seconds();
  std::filesystem::remove(order.answer);
  try {
    const auto result =
        runtime::run_program(settings_.command(order), {},
                             {.seconds = seconds, .bytes = bytes, .processes = limits.processes});
    const auto answer = worker_answer(result, order.answer);
    Measurement measurement =
        answer ? told_in(*answer) : failed(why_it_ended(result, seconds, limits.time_seconds));
    const double took = steady_seconds() - begin;
    if (building)
      measurement.check_seconds = std::max(0.0, took - measurement.compile_seconds);
    else
      measurement.time_seconds = took;
    std::filesystem::remove(order.answer);
    std::filesystem::remove(order.task);
    return measurement;
  } catch (const runtime::CannotWrite&) {
    throw;
  } catch (const runtime::Stopped&) {
    throw;
  } catch (const Error& error) {
    return failed(error.diagnostics()[0].message);
  }
}

void ProcessEvaluator::build_all() {
  const auto shared = hold(HostLock::Mode::shared);
  std::vector<Job> jobs = std::exchange(waiting_, {});  // whatever happens, no job is built twice
  std::vector<std::future<Measurement>> builds;
  for (const Job& job : jobs)
    builds.push_back(std::async(std::launch::async, [&] {
      return run({WorkerOrder::Phase::build, job.genome, {}, 0},
                 fmt::format("build-{}", job.ticket), jobs.size());
    }));
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    jobs[i].built = builds[i].get();
    built_.push_back(std::move(jobs[i]));
  }
}

std::optional<Measurement> ProcessEvaluator::known(const std::string& code_hash) const {
  if (const auto found = by_code_.find(code_hash); found != by_code_.end()) return found->second;
  return settings_.recall ? settings_.recall(code_hash) : std::nullopt;
}

Measurement ProcessEvaluator::time_once(const Job& job) {
  auto measurement = known(job.built.code_hash);
  if (measurement)
    measurement->time_seconds = 0;  // this one's
  else
    measurement = time_alone(job.genome, settings_.give_up ? settings_.best : 0);
  measurement->schedule_hash = job.built.schedule_hash;
  measurement->code_hash = job.built.code_hash;
  measurement->compile_seconds = job.built.compile_seconds;
  measurement->check_seconds = job.built.check_seconds;
  by_code_.try_emplace(measurement->code_hash, *measurement);
  settings_.best = std::max(settings_.best, measurement->score);
  return *measurement;
}

Measurement ProcessEvaluator::time_alone(const plan::Genome& genome, double best) const {
  Measurement measurement = run({WorkerOrder::Phase::time, genome, {}, best}, "time");
  if (measurement.ok() && measurement.samples.empty()) return failed(kGarbage);
  return measurement;
}

Measurement ProcessEvaluator::build(const plan::Genome& genome) {
  if (built_again_.contains(genome)) return {};
  const auto shared = hold(HostLock::Mode::shared);
  const Measurement built = run({WorkerOrder::Phase::build, genome, {}, 0}, "build");
  if (built.ok()) built_again_.insert(genome);
  return built;
}

Measurement ProcessEvaluator::time(const plan::Genome& genome, double best) {
  if (const Measurement built = build(genome); !built.ok()) return built;
  const auto alone = hold(HostLock::Mode::alone);
  return time_alone(genome, best);
}

}  // namespace paraiso::tune
