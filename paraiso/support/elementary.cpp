// The elementary functions of scalars (arithmetic.hpp declares them), compiled once. Weak: each
// emitted solver has a copy, and of those in one program the linker takes one.
#include "paraiso/support/elementary.hpp"

namespace paraiso_support {

[[gnu::weak]] double cbrt(double x) { return elementary::cbrt(x); }
[[gnu::weak]] double exp(double x) { return elementary::exp(x); }
[[gnu::weak]] double log(double x) { return elementary::log(x); }
[[gnu::weak]] double sin(double x) { return elementary::sin(x); }
[[gnu::weak]] double cos(double x) { return elementary::cos(x); }
[[gnu::weak]] double tan(double x) { return elementary::tan(x); }
[[gnu::weak]] double asin(double x) { return elementary::asin(x); }
[[gnu::weak]] double acos(double x) { return elementary::acos(x); }
[[gnu::weak]] double atan(double x) { return elementary::atan(x); }
[[gnu::weak]] double sinh(double x) { return elementary::sinh(x); }
[[gnu::weak]] double cosh(double x) { return elementary::cosh(x); }
[[gnu::weak]] double tanh(double x) { return elementary::tanh(x); }
[[gnu::weak]] double pow(double x, double y) { return elementary::pow(x, y); }
[[gnu::weak]] double atan2(double y, double x) { return elementary::atan2(y, x); }

[[gnu::weak]] float cbrt(float x) { return static_cast<float>(elementary::cbrt(double{x})); }
[[gnu::weak]] float exp(float x) { return static_cast<float>(elementary::exp(double{x})); }
[[gnu::weak]] float log(float x) { return static_cast<float>(elementary::log(double{x})); }
[[gnu::weak]] float sin(float x) { return static_cast<float>(elementary::sin(double{x})); }
[[gnu::weak]] float cos(float x) { return static_cast<float>(elementary::cos(double{x})); }
[[gnu::weak]] float tan(float x) { return static_cast<float>(elementary::tan(double{x})); }
[[gnu::weak]] float asin(float x) { return static_cast<float>(elementary::asin(double{x})); }
[[gnu::weak]] float acos(float x) { return static_cast<float>(elementary::acos(double{x})); }
[[gnu::weak]] float atan(float x) { return static_cast<float>(elementary::atan(double{x})); }
[[gnu::weak]] float sinh(float x) { return static_cast<float>(elementary::sinh(double{x})); }
[[gnu::weak]] float cosh(float x) { return static_cast<float>(elementary::cosh(double{x})); }
[[gnu::weak]] float tanh(float x) { return static_cast<float>(elementary::tanh(double{x})); }
[[gnu::weak]] float pow(float x, float y) {
  return static_cast<float>(elementary::pow(double{x}, double{y}));
}
[[gnu::weak]] float atan2(float y, float x) {
  return static_cast<float>(elementary::atan2(double{y}, double{x}));
}

}  // namespace paraiso_support
