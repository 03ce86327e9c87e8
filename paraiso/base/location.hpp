// Location: the place in the user's source (or `.om` file) that something came from.
// Gives: Location, intern_file. Needs: nothing.
#pragma once

#include <string>
#include <string_view>

namespace paraiso {

/// A place in a source file. `file` points at text that lives as long as the process
/// (`__builtin_FILE()` does; other text goes through `intern_file`).
struct Location {
  const char* file = "";
  int line = 0;

  [[nodiscard]] bool known() const { return line > 0; }
  /// `hydro.cpp:142`: the file's last path component and the line; empty if not known.
  [[nodiscard]] std::string text() const;
  friend bool operator==(const Location&, const Location&) = default;
};

/// Returns a pointer to a copy of `file` that is never freed; equal texts share one copy.
[[nodiscard]] const char* intern_file(std::string_view file);

}  // namespace paraiso
