// Instance: a machine in memory at one size, ready to run, whatever runs it.
// Gives: FieldView, for_each_cell, Instance, find_field, find_kernel, interpreter_instance. Needs:
// Machine.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "paraiso/om/machine.hpp"

namespace paraiso::runtime {

/// A strided view of a Local static's core cells in real memory. Fetch it anew after each kernel: a
/// Store swaps buffers, which moves it.
struct FieldView {
  om::Element element = om::Element::f64;
  void* data = nullptr;               // core cell (0, 0, ...)
  std::vector<std::int64_t> size;     // cells, one entry an axis
  std::vector<std::int64_t> strides;  // in elements; strides[0] == 1

  /// Element `cell` (one index an axis); T must be the C++ type of `element` (bool is one byte).
  template <class T>
  [[nodiscard]] T& at(std::span<const std::int64_t> cell) const {
    std::int64_t offset = 0;
    for (std::size_t a = 0; a < cell.size(); ++a) offset += cell[a] * strides[a];
    return static_cast<T*>(data)[offset];
  }
  [[nodiscard]] om::Constant get(std::span<const std::int64_t> cell) const;
  void set(std::span<const std::int64_t> cell, om::Constant value) const;
};

/// Calls `visit(cell)` for every core cell of `size`, axis 0 fastest; cell is a vector of indices.
template <class F>
void for_each_cell(const std::vector<std::int64_t>& size, F&& visit) {
  std::vector<std::int64_t> cell(size.size(), 0);
  for (;;) {
    visit(cell);
    std::size_t a = 0;
    while (a < size.size() && ++cell[a] == size[a]) cell[a++] = 0;
    if (a == size.size()) return;
  }
}

class Instance {
 public:
  virtual ~Instance() = default;
  [[nodiscard]] virtual const om::Machine& machine() const = 0;
  [[nodiscard]] virtual const std::vector<std::int64_t>& size() const = 0;
  /// Runs one kernel by name. Throws Error if there is none of that name (nearest suggested).
  virtual void run(std::string_view kernel) = 0;
  [[nodiscard]] virtual FieldView field(om::StaticId id) = 0;
  [[nodiscard]] virtual om::Constant scalar(om::StaticId id) const = 0;
  virtual void set_scalar(om::StaticId id, om::Constant value) = 0;

  // By name; each throws Error with the nearest name where there is none such.
  [[nodiscard]] FieldView field(std::string_view name);
  [[nodiscard]] double scalar(std::string_view name) const;
  void set_scalar(std::string_view name, double value);
};

/// The Local static of that name. Throws Error with the nearest name where there is none such.
[[nodiscard]] om::StaticId find_field(const om::Machine& machine, std::string_view name);
/// Throws Error unless `value` has the element type of the Global `id`.
void check_scalar(const om::Machine& machine, om::StaticId id, om::Constant value);
/// The kernel of that name. Throws Error with the nearest name where there is none such.
[[nodiscard]] const om::Kernel& find_kernel(const om::Machine& machine, std::string_view name);

/// About the bytes that the interpreter needs at that size.
[[nodiscard]] double interpreter_bytes(const om::Machine& machine,
                                       const std::vector<std::int64_t>& size);
/// The backend `interpreter`: the meaning itself, for small grids. Throws Error where memory does
/// not suffice.
[[nodiscard]] std::unique_ptr<Instance> interpreter_instance(om::Machine machine,
                                                             std::vector<std::int64_t> size);

}  // namespace paraiso::runtime
