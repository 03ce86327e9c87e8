// Instance: a machine in memory at one size, ready to run on any back end.
// Gives: FieldView, for_each_cell, copy_box, rows_of, SavedState, FoundCell, SharedWrite,
// MessageCount, StepsTaken, DeviceFailed, Instance, find_field, find_kernel, interpreter_instance,
// check_scalar, interpreter_bytes. Needs: Machine, support/mpi/copy.hpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "paraiso/base/error.hpp"
#include "paraiso/om/cells/box.hpp"
#include "paraiso/om/divide/orthotree.hpp"
#include "paraiso/om/graph/machine.hpp"
#include "paraiso/support/mpi/copy.hpp"

namespace paraiso::runtime {

/// A strided view of a Local static's core cells in real memory. Fetch it again after each kernel:
/// a Store swaps buffers, which moves it; and after what goes through the whole field, such as a
/// checkpoint or `first_nan`: of a field on a device the view is then gone (free_copy).
struct FieldView {
  om::Element element = om::Element::f64;
  void* data = nullptr;               // core cell (0, 0, ...)
  std::vector<std::int64_t> size;     // cells, one entry per axis
  std::vector<std::int64_t> strides;  // in elements; strides[0] == 1

  /// Element `cell` (one index per axis); T must be the C++ type of `element` (bool is one byte).
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

/// Copies the cells of a box of a field, which may lie beyond its core where the field has a
/// margin, to a message or from it: `cells`, axis 0 fastest.
void copy_box(const FieldView& field, const om::Box& box, char* cells, paraiso_mpi::ToOrFro way);
/// What is to be copied there, for who does it in parts.
[[nodiscard]] paraiso_mpi::RowsOfBox rows_of(const FieldView& field, const om::Box& box,
                                             char* cells);

/// The core cells of every Local and the value of every Global, axis 0 fastest, one entry per
/// static.
struct SavedState {
  std::vector<std::vector<char>> statics;
};

/// A cell of the whole grid, and who has it.
struct FoundCell {
  om::Cell cell;
  std::optional<int> rank;  // none: the instance is not divided
};

/// What became of a file that ranks write together.
struct SharedWrite {
  int error = 0;  // the errno of a write that failed, or 0
  int rank = 0;   // whose
};

/// What ranks have sent each other since there is an instance, without commands and answers.
struct MessageCount {
  std::int64_t messages = 0, bytes = 0;
  void add(const MessageCount& more) {
    messages += more.messages;
    bytes += more.bytes;
  }
  [[nodiscard]] MessageCount since(const MessageCount& before) const {
    return {messages - before.messages, bytes - before.bytes};
  }
};

/// What Instance::take_steps has done.
struct StepsTaken {
  std::int64_t count = 0;     // calls of the kernel
  bool stands_still = false;  // the last of them did not advance the time
  bool one_by_one = false;    // the steps of the next call are to be taken alone
};

/// A kernel failed on a device, or the device is lost: of the instance's state there only what the
/// host has copied or written to files is left.
class DeviceFailed : public Error {
 public:
  using Error::Error;
  explicit DeviceFailed(const Error& error) : Error(error) {}
};

class Instance {
 public:
  virtual ~Instance() = default;
  [[nodiscard]] virtual const om::Machine& machine() const = 0;
  [[nodiscard]] virtual const std::vector<std::int64_t>& size() const = 0;
  /// Runs one kernel by name. Throws Error if there is none of that name (nearest suggested).
  virtual void run(std::string_view kernel) = 0;
  /// Calls work(part) for each of so many parts, which may not throw, by as many of the threads
  /// that run kernels.
  virtual void share(int parts, const std::function<void(int part)>& work) {
    for (int part = 0; part < parts; ++part) work(part);
  }
  /// Waits for kernels that run while the host goes on, and throws DeviceFailed if one of them did.
  virtual void finish() {}
  /// Up to `count` calls of a kernel of one step or several while the host waits but once: none
  /// after a step whose time has reached `until`, stands still or is NaN, and none of whose steps
  /// one before the last would. None at all where this back end can't.
  virtual std::optional<StepsTaken> take_steps(std::string_view kernel, std::int64_t count,
                                               double until) {
    static_cast<void>(kernel), static_cast<void>(count), static_cast<void>(until);
    return std::nullopt;
  }
  /// How many graphs a device was told to launch so far, each of many calls of a kernel.
  [[nodiscard]] virtual std::int64_t graph_launches() const { return 0; }
  [[nodiscard]] virtual FieldView field(om::StaticId id) = 0;
  /// The same, to read only: what is written there may be lost. A device need not be brought a
  /// field that nobody writes.
  [[nodiscard]] virtual FieldView look(om::StaticId id) { return field(id); }
  /// Who is done with a view of a field frees the host's copy of it, where there is one: what was
  /// written there is kept, and no view of that field is valid any longer.
  virtual void free_copy(om::StaticId id) { static_cast<void>(id); }
  [[nodiscard]] virtual om::Constant scalar(om::StaticId id) const = 0;
  virtual void set_scalar(om::StaticId id, om::Constant value) = 0;

