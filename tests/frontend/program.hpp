// Small programs for the tests here: a machine from a lambda, its text, its state after a kernel.
#pragma once

#include <gtest/gtest.h>

#include "paraiso/frontend/frontend.hpp"
#include "paraiso/om/interpret/interpret.hpp"
#include "paraiso/om/text/print.hpp"

namespace paraiso {

/// Density and velocity: a record of the tests' own, outside every namespace of the library.
template <class T, int D>
struct Gas {
  T density;
  Vec<T, D> velocity;
  static constexpr std::array components{"density", "velocity"};
};

/// The text of kernel `name`'s nodes, two leading blanks removed, without the other parts.
inline std::string kernel_text(const om::Machine& machine, const std::string& name) {
  const std::string text = om::print(machine);
  const auto begin = text.find('\n', text.find("kernel " + name)) + 1;
  return text.substr(begin, text.find("end\n", begin) - begin);
}

/// A machine at one size, run by the interpreter.
class Interpreted {
 public:
  Interpreted(om::Machine machine, std::vector<std::int64_t> size)
      : machine_(std::move(machine)), state_(om::initial_state(machine_, std::move(size))) {}

  Interpreted& run(std::string_view kernel) {
    om::interpret(machine_, *machine_.find_kernel(kernel), state_);
    return *this;
  }
  /// All elements of a static, axis 0 fastest.
  [[nodiscard]] std::vector<double> get(std::string_view name) const {
    std::vector<double> elements;
    const auto& array = state_.arrays[machine_.find_static(name)->index];
    for (std::size_t i = 0; i < array.bits.size(); ++i) elements.push_back(array.at(i).to_double());
    return elements;
  }
  void set(std::string_view name, double value) {
    const auto id = *machine_.find_static(name);
    state_.arrays[id.index].set(0, om::Constant::from_double(machine_.at(id).type.element, value));
  }

 private:
  om::Machine machine_;
  om::State state_;
};

using Elements = std::vector<double>;

}  // namespace paraiso
