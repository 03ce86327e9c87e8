#include "paraiso/runtime/transport/function_bits.hpp"

#include <cmath>
#include <cstring>
#include <vector>

#include "paraiso/base/text.hpp"
#include "paraiso/om/graph/operators.hpp"

namespace paraiso::runtime {
namespace {

using om::Op;

struct TwoMeanings {
  Op op;
  double (*of_c_library)(double, double);
};

template <double (*F)(double)>
double one(double x, double) {
  return F(x);
}

constexpr TwoMeanings kFunctions[] = {
    {Op::exp, one<std::exp>},   {Op::log, one<std::log>},   {Op::cbrt, one<std::cbrt>},
    {Op::sin, one<std::sin>},   {Op::cos, one<std::cos>},   {Op::tan, one<std::tan>},
    {Op::asin, one<std::asin>}, {Op::acos, one<std::acos>}, {Op::atan, one<std::atan>},
    {Op::sinh, one<std::sinh>}, {Op::cosh, one<std::cosh>}, {Op::tanh, one<std::tanh>},
    {Op::pow, std::pow},        {Op::atan2, std::atan2},
};

double ours(Op op, double x, double y) {
  std::vector<om::Constant> operands(static_cast<std::size_t>(om::info(op).arity), om::Constant(x)),
      out(1);
  operands.back() = om::Constant(operands.size() == 1 ? x : y);
  om::evaluate(op, operands, om::Element::f64, out);
  return out[0].to_double();
}

}  // namespace

std::string function_bits(bool of_c_library) {
  std::uint64_t hash = fnv1a("");
  const auto add = [&](double value) {
    if (std::isnan(value)) value = 0;  // whose bits may be any
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    hash = fnv1a({bytes, sizeof bytes}, hash);
  };
  for (int i = 0; i < 5000; ++i) {
    const double x = (i - 2400) / 128.0, y = 1.7 - i / 640.0;
    for (const TwoMeanings& function : kFunctions) {
      add(ours(function.op, x, y));
      if (of_c_library) add(function.of_c_library(x, y));
    }
  }
  return paraiso::hex(hash);
}

}  // namespace paraiso::runtime
