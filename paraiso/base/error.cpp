#include "paraiso/base/error.hpp"

namespace paraiso {
namespace {

const char* word(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::note: return "note";
    case Severity::hint: return "hint";
  }
  return "";
}

std::string join(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const auto& d : diagnostics) text += (text.empty() ? "" : "\n") + d.text();
  return text;
}

}  // namespace

std::string Diagnostic::text() const {
  std::string place = location.known() ? location.text() + ": " : "";
  return place + word(severity) + ": " + message;
}

Error::Error(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(join(diagnostics)), diagnostics_(std::move(diagnostics)) {}

Error Error::with(Severity severity, Location location, const std::string& message) const {
  auto all = diagnostics_;
  all.push_back({severity, location, message});
  return Error(std::move(all));
}

}  // namespace paraiso
