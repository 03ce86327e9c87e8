#include <algorithm>
#include <cstring>

#include "paraiso/om/interpret/interpret.hpp"
#include "paraiso/om/interpret/interpret_divided.hpp"
#include "paraiso/runtime/fields/instance.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/runtime/system/memory.hpp"

namespace paraiso::runtime {
namespace {

/// A field in memory as a host sees it: elements of their own size, without padding.
std::vector<char> typed(const om::Array& array) {
  const std::size_t bytes = om::size_of(array.element);
  std::vector<char> memory(array.bits.size() * bytes);
  for (std::size_t i = 0; i < array.bits.size(); ++i)
    om::with_element(array.element, [&](auto t) {
      t = array.at(i).as<decltype(t)>();
      std::memcpy(memory.data() + i * bytes, &t, bytes);
    });
  return memory;
}

void read_typed(const std::vector<char>& memory, om::Array& array) {
  const std::size_t bytes = om::size_of(array.element);
  for (std::size_t i = 0; i < array.bits.size(); ++i)
    om::with_element(array.element, [&](auto t) {
      std::memcpy(&t, memory.data() + i * bytes, bytes);
      array.set(i, om::Constant(t));
    });
}

/// Invariant: between kernels, `fields_` is authoritative for Locals and `state_` for Globals.
class InterpreterInstance : public Instance {
 public:
  InterpreterInstance(om::Machine machine, std::vector<std::int64_t> size,
                      std::optional<om::Orthotree> tree)
      : machine_(std::move(machine)),
        tree_(std::move(tree)),
        state_(om::initial_state(machine_, std::move(size))) {
    for (const auto& array : state_.arrays) fields_.push_back(typed(array));
  }

  [[nodiscard]] const om::Machine& machine() const override { return machine_; }
  [[nodiscard]] const std::vector<std::int64_t>& size() const override { return state_.size; }

  void run(std::string_view name) override {
    const auto& kernel = find_kernel(machine_, name);
    for_each_local([&](std::size_t i) { read_typed(fields_[i], state_.arrays[i]); });
    if (tree_)
      om::interpret_divided(machine_, kernel, *tree_, state_);
    else
      om::interpret(machine_, kernel, state_);
    for_each_local([&](std::size_t i) { fields_[i] = typed(state_.arrays[i]); });
  }

  [[nodiscard]] FieldView field(om::StaticId id) override {
    FieldView view;
    view.element = machine_.at(id).type.element;
    view.data = fields_[id.index].data();
    view.size = state_.size;
    std::int64_t stride = 1;
    for (auto cells : state_.size) {
      view.strides.push_back(stride);
      stride *= cells;
    }
    return view;
  }

  [[nodiscard]] om::Constant scalar(om::StaticId id) const override {
    return state_.arrays[id.index].at(0);
  }
  void set_scalar(om::StaticId id, om::Constant value) override {
    check_scalar(machine_, id, value);
    state_.arrays[id.index].set(0, value);
  }

 private:
  template <class F>
  void for_each_local(F&& visit) const {
    for (std::size_t i = 0; i < machine_.statics.size(); ++i)
      if (machine_.statics[i].type.is_local()) visit(i);
  }

  om::Machine machine_;
  std::optional<om::Orthotree> tree_;
  om::State state_;
  std::vector<std::vector<char>> fields_;  // one per static
};

}  // namespace

double interpreter_bytes(const om::Machine& machine, const std::vector<std::int64_t>& size) {
  double values = 0;
  for (const auto& kernel : machine.kernels)
    values = std::max(values, static_cast<double>(kernel.graph.value_count()));
  for (const auto& s : machine.statics)
    if (s.type.is_local()) values += 2;  // the state, and the host's copy
  return cell_count(size) * values * sizeof(std::uint64_t);
}

std::unique_ptr<Instance> interpreter_instance(om::Machine machine, std::vector<std::int64_t> size,
                                               std::optional<om::Orthotree> tree) {
  check_size(machine.dimension, size);
  require_memory(size, [&](const auto& s) { return interpreter_bytes(machine, s); });
  return std::make_unique<InterpreterInstance>(std::move(machine), std::move(size),
                                               std::move(tree));
}

}  // namespace paraiso::runtime
