#include "paraiso/tune/tuner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>

#include "paraiso/base/clock.hpp"
#include "paraiso/runtime/process/process_identity.hpp"

namespace paraiso::tune {

namespace {

constexpr double kNewsSeconds = 1;

/// `seed` itself if nothing is known.
std::uint64_t seed_after(std::uint64_t seed, std::int64_t known) {
  return seed ^ (static_cast<std::uint64_t>(known) * 0x9e3779b97f4a7c15u);
}

}  // namespace

Tuner::Tuner(Database& database, std::int64_t problem, Space space, TunerSettings settings)
    : database_(database),
      problem_(problem),
      settings_(std::move(settings)),
      search_(std::move(space), settings_.strategy,
              seed_after(settings_.seed, database.count(problem)), settings_.shares) {
  session_ = database_.add(TunerRun{settings_.strategy, settings_.seed, settings_.command,
                                    settings_.version, now(), runtime::process_identity()});
  take_news();
}

std::size_t Tuner::run(Evaluator& evaluator) {
  for (;;) {
    fill(evaluator);
    if (!in_flight_.empty()) {
      finish(evaluator.wait());
    } else if (elsewhere_.empty() || !may_give_birth()) {
      return measured_;
    } else {
      std::this_thread::sleep_for(std::chrono::duration<double>(kNewsSeconds));
    }
    if (now() >= news_at_ + kNewsSeconds) {
      database_.renew(session_, now() + settings_.claim_seconds);
      take_news();
      take_over();
    }
  }
}

bool Tuner::may_give_birth() const {
  return born_ < settings_.budget && history().size() + in_flight_.size() < settings_.total &&
         !(settings_.stop && settings_.stop());
}

std::string Tuner::ending() const {
  if (born_ >= settings_.budget) return "the budget is spent";
  if (history().size() >= settings_.total)
    return fmt::format("{} individuals are known", history().size());
  if (settings_.stop && settings_.stop()) return "it was told to stop";
  return settings_.starts_only ? "all that was to be tried is known" : search_.ending();
}

bool Tuner::knows_all() {
  return in_flight_.empty() && elsewhere_.empty() && unfinished_.empty() && search_.knows_all();
}

void Tuner::fill(Evaluator& evaluator) {
  while (in_flight_.size() < evaluator.capacity() && may_give_birth()) {
    auto birth = next_birth();
    if (!birth) return;
    try_birth(evaluator, std::move(*birth));
  }
}

std::optional<Birth> Tuner::next_birth() {
  if (unfinished_.empty()) {
    auto birth = search_.ask();
    return birth && settings_.starts_only && birth->method != "start" ? std::nullopt : birth;
  }
  Birth birth = std::move(unfinished_.back());
  unfinished_.pop_back();
  return birth;
}

void Tuner::try_birth(Evaluator& evaluator, Birth birth) {
  const double born = now();
  const std::string letters = plan::letters_of(search_.space().genes, birth.genome);
  switch (database_.claim(problem_, session_, letters, born, born + settings_.claim_seconds)) {
    case Claim::granted:
      evaluator.start(born_, birth.genome);
      in_flight_.emplace(born_++, InFlight{std::move(birth), born});
      break;
    case Claim::measured: take_news(); break;
    case Claim::taken: elsewhere_.push_back(std::move(birth)); break;
  }
}

void Tuner::finish(Finished finished) {
  const auto found = in_flight_.find(finished.ticket);
  const InFlight flight = std::move(found->second);
  in_flight_.erase(found);
  Individual individual;
  individual.session = session_;
  individual.genome = plan::letters_of(search_.space().genes, flight.birth.genome);
  individual.method = flight.birth.method;
  for (const std::size_t parent : flight.birth.parents) individual.parents.push_back(ids_[parent]);
  individual.temperature = flight.birth.temperature;
  individual.measurement = finished.measurement;
  individual.born = flight.born;
  individual.finished = now();
  const std::int64_t id = database_.record(problem_, individual);
  finished.host.reset();
  const std::size_t number = search_.tell(flight.birth.genome, finished.measurement);
  if (number == ids_.size()) ids_.push_back(id);
  ++measured_;
  if (settings_.watch) settings_.watch({flight.birth, finished.measurement, history()});
}

void Tuner::take_news() {
  database_.each_result(problem_, newest_, session_, [&](const Outcome& result) { adopt(result); });
  news_at_ = now();
}

void Tuner::adopt(const Outcome& result) {
  newest_ = result.id;
  const plan::Genome genome = plan::genome_from(search_.space().genes, result.genome);
  const std::size_t number = search_.tell(genome, result.measurement);
  if (number == ids_.size()) ids_.push_back(result.id);
  std::erase_if(elsewhere_, [&](const Birth& birth) { return birth.genome == genome; });
}

void Tuner::take_over() {
  const auto is_claimed = [&](const Birth& birth) {
    const std::string letters = plan::letters_of(search_.space().genes, birth.genome);
    return database_.is_claimed(problem_, letters, now());
  };
  const auto left = std::stable_partition(elsewhere_.begin(), elsewhere_.end(), is_claimed);
  std::move(left, elsewhere_.end(), std::back_inserter(unfinished_));
  elsewhere_.erase(left, elsewhere_.end());
}

}  // namespace paraiso::tune
