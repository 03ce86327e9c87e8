// How many births a second one core gives to a simulated fleet, and how that depends on the size of
// the database: `births [LARGEST] [GENES]` prints a line for 1,000, 10,000, ... individuals.
// A birth is all that the master does for an individual: the draw of its parents, the new genome,
// its repair, the claim, the record of the measurement, and telling the strategy. With `hydro` in
// the place of GENES, genomes are those of the two-dimensional hydro's step kernel, and repaired as
// such; with a number they are legal as they are.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>

#include "apps/hydro/hydro.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/make/canonical.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/tune/tuner.hpp"

namespace {

using namespace paraiso;
using namespace paraiso::tune;

constexpr std::size_t kWorkers = 1000;
constexpr std::size_t kBirths = 5000;  // measured a line
constexpr std::size_t kChunk = 10000;

/// Of this process's computing, whatever else the machine does.
double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

plan::Genome as_it_is(const plan::Genome& genome) { return genome; }

Space hydro_space() {
  const om::Machine machine =
      passes::prepare(apps::hydro().build({2, om::Element::f64, "jet"}), passes::Numbers::fma);
  const plan::Canonical canonical(machine, machine.step_kernel()->name, plan::cpu_options);
  const auto& genes = canonical.genes();
  return {genes, {plan::genome_of(genes, plan::default_schedule(machine))}, canonical};
}

/// Most of the genes are for storage.
Space space_of(std::size_t genes) {
  Space space;
  for (std::size_t g = 0; g < genes; ++g)
    space.genes.push_back({fmt::format("proceed/value#{}.storage", g),
                           {"inline", "scratch", "rolling", "array", "array_alone"}});
  space.starts = {plan::Genome(genes)};
  space.canonical = as_it_is;
  return space;
}

/// Some score that depends on all of the genome, over two orders of magnitude.
Measurement measure(const plan::Genome& genome) {
  Rng rng(fnv1a({reinterpret_cast<const char*>(genome.data()), 2 * genome.size()}));
  const double score = 1e6 * std::pow(100, rng.unit());
  std::vector<double> samples;
  for (int i = 0; i < 5; ++i) samples.push_back(score * (1 + 0.01 * rng.unit()));
  return measured(std::move(samples));
}

/// Workers that need random times on a clock of their own.
class Fleet final : public Evaluator {
 public:
  std::size_t capacity() const override { return kWorkers; }
  void start(std::size_t ticket, const plan::Genome& genome) override {
    running_.emplace(time_ + rng_.unit(), std::pair(ticket, genome));
  }
  Finished wait() override {
    auto next = running_.extract(running_.begin());
    time_ = next.key();
    return {next.mapped().first, measure(next.mapped().second)};
  }

 private:
  std::multimap<double, std::pair<std::size_t, plan::Genome>> running_;
  double time_ = 0;
  Rng rng_{1};
};

/// By genomes that nobody repairs: so many would take long.
void grow(Database& database, std::int64_t problem, std::int64_t session, Space space,
          std::size_t count, Rng& rng) {
  space.canonical = as_it_is;
  std::vector<Individual> chunk;
  for (auto have = static_cast<std::size_t>(database.count(problem)); have < count; ++have) {
    const plan::Genome genome = scattered_genome(space, rng);
    Individual individual;
    individual.session = session;
    individual.genome = plan::letters_of(space.genes, genome);
    individual.method = "random";
    individual.measurement = measure(genome);
    chunk.push_back(std::move(individual));
    if (chunk.size() < kChunk && have + 1 < count) continue;
    database.import(problem, chunk);
    chunk.clear();
  }
}

void measure_births(Database& database, std::int64_t problem, const Space& space) {
  const auto before = database.count(problem);
  TunerSettings settings;
  settings.budget = kWorkers + kBirths;
  const double loading = seconds();
  Tuner tuner(database, problem, space, settings);
  const double load_seconds = seconds() - loading;
  Fleet fleet;
  const double start = seconds();
  const std::size_t finished = tuner.run(fleet);
  const double taken = seconds() - start;
  fmt::print("{:>11} {:>14.0f} {:>22.1f} {:>14.2f}\n", before,
             static_cast<double>(finished) / taken, 1e6 * taken / static_cast<double>(finished),
             load_seconds);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t largest = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000000;
  const std::string genes = argc > 2 ? argv[2] : "448";
  const Space space =
      genes == "hydro" ? hydro_space() : space_of(std::strtoull(genes.c_str(), nullptr, 10));
  const auto folder = std::filesystem::temp_directory_path() / "paraiso-births";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  {
    Database database(folder / "births.sqlite");
    tune::TuningProblem problem;
    problem.machine = "births", problem.genes = space.genes;
    const auto id = database.add(problem);
    const auto session = database.add(TunerRun{});
    Rng rng(1);
    fmt::print("individuals  births/second  microseconds a birth  load seconds\n");
    for (std::size_t count = 1000; count <= largest; count *= 10) {
      grow(database, id, session, space, count, rng);
      measure_births(database, id, space);
    }
  }
  std::filesystem::remove_all(folder);
}
