// The command of a reference: one problem, in a plain form and in the best hand-made form.
// Gives: Options, Solver, Problem, with_precision, run. Needs: OpenMP.
//
//   reference_heat --form best --size 512x512x512 --precision f64 --threads 2
//   reference_heat --check --form best ...     compares the form with the plain one instead
//   reference_heat --state FILE --steps 4 ...  writes the state after so many steps instead, as f64
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace reference {

struct Options {
  std::string form, precision;
  std::vector<std::int64_t> size;  // axis 0, contiguous in memory, first
  int threads = 0;                 // 0: all
  int repeats = 5;
  std::int64_t steps = 0;  // a repeat; 0: as many as take half a second; none before a state
  std::int64_t fuse = 1;   // steps in one pass, of the forms that can
  bool check = false;
  std::string state_file;
};

/// A problem at its beginning.
class Solver {
 public:
  virtual ~Solver() = default;
  virtual void advance(std::int64_t steps) = 0;
  /// Every core value of every array, in an order that all forms share.
  [[nodiscard]] virtual std::vector<double> state() const = 0;
};

/// What a problem is and what its forms are: the first is `plain`, the second, if there is one,
/// `best`, which is run unless told.
struct Problem {
  std::string name;
  std::vector<std::int64_t> size;       // unless told
  std::vector<std::string> precisions;  // the first unless told
  std::vector<std::string> forms;
  std::function<std::unique_ptr<Solver>(const Options&)> make;
  std::int64_t check_steps = 4;
};

/// `make` as a template over the type of real numbers, called for the one that is asked for.
template <class Make>
std::unique_ptr<Solver> with_precision(const Options& options, const Make& make) {
  return options.precision == "f64" ? make.template operator()<double>()
                                    : make.template operator()<float>();
}

/// The whole of a reference's `main`: prints one JSON object. 0: done, 1: wrong, 2: a wrong call.
int run(int argc, char** argv, const Problem& problem);

}  // namespace reference
