// Error: a diagnostic at the user's line, with notes. The only exception that Paraiso throws on
// purpose. Gives: Diagnostic, Error. Needs: Location.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "paraiso/base/location.hpp"

namespace paraiso {

enum class Severity { error, note, hint };

struct Diagnostic {
  Severity severity = Severity::error;
  Location location;
  std::string message;

  /// `hydro.cpp:142: error: ...`, or `error: ...` where the location is not known.
  [[nodiscard]] std::string text() const;
};

/// One error and its notes. `what()` is the whole text, one line per diagnostic, without a final
/// newline.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : Error(Location{}, message) {}
  Error(Location location, const std::string& message)
      : Error(std::vector<Diagnostic>{{Severity::error, location, message}}) {}
  explicit Error(std::vector<Diagnostic> diagnostics);

  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  /// The same error with one more note or hint below it.
  [[nodiscard]] Error with(Severity severity, Location location, const std::string& message) const;
  [[nodiscard]] Error with_note(Location location, const std::string& message) const {
    return with(Severity::note, location, message);
  }
  [[nodiscard]] Error with_hint(const std::string& message) const {
    return with(Severity::hint, {}, message);
  }

 private:
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace paraiso
