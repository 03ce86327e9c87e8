// The elementary functions of scalars (arithmetic.hpp declares them), compiled once.
#include "paraiso/support/elementary.hpp"

namespace paraiso_support {

double cbrt(double x) { return elementary::cbrt(x); }
double exp(double x) { return elementary::exp(x); }
double log(double x) { return elementary::log(x); }
double sin(double x) { return elementary::sin(x); }
double cos(double x) { return elementary::cos(x); }
double tan(double x) { return elementary::tan(x); }
double asin(double x) { return elementary::asin(x); }
double acos(double x) { return elementary::acos(x); }
double atan(double x) { return elementary::atan(x); }
double sinh(double x) { return elementary::sinh(x); }
double cosh(double x) { return elementary::cosh(x); }
double tanh(double x) { return elementary::tanh(x); }
double pow(double x, double y) { return elementary::pow(x, y); }
double atan2(double y, double x) { return elementary::atan2(y, x); }

float cbrt(float x) { return static_cast<float>(elementary::cbrt(double{x})); }
float exp(float x) { return static_cast<float>(elementary::exp(double{x})); }
float log(float x) { return static_cast<float>(elementary::log(double{x})); }
float sin(float x) { return static_cast<float>(elementary::sin(double{x})); }
float cos(float x) { return static_cast<float>(elementary::cos(double{x})); }
float tan(float x) { return static_cast<float>(elementary::tan(double{x})); }
float asin(float x) { return static_cast<float>(elementary::asin(double{x})); }
float acos(float x) { return static_cast<float>(elementary::acos(double{x})); }
float atan(float x) { return static_cast<float>(elementary::atan(double{x})); }
float sinh(float x) { return static_cast<float>(elementary::sinh(double{x})); }
float cosh(float x) { return static_cast<float>(elementary::cosh(double{x})); }
float tanh(float x) { return static_cast<float>(elementary::tanh(double{x})); }
float pow(float x, float y) { return static_cast<float>(elementary::pow(double{x}, double{y})); }
float atan2(float y, float x) {
  return static_cast<float>(elementary::atan2(double{y}, double{x}));
}

}  // namespace paraiso_support
