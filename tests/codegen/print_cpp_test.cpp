#include "paraiso/codegen/cpp/print_cpp.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "paraiso/codegen/cpp/cpp_words.hpp"
#include "paraiso/codegen/lower/names.hpp"

namespace paraiso::codegen {
namespace {

using namespace claris;
using om::Constant;
using om::Element;
using om::Op;

ExprPtr op(Op op, Element element, std::vector<ExprPtr> operands, bool lanes = false) {
  return std::make_shared<const Expr>(
      Expr{Operate{op, element, Element::f64, 0, lanes, std::move(operands)}});
}
ExprPtr f64(Op o, std::vector<ExprPtr> operands) {
  return op(o, Element::f64, std::move(operands));
}

const ExprPtr a = name("a"), b = name("b"), c = name("c");

/// Vectors find their operators by their type; a choice between them is a function.
TEST(PrintCpp, VectorsAreSpeltByTheirOwnNames) {
  const auto lanes = [](Op o, Element element, std::vector<ExprPtr> operands) {
    return print_cpp(op(o, element, std::move(operands), true));
  };
  EXPECT_EQ(lanes(Op::mul, Element::f64, {a, f64(Op::add, {b, c})}), "a * (b + c)");
  EXPECT_EQ(lanes(Op::neg, Element::f64, {a}), "neg(a)");
  EXPECT_EQ(lanes(Op::min, Element::f64, {a, b}), "min(a, b)");
  EXPECT_EQ(lanes(Op::madd, Element::f64, {a, b, c}), "madd(a, b, c)");
  EXPECT_EQ(lanes(Op::lt, Element::f64, {a, b}), "a < b");
  EXPECT_EQ(lanes(Op::select, Element::f64, {a, b, c}), "select(a, b, c)");
  EXPECT_EQ(lanes(Op::and_, Element::boolean, {a, b}), "and_(a, b)");
  EXPECT_EQ(lanes(Op::not_, Element::boolean, {a}), "!a");
  EXPECT_EQ(lanes(Op::ne, Element::boolean, {a, b}), "a != b");
  EXPECT_EQ(lanes(Op::select, Element::boolean, {a, b, c}), "select(a, b, c)");
  EXPECT_EQ(lanes(Op::add, Element::i32, {a, b}), "a + b");
  EXPECT_EQ(lanes(Op::xor_, Element::i64, {a, b}), "a ^ b");
  EXPECT_EQ(lanes(Op::not_, Element::i64, {a}), "~a");
  EXPECT_EQ(lanes(Op::cast, Element::i32, {a}), "support::cast<double>(a)");
}

TEST(PrintCpp, FunctionsOfTheCLibraryHaveNamesOfTheirOwn) {
  const auto call = [](Op o, int result, bool lanes) {
    return print_cpp(std::make_shared<const Expr>(
        Expr{Operate{o, Element::f64, Element::f64, result, lanes, {a}, /*libm=*/true}}));
  };
  EXPECT_EQ(call(Op::exp, 0, true), "libm_exp(a)");
  EXPECT_EQ(call(Op::exp, 0, false), "support::libm_exp(a)");
  EXPECT_EQ(call(Op::sincos, 1, true), "libm_cos(a)");
}

TEST(PrintCpp, FloatsAreNeverReassociated) {
  EXPECT_EQ(print_cpp(f64(Op::add, {f64(Op::add, {a, b}), c})), "a + b + c");
  EXPECT_EQ(print_cpp(f64(Op::add, {a, f64(Op::add, {b, c})})), "a + (b + c)");
  EXPECT_EQ(print_cpp(f64(Op::sub, {a, f64(Op::sub, {b, c})})), "a - (b - c)");
  EXPECT_EQ(print_cpp(f64(Op::mul, {a, f64(Op::div, {b, c})})), "a * (b / c)");
  EXPECT_EQ(print_cpp(f64(Op::mul, {f64(Op::add, {a, b}), c})), "(a + b) * c");
  EXPECT_EQ(print_cpp(f64(Op::add, {f64(Op::mul, {a, b}), c})), "a * b + c");
}

TEST(PrintCpp, SignsDoNotMeet) {
  EXPECT_EQ(print_cpp(f64(Op::neg, {f64(Op::neg, {a})})), "support::neg(support::neg(a))");
  EXPECT_EQ(print_cpp(f64(Op::neg, {literal(Constant(-2.0))})), "support::neg(-2.0)");
  EXPECT_EQ(print_cpp(f64(Op::sub, {a, literal(Constant(-2.0))})), "a - -2.0");
  EXPECT_EQ(print_cpp(f64(Op::neg, {f64(Op::mul, {a, b})})), "support::neg(a * b)");
}

TEST(PrintCpp, IntegersWrapThroughCalls) {
  EXPECT_EQ(print_cpp(op(Op::add, Element::i64, {a, b})), "support::add(a, b)");
  EXPECT_EQ(print_cpp(op(Op::div, Element::i32, {a, b})), "support::div(a, b)");
  EXPECT_EQ(print_cpp(op(Op::xor_, Element::i32, {a, b})), "a ^ b");
  EXPECT_EQ(print_cpp(op(Op::not_, Element::boolean, {a})), "!a");
}

TEST(PrintCpp, ChoicesAndComparisonsHaveParentheses) {
  auto less = f64(Op::lt, {a, b});
  EXPECT_EQ(print_cpp(f64(Op::select, {less, a, b})), "(a < b) ? a : b");
  EXPECT_EQ(print_cpp(op(Op::eq, Element::boolean, {less, less})), "(a < b) == (a < b)");
  EXPECT_EQ(print_cpp(f64(Op::add, {f64(Op::select, {c, a, b}), a})), "(c ? a : b) + a");
}

TEST(PrintCpp, LiteralsReadBackAsTheSameBits) {
  EXPECT_EQ(cpp_literal(Constant(0.1)), "0.1");
  EXPECT_EQ(cpp_literal(Constant(2.0)), "2.0");
  EXPECT_EQ(cpp_literal(Constant(-0.0)), "-0.0");
  EXPECT_EQ(cpp_literal(Constant(1e300)), "1e+300");
  EXPECT_EQ(cpp_literal(Constant(0.5f)), "0.5f");
  EXPECT_EQ(cpp_literal(Constant(std::numeric_limits<double>::infinity())),
            "std::numeric_limits<double>::infinity()");
  EXPECT_EQ(cpp_literal(Constant(std::numeric_limits<std::int64_t>::min())), "INT64_MIN");
  EXPECT_EQ(cpp_literal(Constant(true)), "true");
}

TEST(PrintCpp, AddressesAreShort) {
  EXPECT_EQ(print_cpp(plus(name("i"), integer(0))), "i");
  EXPECT_EQ(print_cpp(plus(name("i"), integer(-2))), "i - 2");
  EXPECT_EQ(print_cpp(minus(name("i"), times(integer(1), name("s1")))), "i - s1");
  EXPECT_EQ(print_cpp(subscript(name("f"), plus(name("i"), times(integer(3), name("s1"))))),
            "f[i + 3 * s1]");
}

TEST(PrintCpp, LongLinesBreakAfterCommasAndBinaryOperators) {
  std::string long_call = "  call(";
  for (int i = 0; i < 20; ++i) long_call += "argument_" + std::to_string(i) + ", ";
  for (const auto& text : {long_call + "end);", "  // " + long_call, std::string(300, 'x')}) {
    std::string wrapped = wrap_line(text);
    if (text[0] == 'x') {
      EXPECT_EQ(wrapped, text);  // nowhere to break
      continue;
    }
    std::size_t start = 0;
    for (std::size_t end; (end = wrapped.find('\n', start)) != std::string::npos; start = end + 1)
      EXPECT_LE(end - start, 100u);
  }
}

TEST(Names, MeetNeitherEachOtherNorWordsOfCpp) {
  Names names{"row"};
  EXPECT_EQ(names.unique("density"), "density");
  EXPECT_EQ(names.unique("density"), "density_2");
  EXPECT_EQ(names.unique("flux.x.density"), "flux_x_density");
  EXPECT_EQ(names.unique("double"), "double_2");
  EXPECT_EQ(names.unique("row"), "row_2");
  EXPECT_EQ(names.unique("NAN"), "v_NAN");
  EXPECT_EQ(names.unique("_private"), "v_private");
  EXPECT_EQ(names.unique("time_"), "time_0");
}

}  // namespace
}  // namespace paraiso::codegen
