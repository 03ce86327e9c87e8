// Recorder: a machine while it is being written, and the kernel whose body is running now.
// Gives: Here, Scope, and for the typed handles above it Handle, StaticHandle, Recorder, record.
// Needs: om. Nothing here knows an element type or a dimension at compile time.
#pragma once

#include <array>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "paraiso/om/graph/machine.hpp"

namespace paraiso {

/// The caller's line: a last parameter `Here here = {}` catches it.
struct Here {
  Location location;
  Here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) : location{file, line} {}
  Here(Location known) : location(known) {}  // NOLINT: a line handed on
};

/// While it lives, values computed in the current kernel carry `name` in their scope, which error
/// messages and genes show. Does nothing outside a kernel, so that generic code also runs on plain
/// numbers.
class Scope {
 public:
  explicit Scope(std::string_view name, Here here = {});
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  const void* kernel_ = nullptr;  // the kernel that the name was added to
  std::size_t length_ = 0;        // of the scope path before
};

/// Calls `body` in a scope of that name and returns what it returns.
template <class Body>
decltype(auto) scoped(std::string_view name, Body&& body, Here here = {}) {
  Scope scope(name, here);
  return body();
}

namespace detail {

/// Names a handle's kernel in errors, also after the kernel has ended. One per kernel, never freed.
struct KernelIdentity {
  std::string machine, kernel;
};

/// A value of one kernel, without its type.
struct Handle {
  const KernelIdentity* kernel;
  om::ValueId value;
  Location location;  // of the expression
};

class Recorder;

/// A static of one machine, without its type.
struct StaticHandle {
  const Recorder* machine = nullptr;
  om::StaticId id;
  std::string name;
  Location location;
};

class Recorder {
 public:
  Recorder(std::string_view name, int dimension, Location location);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  StaticHandle declare(om::Static declared);
  void set_boundary(const StaticHandle& field, std::vector<std::array<om::Boundary, 2>> boundary,
                    Location location);
  void kernel(std::string_view name, om::KernelRole role, const std::function<void()>& body,
              Location location);
  om::BoundaryKernelId boundary_kernel(std::string_view name, const std::function<Handle()>& body,
                                       Location location);
  /// The verified machine; nothing can be added afterwards.
  om::Machine machine(Location location);
  [[nodiscard]] const om::BoundaryKernel& boundary_kernel(om::BoundaryKernelId id) const {
    return machine_.boundary_kernels[id.index];
  }
  [[nodiscard]] const std::string& name() const { return machine_.name; }

 private:
  void expect_open(Location location) const;
  void expect_new_kernel(std::string_view name, Location location) const;

  om::Machine machine_;
  std::shared_ptr<om::Signature> signature_;  // shared with the graphs, which see later statics too
  Location location_;
  bool finished_ = false;
};

// Each adds one instruction to the current kernel. (Taking an om::Instruction here would put its
// destructor into every line of every solver.)
Handle record_arith(om::Op op, std::initializer_list<Handle> operands, Location location);
/// The two results of an operator that has two.
std::pair<Handle, Handle> record_arith_pair(om::Op op, std::initializer_list<Handle> operands,
                                            Location location);
Handle record_cast(om::Element target, const Handle& operand, Location location);
Handle record_broadcast(const Handle& operand, Location location);
Handle record_shift(std::vector<std::int32_t> offset, const Handle& operand, Location location);
Handle record_reduce(om::ReduceOp op, const Handle& operand, Location location);
Handle record_index(int axis, Location location);
Handle record_size(int axis, Location location);
Handle record_load(const StaticHandle& source, Location location);
void record_store(const StaticHandle& target, const Handle& value, Location location);
void record_storing(const Handle& value, om::Storing storing, Location location);
void record_name(const Handle& value, std::string_view name, Location location);

/// An integer beyond i64 as f64. Throws Error if it would change.
om::Constant beyond_i64(std::uint64_t value);
/// A plain number as the machine sees it: bool, i64 or f64.
template <class N>
om::Constant number(N value) {
  if constexpr (std::is_same_v<N, bool>)
    return om::Constant(value);
  else if constexpr (std::is_integral_v<N>)
    return std::in_range<std::int64_t>(value) ? om::Constant(static_cast<std::int64_t>(value))
                                              : beyond_i64(value);
  else
    return om::Constant(static_cast<double>(value));
}
/// `number` as a constant of `element`; a float is rounded. Throws Error if an integer would
/// change.
om::Constant constant_of(om::Element element, om::Constant number, Location location);
/// `constant_of` as a value of the current kernel.
Handle record_constant(om::Element element, om::Constant number, Location location);

}  // namespace detail
}  // namespace paraiso
