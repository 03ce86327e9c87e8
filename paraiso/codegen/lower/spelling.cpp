#include "paraiso/codegen/lower/spelling.hpp"

#include <array>

namespace paraiso::codegen {

namespace {

struct Binding {
  std::string_view symbols;  // between spaces
  int precedence;
};
constexpr std::array<Binding, 6> kBindings = {{
    {" ? ", 1},
    {" & | ^ ", 2},
    {" == != < <= > >= ", 3},
    {" + - ", 4},
    {" * / ", 5},
    {" ~ ! ", 6},
}};

int precedence_of(const char* symbol) {
  if (symbol == om::kCall) return kCallPrecedence;
  for (const Binding& row : kBindings)
    if (row.symbols.find(" " + std::string(symbol) + " ") != row.symbols.npos)
      return row.precedence;
  return kCallPrecedence;
}

}  // namespace

Spelling spelling(om::Op op) {
  const auto& [floats, integers, truths] = om::info(op).symbols;
  const auto& meanings = om::info(op).meanings;
  const char* any = floats ? floats : integers ? integers : truths;
  return {floats,
          integers,
          truths,
          precedence_of(any),
          {meanings[0].function, meanings[1].function},
          {meanings[0].libm, meanings[1].libm}};
}

std::vector<std::string_view> operator_functions() {
  std::vector<std::string_view> functions;
  for (int op = 0; op < om::kOpCount; ++op)
    for (const om::Meaning& meaning : om::info(om::Op(op)).meanings)
      for (const char* function : {meaning.function, meaning.libm})
        if (function) functions.emplace_back(function);
  return functions;
}

}  // namespace paraiso::codegen
