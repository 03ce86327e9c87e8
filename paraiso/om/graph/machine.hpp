// Machine: a whole program, static variables with their boundaries and roles, and kernels.
// Gives: Boundary, Static, Kernel, BoundaryKernel, Machine. Needs: Graph.
#pragma once

#include <array>

#include "paraiso/om/graph/graph.hpp"

namespace paraiso::om {

using BoundaryKernelId = Id<struct BoundaryKernelTag>;

/// How one side of one axis of a Local static's halo is filled. An index that is still outside
/// after a rule is resolved by that side's rule again, so filling is total for every size and
/// width.
struct Cyclic {
  friend bool operator==(const Cyclic&, const Cyclic&) = default;
};
struct Outflow {  // clamp to the nearest core cell
  friend bool operator==(const Outflow&, const Outflow&) = default;
};
struct Reflect {  // -k reads k-1, times sign (+1 or -1)
  int sign = 1;
  friend bool operator==(const Reflect&, const Reflect&) = default;
};
struct Fixed {
  Constant value;
  friend bool operator==(const Fixed&, const Fixed&) = default;
};
struct UserBoundary {
  BoundaryKernelId kernel;
  friend bool operator==(const UserBoundary&, const UserBoundary&) = default;
};
using Boundary = std::variant<Cyclic, Outflow, Reflect, Fixed, UserBoundary>;

enum class StaticRole : std::uint8_t {
  plain,
  time,
  time_step,
  time_limit,    // the step kernel clamps its time step by it
  parameter,     // no kernel stores it; `--set name=value` changes it
  domain_lower,  // a parameter: the coordinate of the lower edge of axis `axis`
  domain_upper,
};

struct Static {
  std::string name;
  Type type;
  StaticRole role = StaticRole::plain;
  int axis = 0;                              // of domain_lower and domain_upper
  Constant initial;                          // Global: its value before any kernel runs; a default
  std::optional<Constant> minimum, maximum;  // parameters: closed bounds
  std::vector<std::array<Boundary, 2>> boundary;  // Local: per axis, lower and upper side
  Location location;
};

enum class KernelRole : std::uint8_t { plain, initial, step };

struct Kernel {
  std::string name;  // an initial kernel's name is its problem's name
  KernelRole role = KernelRole::plain;
  Graph graph;
  Location location;
};

/// Evaluated at one ghost cell: LoadIndex is that cell's index, a Load of a Local static yields its
/// core extended by clamping, Globals are read at entry. No Store, no Reduce.
struct BoundaryKernel {
  std::string name;
  Graph graph;
  ValueId result;  // Local, of the element type of the statics that use it
  Location location;
};

struct Machine {
  std::string name;
  int dimension = 1;
  std::vector<Static> statics;
  std::vector<Kernel> kernels;
  std::vector<BoundaryKernel> boundary_kernels;

  [[nodiscard]] std::shared_ptr<const Signature> signature() const;
  [[nodiscard]] std::optional<StaticId> find_static(std::string_view name) const;
  [[nodiscard]] const Static& at(StaticId id) const { return statics[id.index]; }
  [[nodiscard]] const Kernel* find_kernel(std::string_view name) const;
  /// The kernel with role step, or nullptr.
  [[nodiscard]] const Kernel* step_kernel() const;
  [[nodiscard]] std::vector<const Kernel*> initial_kernels() const;
  /// The first static with that role (and axis), if any.
  [[nodiscard]] std::optional<StaticId> find_role(StaticRole role, int axis = 0) const;
  [[nodiscard]] bool is_parameter(StaticId id) const;
  /// The first instruction for which code may call the C library, or nullptr.
  [[nodiscard]] const Node* libm_call() const;
};

[[nodiscard]] const char* name(StaticRole role);  // "plain", "time", "time_step", ...
[[nodiscard]] const char* name(KernelRole role);

}  // namespace paraiso::om