  /// What the guards of versions compare, a line each (plan/dispatch); empty without versions.
  [[nodiscard]] virtual std::string comparisons() { return {}; }

  // What works on divided instances, too, no part of which has all cells: they have no `field`.

  [[nodiscard]] virtual bool is_divided() const { return false; }
  [[nodiscard]] virtual MessageCount traffic() const { return {}; }
  /// Sets all cells of a field to 0.
  virtual void clear(om::StaticId id);
  /// The NaN of a field at the least position, axis 0 fastest.
  [[nodiscard]] virtual std::optional<FoundCell> first_nan(om::StaticId id);
  /// Keeps a copy of the present state to go back to, instead of the one before; throws
  /// std::bad_alloc, and has none, if there is no memory for it. Each part keeps its own.
  virtual void keep();
  virtual void go_back();
  /// Copies the cells of a box of a field, axis 0 fastest, to or from elements without padding.
  virtual void read(om::StaticId id, const om::Box& box, void* cells);
  virtual void write(om::StaticId id, const om::Box& box, const void* cells);
  /// Each part writes its own cells of a field into a file that there is, whose byte `at` is that
  /// of the first cell; axis 0 fastest, without padding. Gives nothing, where some cells may be
  /// written, if a part can't see that file or there are no parts.
  virtual std::optional<SharedWrite> write_to_file(om::StaticId id,
                                                   const std::filesystem::path& file,
                                                   std::int64_t at) {
    static_cast<void>(id), static_cast<void>(file), static_cast<void>(at);
    return std::nullopt;
  }
  /// `rank 3 of 8 on node7`, where ranks are processes; else empty.
  [[nodiscard]] virtual std::string process_of(int rank) const {
    static_cast<void>(rank);
    return {};
  }

  // By name; each throws Error with the nearest name if there is none such.
  [[nodiscard]] FieldView field(std::string_view name);
  [[nodiscard]] double scalar(std::string_view name) const;
  void set_scalar(std::string_view name, double value);

 private:
  SavedState kept_;
};

/// The Local static of that name. Throws Error with the nearest name if there is none such.
[[nodiscard]] om::StaticId find_field(const om::Machine& machine, std::string_view name);
/// Throws Error unless `value` has the element type of the Global `id`.
void check_scalar(const om::Machine& machine, om::StaticId id, om::Constant value);
/// The kernel of that name. Throws Error with the nearest name if there is none such.
[[nodiscard]] const om::Kernel& find_kernel(const om::Machine& machine, std::string_view name);

/// Approximate bytes that the interpreter needs at that size.
[[nodiscard]] double interpreter_bytes(const om::Machine& machine,
                                       const std::vector<std::int64_t>& size);
/// The backend `interpreter`: the reference, for small grids. Throws Error if memory does not
/// suffice. With a tree, kernels are run on its leaves, each of which knows only its own cells and
/// what it was sent.
[[nodiscard]] std::unique_ptr<Instance> interpreter_instance(
    om::Machine machine, std::vector<std::int64_t> size,
    std::optional<om::Orthotree> tree = std::nullopt);

}  // namespace paraiso::runtime
