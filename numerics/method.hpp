// Method: a row of a table of methods of one kind, by which a user chooses.
// Gives: Method, Methods. Needs: nothing.
#pragma once

#include <vector>

namespace paraiso::numerics {

/// `Function` is a pointer to a function whose types are all settled: a table is made for each type
/// that is computed with, its names and summaries always the same.
template <class Function>
struct Method {
  const char* name;     // what a user types
  const char* summary;  // one line, with the paper
  Function function;
};

/// The first row is the default.
template <class Function>
using Methods = std::vector<Method<Function>>;

}  // namespace paraiso::numerics
