// A tuning problem that several tests are about. Gives: example_problem. Needs: tune's database.
#pragma once

#include "paraiso/tune/database/database.hpp"

namespace paraiso::tune {

inline TuningProblem example_problem(const std::string& size = "512x512") {
  return {"hydro",
          "c0ffee",
          "fma",
          "f64",
          "openmp",
          "g++ 12",
          2,
          size,
          "desk",
          "cpu, caches",
          {{"proceed/vectors", {"1", "2", "4"}}}};
}

}  // namespace paraiso::tune
