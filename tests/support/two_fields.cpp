#include "tests/support/two_fields.hpp"

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"

namespace paraiso::test {

om::Machine two_fields(int dimension, const std::string& body, const std::string& sides) {
  std::string text = "paraiso 1\nmachine test dimension " + std::to_string(dimension) + "\n";
  for (const char* name : {"f", "g"}) {
    text += std::string("static ") + name + " local f64\n";
    for (int a = 0; a < dimension; ++a)
      text += "  boundary " + std::to_string(a) + " " + sides + "\n";
  }
  return passes::prepare(om::parse(text + "kernel proceed step\n" + body + "end\nend machine\n"),
                         passes::Numbers::strict);
}

}  // namespace paraiso::test
