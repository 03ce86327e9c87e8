// Names: identifiers for generated code that clash neither with each other nor with a word of C++.
// Gives: Names, given_name, scope_name. Needs: om.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "paraiso/om/graph/graph.hpp"

namespace paraiso::codegen {

class Names {
 public:
  /// `taken` are names that the surrounding code uses already.
  Names(std::initializer_list<std::string_view> taken = {});

  /// The surrounding code uses `name`, too.
  void take(std::string_view name) { used_.emplace(name); }

  /// An identifier made from `wanted` (dots become underscores), new in this table: `flux_x`, or
  /// `flux_x_2` where that is taken. `wanted` must come from a checked name.
  std::string unique(std::string_view wanted);

 private:
  std::set<std::string, std::less<>> used_;
  std::map<std::string, int> last_number_;  // given to each base: earlier ones are all taken
};

/// A value's name: the user's, or `f_next` if it becomes static `f`; else empty.
[[nodiscard]] std::string given_name(const om::Graph& graph, om::ValueId value);

/// A name for a value without one, from its scope and its operator, as in
/// `x_interpolate_pressure_max`; `otherwise` if it has no scope. Of a long scope only the inner
/// parts are used.
[[nodiscard]] std::string scope_name(const om::Graph& graph, om::ValueId value,
                                     std::string_view otherwise);

}  // namespace paraiso::codegen
