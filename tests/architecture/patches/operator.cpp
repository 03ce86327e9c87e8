// Uses what operator.patch adds: recorded by the front end, printed and parsed, computed, spelled.
#include "paraiso/codegen/lower/spelling.hpp"
#include "paraiso/frontend/frontend.hpp"
#include "paraiso/om/interpret/interpret.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"

using namespace paraiso;

om::Machine means() {
  Builder<1> om("means");
  Field<double, 1> u{om, "u", cyclic()}, v{om, "v", cyclic()};
  om.step("proceed", [&] { store(u, mean(load(u) + 1.0, load(v) + 4.0)); });
  return om.machine();
}

int main() {
  const om::Machine machine = om::parse(om::print(means()), "means.om");
  const om::Machine program = passes::prepare(machine, passes::Numbers::fma);
  om::State state = om::initial_state(program, {3});
  om::interpret(program, program.kernels[0], state);
  const bool computed = state.arrays[0].at(2).as<double>() == 2.5;
  const bool spelled = std::string(codegen::spelling(om::Op::mean).call[0]) == "mean";
  return computed && spelled ? 0 : 1;
}
