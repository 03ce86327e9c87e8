#include "paraiso/codegen/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace paraiso::codegen {
namespace {

// Keywords of C++20, alternative spellings of operators, and macros of the headers that we include.
constexpr std::string_view kReserved[] = {"alignas",
                                          "alignof",
                                          "and",
                                          "and_eq",
                                          "asm",
                                          "auto",
                                          "bitand",
                                          "bitor",
                                          "bool",
                                          "break",
                                          "case",
                                          "catch",
                                          "char",
                                          "char16_t",
                                          "char32_t",
                                          "char8_t",
                                          "class",
                                          "co_await",
                                          "co_return",
                                          "co_yield",
                                          "compl",
                                          "concept",
                                          "const",
                                          "const_cast",
                                          "consteval",
                                          "constexpr",
                                          "constinit",
                                          "continue",
                                          "decltype",
                                          "default",
                                          "delete",
                                          "do",
                                          "double",
                                          "dynamic_cast",
                                          "else",
                                          "enum",
                                          "explicit",
                                          "export",
                                          "extern",
                                          "false",
                                          "float",
                                          "for",
                                          "friend",
                                          "goto",
                                          "if",
                                          "inline",
                                          "int",
                                          "long",
                                          "mutable",
                                          "namespace",
                                          "new",
                                          "noexcept",
                                          "not",
                                          "not_eq",
                                          "nullptr",
                                          "operator",
                                          "or",
                                          "or_eq",
                                          "private",
                                          "protected",
                                          "public",
                                          "register",
                                          "reinterpret_cast",
                                          "requires",
                                          "return",
                                          "short",
                                          "signed",
                                          "sizeof",
                                          "static",
                                          "static_assert",
                                          "static_cast",
                                          "struct",
                                          "switch",
                                          "template",
                                          "this",
                                          "thread_local",
                                          "throw",
                                          "true",
                                          "try",
                                          "typedef",
                                          "typeid",
                                          "typename",
                                          "union",
                                          "unsigned",
                                          "using",
                                          "virtual",
                                          "void",
                                          "volatile",
                                          "wchar_t",
                                          "while",
                                          "xor",
                                          "xor_eq",
                                          "std",
                                          "support",
                                          "paraiso_support",
                                          "main",
                                          "errno",
                                          "linux",
                                          "unix",
                                          "assert",
                                          "NULL",
                                          "INFINITY",
                                          "NAN",
                                          "HUGE_VAL",
                                          "stdin",
                                          "stdout",
                                          "stderr",
                                          "EOF",
                                          "INT32_MIN",
                                          "INT64_MIN",
                                          "INT32_MAX",
                                          "INT64_MAX",
                                          "SIZE_MAX",
                                          "grid",
                                          "threads",
                                          "cell",
                                          "math_errhandling",
                                          "signgam",
                                          "M_PI",
                                          "M_E"};

/// The library's macros are in capitals or begin with an underscore, as no name of ours does.
bool may_be_macro(std::string_view name) {
  if (name[0] == '_') return true;
  return std::ranges::none_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace

std::string given_name(const om::Graph& graph, om::ValueId value) {
  if (!graph.name(value).empty()) return graph.name(value);
  const auto store = graph.first_store(value);
  if (!store) return {};
  const auto target = std::get<om::Store>(graph.node(*store).instruction).target;
  return graph.signature().statics[target.index].name + "_next";
}

Names::Names(std::initializer_list<std::string_view> taken) {
  for (auto name : kReserved) used_.emplace(name);
  for (auto name : taken) used_.emplace(name);
}

std::string Names::unique(std::string_view wanted) {
  std::string base(wanted);
  std::ranges::replace(base, '.', '_');
  if (may_be_macro(base)) base = "v_" + base;
  if (base.ends_with('_')) base += "0";  // members end in an underscore
  for (std::size_t at; (at = base.find("__")) != std::string::npos;) base.erase(at, 1);
  std::string name = base;
  for (int& last = last_number_.try_emplace(base, 1).first->second; !used_.insert(name).second;)
    name = fmt::format("{}_{}", base, ++last);
  return name;
}

}  // namespace paraiso::codegen
