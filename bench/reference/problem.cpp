#include "bench/reference/problem.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace reference {
namespace {

constexpr double kRepeatSeconds = 0.5;

struct WrongCall : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::int64_t count(const std::string& name, const std::string& text) {
  std::size_t end = 0;
  std::int64_t value = 0;
  try {
    value = std::stoll(text, &end);
  } catch (const std::logic_error&) {
    end = 0;
  }
  if (end == 0 || end != text.size() || value < 1)
    throw WrongCall("`" + name + "` is `" + text + "`, not a whole number from 1");
  return value;
}

std::vector<std::int64_t> sizes(const std::string& text) {
  std::vector<std::int64_t> result;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, 'x');) result.push_back(count("--size", part));
  return result;
}

bool among(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void require_known(const Problem& problem, const Options& options) {
  if (!among(problem.forms, options.form))
    throw WrongCall("`" + problem.name + "` has no form `" + options.form + "`");
  if (!among(problem.precisions, options.precision))
    throw WrongCall("`" + problem.name + "` has no precision `" + options.precision + "`");
  if (options.size.size() != problem.size.size())
    throw WrongCall("`" + problem.name + "` needs " + std::to_string(problem.size.size()) +
                    " sizes");
}

Options parse(int argc, char** argv, const Problem& problem) {
  Options options;
  options.form = problem.forms[problem.forms.size() > 1 ? 1 : 0];
  options.size = problem.size;
  options.precision = problem.precisions.front();
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--check") {
      options.check = true;
      continue;
    }
    if (i + 1 == argc) throw WrongCall("`" + name + "` needs a value");
    const std::string value = argv[++i];
    if (name == "--form")
      options.form = value;
    else if (name == "--precision")
      options.precision = value;
    else if (name == "--size")
      options.size = sizes(value);
    else if (name == "--threads")
      options.threads = static_cast<int>(count(name, value));
    else if (name == "--repeat")
      options.repeats = static_cast<int>(count(name, value));
    else if (name == "--steps")
      options.steps = count(name, value);
    else if (name == "--fuse")
      options.fuse = count(name, value);
    else if (name == "--state")
      options.state_file = value;
    else
      throw WrongCall("there is no option `" + name + "`");
  }
  require_known(problem, options);
  return options;
}

double seconds_of(Solver& solver, std::int64_t steps) {
  const auto start = std::chrono::steady_clock::now();
  solver.advance(steps);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// As many steps as take about kRepeatSeconds, in multiples of the fused ones; warms up as well.
std::int64_t find_steps(Solver& solver, std::int64_t fused) {
  for (std::int64_t steps = fused;; steps *= 2) {
    double seconds = seconds_of(solver, steps);
    // Threads that start, or another program, can make a few steps look like many.
    for (int again = 0; again < 3 && seconds >= kRepeatSeconds / 10 && seconds < 4 * kRepeatSeconds;
         ++again) {
      const double before = seconds;
      seconds = std::min(before, seconds_of(solver, steps));
      if (seconds > 0.8 * before) break;
    }
    if (seconds < kRepeatSeconds / 10) continue;
    const double wanted = kRepeatSeconds / seconds * static_cast<double>(steps);
    return std::max<std::int64_t>(1, std::llround(wanted / static_cast<double>(fused))) * fused;
  }
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

template <class T>
std::string joined(const std::vector<T>& values) {
  std::ostringstream text;
  text.precision(9);
  for (std::size_t i = 0; i < values.size(); ++i) text << (i ? ", " : "") << values[i];
  return text.str();
}

void print_start(const Problem& problem, const Options& options) {
  std::printf(
      "{\"problem\": \"%s\", \"form\": \"%s\", \"size\": [%s], \"precision\": \"%s\", "
      "\"threads\": %d, \"fuse\": %lld, \"compiler\": \"%s\", \"flags\": \"%s\", ",
      problem.name.c_str(), options.form.c_str(), joined(options.size).c_str(),
      options.precision.c_str(), omp_get_max_threads(), static_cast<long long>(options.fuse),
      __VERSION__, REFERENCE_FLAGS);
}

int measure(const Problem& problem, const Options& options) {
  const auto solver = problem.make(options);
  const std::int64_t steps = options.steps > 0 ? options.steps : find_steps(*solver, options.fuse);
  if (options.steps > 0) solver->advance(options.fuse);
  std::vector<double> seconds;
  for (int i = 0; i < options.repeats; ++i) seconds.push_back(seconds_of(*solver, steps));
  double cells = 1;
  for (const std::int64_t n : options.size) cells *= static_cast<double>(n);
  print_start(problem, options);
  std::printf("\"steps\": %lld, \"seconds\": [%s], \"cell_updates_per_second\": %.6g}\n",
              static_cast<long long>(steps), joined(seconds).c_str(),
              cells * static_cast<double>(steps) / median(seconds));
  return 0;
}

/// The largest difference between two forms after some steps, over the largest value.
double difference(const Problem& problem, const Options& options, std::int64_t steps) {
  const auto state_of = [&](const std::string& form) {
    Options of_form = options;
    of_form.form = form;
    const auto solver = problem.make(of_form);
    solver->advance(steps);
    return solver->state();
  };
  const std::vector<double> ours = state_of(options.form), plain = state_of(problem.forms.front());
  if (ours.size() != plain.size()) return INFINITY;
  double largest = 0, apart = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (!std::isfinite(ours[i]) || !std::isfinite(plain[i])) return INFINITY;
    largest = std::max(largest, std::abs(plain[i]));
    apart = std::max(apart, std::abs(ours[i] - plain[i]));
  }
  return apart / largest;
}

int check(const Problem& problem, const Options& options) {
  const double allowed = options.precision == "f64" ? 1e-13 : options.precision == "f32" ? 1e-5 : 0;
  const std::int64_t steps =
      options.steps > 0 ? options.steps : std::max(problem.check_steps, options.fuse);
  const double apart = difference(problem, options, steps);
  print_start(problem, options);
  std::printf("\"steps\": %lld, \"difference\": %.3g, \"allowed\": %.3g}\n",
              static_cast<long long>(steps), apart, allowed);
  return apart <= allowed ? 0 : 1;
}

/// As it lies in memory: whoever reads it is on the same machine.
int write_state(const Problem& problem, const Options& options) {
  const auto solver = problem.make(options);
  solver->advance(options.steps);
  const std::vector<double> state = solver->state();
  std::ofstream file(options.state_file, std::ios::binary);
  file.write(reinterpret_cast<const char*>(state.data()),
             static_cast<std::streamsize>(state.size() * sizeof(double)));
  if (!file.flush()) throw std::runtime_error("can't write `" + options.state_file + "`");
  return 0;
}

}  // namespace

int run(int argc, char** argv, const Problem& problem) {
  try {
    const Options options = parse(argc, argv, problem);
    if (options.threads > 0) omp_set_num_threads(options.threads);
    if (!options.state_file.empty()) return write_state(problem, options);
    return options.check ? check(problem, options) : measure(problem, options);
  } catch (const WrongCall& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}

}  // namespace reference
