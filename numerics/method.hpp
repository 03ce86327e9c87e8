// Method: a row of a table of methods of one kind, from which a user chooses by name.
// Gives: Method, Methods. Needs: nothing.
#pragma once

#include <vector>

namespace paraiso::numerics {

/// `Function` is a pointer to a function without template parameters: there is a table for each
/// type that is computed with, with the same names and summaries.
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
