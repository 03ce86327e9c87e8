#include "paraiso/codegen/lower/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "paraiso/base/text.hpp"

namespace paraiso::codegen {
namespace {

// Keywords of C++20 and alternative spellings of operators.
constexpr std::string_view kKeywords =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t "
    "char32_t char8_t class co_await co_return co_yield compl concept const const_cast "
    "consteval constexpr constinit continue decltype default delete do double dynamic_cast else "
    "enum explicit export extern false float for friend goto if inline int long mutable "
    "namespace new noexcept not not_eq nullptr operator or or_eq private protected public "
    "register reinterpret_cast requires return short signed sizeof static static_assert "
    "static_cast struct switch template this thread_local throw true try typedef typeid "
    "typename union unsigned using virtual void volatile wchar_t while xor xor_eq";

// Names that all generated code uses.
constexpr std::string_view kOurs = "std support paraiso_support paraiso_mpi main main_mpi";

// Macros, with small letters, of the headers that we include.
constexpr std::string_view kMacros =
    "alloca assert be16toh be32toh be64toh errno htobe16 htobe32 htobe64 htole16 htole32 "
    "htole64 issubnormal le16toh le32toh le64toh L_ctermid L_cuserid linux L_tmpnam "
    "math_errhandling offsetof omp_atv_default omp_capture_affinity omp_display_affinity "
    "omp_get_affinity_format omp_interop_none omp_set_affinity_format P_tmpdir "
    "pthread_cleanup_pop pthread_cleanup_pop_restore_np pthread_cleanup_push "
    "pthread_cleanup_push_defer_np sched_priority st_atime st_ctime st_mtime stderr stdin stdout "
    "strdupa strndupa unix va_arg va_copy va_end va_start";

// Longer scopes lose their outer parts.
constexpr std::size_t kLongestScope = 30;

/// Scopes may come from files, and hold any character.
std::string identifier_of(const std::string& scope) {
  std::string name = scope;
  for (char& c : name)
    if (c != '/' && !std::isalnum(static_cast<unsigned char>(c))) c = '_';
  while (name.size() > kLongestScope && name.find('/') != std::string::npos)
    name.erase(0, name.find('/') + 1);
  name.resize(std::min(name.size(), kLongestScope));
  std::ranges::replace(name, '/', '_');
  return std::isdigit(static_cast<unsigned char>(name[0])) ? "v_" + name : name;
}

/// The word for an unnamed value's operator, with or without contraction.
std::string operator_word(const om::Graph& graph, om::ValueId value) {
  const auto* arith = graph.producer_as<om::Arith>(value);
  if (!arith) return "value";
  switch (arith->op) {
    case om::Op::add:
    case om::Op::sub:
    case om::Op::madd:
    case om::Op::msub:
    case om::Op::nmadd: return "sum";
    default: return om::info(arith->op).name;
  }
}

bool is_small(char c) { return c >= 'a' && c <= 'z'; }

/// Macros of the library are in capitals or begin with an underscore, unlike any name of ours,
/// except kMacros, constants like `M_PIf`, and system calls like `SYS_read`.
bool may_be_macro(std::string_view name) {
  if (name[0] == '_' || name.starts_with("SYS_")) return true;
  if (name.starts_with("M_") && name.size() > 2 && !is_small(name[2])) return true;
  return std::ranges::none_of(name, is_small);
}

}  // namespace

std::string given_name(const om::Graph& graph, om::ValueId value) {
  if (!graph.name(value).empty()) return graph.name(value);
  const auto store = graph.first_store(value);
  if (!store) return {};
  const auto target = std::get<om::Store>(graph.node(*store).instruction).target;
  return graph.signature().statics[target.index].name + "_next";
}

std::string scope_name(const om::Graph& graph, om::ValueId value, std::string_view otherwise) {
  const std::string& scope = graph.scope(value);
  if (scope.empty()) return std::string(otherwise);
  return identifier_of(scope) + "_" + operator_word(graph, value);
}

Names::Names(std::initializer_list<std::string_view> taken) {
  for (const auto words : {kKeywords, kOurs, kMacros})
    for (auto& word : split(words, ' ')) used_.insert(std::move(word));
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
