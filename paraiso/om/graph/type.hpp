// Type and Constant: what a value of the Orthotope Machine is made of.
// Gives: Element, Realm, Type, Constant. Needs: nothing.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace paraiso::om {

enum class Element : std::uint8_t { boolean, i32, i64, f32, f64 };
/// `local` values have one element per cell, `global` values are one scalar.
enum class Realm : std::uint8_t { local, global };

struct Type {
  Realm realm = Realm::local;
  Element element = Element::f64;
  [[nodiscard]] bool is_local() const { return realm == Realm::local; }
  friend bool operator==(const Type&, const Type&) = default;
};

[[nodiscard]] const char* name(Element element);  // "bool", "i32", "i64", "f32", "f64"
[[nodiscard]] const char* name(Realm realm);      // "local", "global"
[[nodiscard]] std::string name(Type type);        // "local f64"
[[nodiscard]] std::optional<Element> parse_element(std::string_view text);
[[nodiscard]] std::size_t size_of(Element element);  // bytes in memory: 1, 4, 8, 4, 8
[[nodiscard]] inline bool is_float(Element e) { return e == Element::f32 || e == Element::f64; }
[[nodiscard]] inline bool is_integer(Element e) { return e == Element::i32 || e == Element::i64; }

template <class T>
constexpr Element element_of() {
  if constexpr (std::is_same_v<T, bool>)
    return Element::boolean;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return Element::i32;
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return Element::i64;
  else if constexpr (std::is_same_v<T, float>)
    return Element::f32;
  else {
    static_assert(std::is_same_v<T, double>, "an element is bool, i32, i64, f32 or f64");
    return Element::f64;
  }
}

/// Calls `f(T{})` with T the C++ type of `element`.
template <class F>
decltype(auto) with_element(Element element, F&& f) {
  switch (element) {
    case Element::boolean: return f(bool{});
    case Element::i32: return f(std::int32_t{});
    case Element::i64: return f(std::int64_t{});
    case Element::f32: return f(float{});
    case Element::f64: break;
  }
  return f(double{});
}

/// One element's value, compared by bits, so that -0 differs from +0. Any NaN is one canonical NaN.
class Constant {
 public:
  Constant() = default;
  template <class T>
  requires std::is_arithmetic_v<T>
  explicit Constant(T value) : element_(element_of<T>()) {
    if constexpr (std::is_floating_point_v<T>)
      if (std::isnan(value)) value = std::numeric_limits<T>::quiet_NaN();
    if constexpr (std::is_same_v<T, float>)
      bits_ = std::bit_cast<std::uint32_t>(value);
    else if constexpr (std::is_same_v<T, double>)
      bits_ = std::bit_cast<std::uint64_t>(value);
    else
      bits_ = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  }

  [[nodiscard]] Element element() const { return element_; }
  [[nodiscard]] std::uint64_t bits() const { return bits_; }
  /// The value; T must be the C++ type of element().
  template <class T>
  [[nodiscard]] T as() const {
    if constexpr (std::is_same_v<T, float>)
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits_));
    else if constexpr (std::is_same_v<T, double>)
      return std::bit_cast<double>(bits_);
    else if constexpr (std::is_same_v<T, bool>)
      return bits_ != 0;
    else
      return static_cast<T>(static_cast<std::int64_t>(bits_));
  }
  [[nodiscard]] double to_double() const {
    return with_element(element_, [&](auto t) { return static_cast<double>(as<decltype(t)>()); });
  }
  /// The shortest decimal that reads back as the same bits: `0.1`, `-0`, `inf`, `nan`, `true`, `7`.
  [[nodiscard]] std::string text() const;
  /// Reads what text() writes (and any decimal of the element); nullopt if malformed or out of
  /// range.
  [[nodiscard]] static std::optional<Constant> parse(Element element, std::string_view text);
  /// The constant of `element` nearest to `value` (saturating for integers, `!= 0` for bool).
  [[nodiscard]] static Constant from_double(Element element, double value);

  friend bool operator==(const Constant&, const Constant&) = default;

 private:
  Element element_ = Element::f64;
  std::uint64_t bits_ = 0;
};

}  // namespace paraiso::om
