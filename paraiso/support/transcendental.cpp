// The transcendental functions of arithmetic.hpp: calls of the scalar C library, one by one.
//
// Compiled on its own with -fno-builtin. The functions are called by their C names, because the
// overloads of <cmath> are compiler builtins whatever the flags say.
#include "paraiso/support/arithmetic.hpp"

#include <math.h>

namespace paraiso_support {

float cbrt(float x) { return ::cbrtf(x); }
float pow(float x, float y) { return ::powf(x, y); }
float exp(float x) { return ::expf(x); }
float log(float x) { return ::logf(x); }
float sin(float x) { return ::sinf(x); }
float cos(float x) { return ::cosf(x); }
float tan(float x) { return ::tanf(x); }
float asin(float x) { return ::asinf(x); }
float acos(float x) { return ::acosf(x); }
float atan(float x) { return ::atanf(x); }
float atan2(float y, float x) { return ::atan2f(y, x); }
float sinh(float x) { return ::sinhf(x); }
float cosh(float x) { return ::coshf(x); }
float tanh(float x) { return ::tanhf(x); }

double cbrt(double x) { return ::cbrt(x); }
double pow(double x, double y) { return ::pow(x, y); }
double exp(double x) { return ::exp(x); }
double log(double x) { return ::log(x); }
double sin(double x) { return ::sin(x); }
double cos(double x) { return ::cos(x); }
double tan(double x) { return ::tan(x); }
double asin(double x) { return ::asin(x); }
double acos(double x) { return ::acos(x); }
double atan(double x) { return ::atan(x); }
double atan2(double y, double x) { return ::atan2(y, x); }
double sinh(double x) { return ::sinh(x); }
double cosh(double x) { return ::cosh(x); }
double tanh(double x) { return ::tanh(x); }

}  // namespace paraiso_support
