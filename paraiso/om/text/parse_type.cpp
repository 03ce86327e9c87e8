#include "paraiso/om/text/parse_type.hpp"

#include <fmt/format.h>

#include "paraiso/base/text.hpp"

namespace paraiso::om {

Element parse_element_word(LineCursor& line) {
  auto word = line.word("an element type");
  if (auto element = parse_element(word)) return *element;
  line.fail_near(
      fmt::format("unknown element type {}: expected bool, i32, i64, f32 or f64", shown(word)),
      word, {"bool", "i32", "i64", "f32", "f64"});
}

Type parse_type(LineCursor& line) {
  auto realm = line.word("`local` or `global`");
  if (realm != "local" && realm != "global")
    line.fail_near(fmt::format("expected `local` or `global`, got {}", shown(realm)), realm,
                   {"local", "global"});
  return {realm == "local" ? Realm::local : Realm::global, parse_element_word(line)};
}

Constant parse_constant(LineCursor& line, Element element) {
  auto word = line.word(fmt::format("a value of {}", name(element)));
  if (auto value = Constant::parse(element, word)) return *value;
  line.fail(fmt::format("{} is no value of {}{}", shown(word), name(element),
                        element == Element::boolean ? ": expected `true` or `false`" : ""));
}

}  // namespace paraiso::om
