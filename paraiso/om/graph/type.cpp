#include "paraiso/om/graph/type.hpp"

#include <fmt/format.h>

#include <charconv>

namespace paraiso::om {

const char* name(Element element) {
  switch (element) {
    case Element::boolean: return "bool";
    case Element::i32: return "i32";
    case Element::i64: return "i64";
    case Element::f32: return "f32";
    case Element::f64: return "f64";
  }
  return "";
}

const char* name(Realm realm) { return realm == Realm::local ? "local" : "global"; }

std::string name(Type type) { return std::string(name(type.realm)) + " " + name(type.element); }

std::optional<Element> parse_element(std::string_view text) {
  for (auto e : {Element::boolean, Element::i32, Element::i64, Element::f32, Element::f64})
    if (text == name(e)) return e;
  return std::nullopt;
}

std::size_t size_of(Element element) {
  return with_element(element, [](auto t) { return sizeof(t); });
}

std::string Constant::text() const {
  return with_element(element_, [&](auto t) -> std::string {
    using T = decltype(t);
    if constexpr (std::is_floating_point_v<T>)
      if (std::isnan(as<T>())) return "nan";
    return fmt::format("{}", as<T>());
  });
}

std::optional<Constant> Constant::parse(Element element, std::string_view text) {
  if (element == Element::boolean) {
    if (text == "true") return Constant(true);
    if (text == "false") return Constant(false);
    return std::nullopt;
  }
  return with_element(element, [&](auto t) -> std::optional<Constant> {
    using T = decltype(t);
    if constexpr (!std::is_same_v<T, bool>) {
      if constexpr (std::is_floating_point_v<T>) {
        // from_chars also accepts `Infinity`, `NaN`, `nan(1)`.
        const auto digits = text.substr(text.starts_with('-') ? 1 : 0);
        const bool named = digits == "inf" || text == "nan";
        if (!named && digits.find_first_not_of("0123456789.e+-") != digits.npos)
          return std::nullopt;
      }
      T value{};
      auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error == std::errc{} && end == text.data() + text.size()) return Constant(value);
    }
    return std::nullopt;
  });
}

Constant Constant::from_double(Element element, double value) {
  return with_element(element, [&](auto t) {
    using T = decltype(t);
    if constexpr (std::is_same_v<T, bool>)
      return Constant(value != 0);
    else if constexpr (std::is_integral_v<T>) {
      using limits = std::numeric_limits<T>;
      if (std::isnan(value)) return Constant(T{0});
      if (value >= -static_cast<double>(limits::min())) return Constant(limits::max());
      if (value <= static_cast<double>(limits::min())) return Constant(limits::min());
      return Constant(static_cast<T>(value));
    } else
      return Constant(static_cast<T>(value));
  });
}

}  // namespace paraiso::om
