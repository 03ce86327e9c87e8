// Performances with their units, as the labels of a hardware graph have them.
#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "paraiso/base/rounded.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/hardware/hardware.hpp"

namespace paraiso::hardware {
namespace {

struct Prefix {
  const char* name;
  double factor;
  bool binary = false;

  /// The decimal number that the text says: 65.6 G is 6.56e10, which 65.6 * 1e9 just misses.
  [[nodiscard]] double times(double number) const {
    const double product = number * factor;
    return binary || factor == 1 ? product : rounded(product, 15);
  }
};
// The largest first, as they are tried when printing.
constexpr Prefix kDecimal[] = {{"E", 1e18}, {"P", 1e15}, {"T", 1e12}, {"G", 1e9},
                               {"M", 1e6},  {"k", 1e3},  {"", 1}};
constexpr Prefix kBinary[] = {{"Pi", 0x1p50, true},
                              {"Ti", 0x1p40, true},
                              {"Gi", 0x1p30, true},
                              {"Mi", 0x1p20, true},
                              {"Ki", 0x1p10, true}};
constexpr Prefix kSmall[] = {{"", 1}, {"m", 1e-3}, {"u", 1e-6}, {"n", 1e-9}};

/// What the number of each kind of component counts.
const char* unit_of(Kind kind) {
  switch (kind) {
    case Kind::processor: return "flop/s";
    case Kind::storage: return "B";
    case Kind::interconnect: return "B/s";
  }
  return "";
}

const char* example_of(Kind kind) {
  switch (kind) {
    case Kind::processor: return "`500 Gflop/s, 16 threads`";
    case Kind::storage: return "`256 GB`";
    case Kind::interconnect: return "`25 GB/s, latency 1.2 us, overhead 0.3 us, duplex`";
  }
  return "";
}

std::string_view stripped(std::string_view text) { return trimmed(text, " "); }

/// The prefix of a unit; none if it is no such unit.
std::optional<Prefix> prefix_of(std::string_view text, std::string_view unit) {
  if (!text.ends_with(unit)) return std::nullopt;
  text.remove_suffix(unit.size());
  if (unit == "s") {
    for (const Prefix& prefix : kSmall)
      if (text == prefix.name) return prefix;
    return std::nullopt;
  }
  for (const Prefix& prefix : kDecimal)
    if (text == prefix.name) return prefix;
  if (unit.starts_with('B'))
    for (const Prefix& prefix : kBinary)
      if (text == prefix.name) return prefix;
  return std::nullopt;
}

/// "1.2 us": a number and its unit.
double quantity(std::string_view text, std::string_view unit, Location location) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{})
    throw Error(location, fmt::format("{} is not a number with the unit {}", shown(text), unit));
  const auto rest = stripped({end, static_cast<std::size_t>(text.data() + text.size() - end)});
  const auto prefix = prefix_of(rest, unit);
  if (!prefix)
    throw Error(location, fmt::format("{} has the unit {}, not {} with a prefix", shown(text),
                                      shown(rest), unit));
  return prefix->times(number);
}

/// The value to 15 digits, if possible with a prefix.
template <std::size_t count>
std::string text_of(double value, const Prefix (&prefixes)[count], const char* unit) {
  for (const Prefix& prefix : prefixes) {
    const double scaled = rounded(value / prefix.factor, 15);
    if (scaled >= 1 && scaled < 1e4) return fmt::format("{} {}{}", scaled, prefix.name, unit);
  }
  return fmt::format("{} {}", value, unit);
}

void require(bool sound, std::string_view text, const char* rule, Location location) {
  if (!sound) throw Error(location, fmt::format("{} is not {}", shown(text), rule));
}

/// One of the words after the first number.
void read_more(std::string_view text, Component& component, Location location) {
  const bool moves = component.kind == Kind::interconnect;
  for (const auto& [word, time] :
       {std::pair("latency ", &component.latency), std::pair("overhead ", &component.overhead)})
    if (moves && text.starts_with(word)) {
      *time = quantity(stripped(text.substr(std::string_view(word).size())), "s", location);
      return require(std::isfinite(*time) && *time >= 0, text, "a time of 0 or more", location);
    }
  if (moves && text == "duplex") {
    component.duplex = true;
    return;
  }
  if (component.kind == Kind::processor && text.ends_with("threads")) {
    const auto number = stripped(text.substr(0, text.size() - 7));
    const auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), component.threads);
    const bool whole = error == std::errc{} && end == number.data() + number.size();
    return require(whole && component.threads >= 1 && component.threads <= 4096, text,
                   "a number of threads from 1 to 4096", location);
  }
  throw Error(location, fmt::format("{} says nothing of such a component", shown(text)))
      .with_hint(fmt::format("a performance is like {}", example_of(component.kind)));
}

}  // namespace

std::string performance_text(const Component& component) {
  std::string text = text_of(component.performance, kDecimal, unit_of(component.kind));
  if (component.threads > 1) text += fmt::format(", {} threads", component.threads);
  if (component.latency > 0)
    text += fmt::format(", latency {}", text_of(component.latency, kSmall, "s"));
  if (component.overhead > 0)
    text += fmt::format(", overhead {}", text_of(component.overhead, kSmall, "s"));
  if (component.duplex) text += ", duplex";
  return text;
}

void read_performance(std::string_view text, Component& component, Location location) {
  const std::vector<std::string> parts = split(text, ',');
  component.performance = quantity(stripped(parts[0]), unit_of(component.kind), location);
  require(std::isfinite(component.performance) && component.performance > 0, stripped(parts[0]),
          "above 0", location);
  for (std::size_t i = 1; i < parts.size(); ++i) read_more(stripped(parts[i]), component, location);
}

}  // namespace paraiso::hardware
