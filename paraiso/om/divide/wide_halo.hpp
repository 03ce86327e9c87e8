// WideHalo: one exchange for several steps that can't be fused on ranks, since sides lie between
// them. Gives: Depths, WideHalo. Needs: distribute, Orthotree.
//
//   own cells    |----- rank 1 -----|
//   computes  |----------------------|      margins of (steps - 1) x reach cells of its neighbours
//   receives |------------------------|     one reach more
//
// Each step is taken on all that the rank computes, by the code of any part of a grid; sides are
// made where the grid ends. Cells at the rim are wrong after the first step, one reach further in
// after each; the rank's own are right as long as there is a reach of right ones around them, and
// are all that is ever read of it, sent, reduced or written.
#pragma once

#include <optional>
#include <string>

#include "paraiso/om/divide/distribute.hpp"

namespace paraiso::om {

/// By static: how many cells beyond a rank's own are right, along each axis.
using Depths = std::vector<Cell>;

class WideHalo {
 public:
  /// `wants`: what each kernel reads. Nothing where one exchange can't be enough for `steps` > 1,
  /// and in `why`, which is of interest then, a reason: "some fields are cyclic along axis 1, ...".
  /// A cut axis must be cyclic for all fields or for none. Beyond the end of a cyclic axis, cells
  /// have other indices than inside, so the step and boundary kernels must not read these there,
  /// nor boundary kernels fields; and the axis must be longer than what a rank would compute.
  [[nodiscard]] static std::optional<WideHalo> of(const Machine& machine, const Orthotree& tree,
                                                  const Cell& size,
                                                  const std::vector<std::vector<Want>>& wants,
                                                  int steps, std::string* why = nullptr);

  /// The cells that each rank computes. They lie beyond the grid's end where a cyclic axis is cut.
  [[nodiscard]] const std::vector<Box>& computed() const { return computed_; }
  [[nodiscard]] Depths none() const;

  /// What must be sent before a kernel runs: nothing if what is right suffices.
  [[nodiscard]] std::vector<Want> due(std::size_t kernel, Depths& right) const;
  void ran(std::size_t kernel, Depths& right) const;
  [[nodiscard]] Exchange exchange(const std::vector<Want>& due) const;

 private:
  struct Reads {
    std::vector<std::pair<StaticId, Cell>> reach;  // the same on both sides of an axis
    std::vector<StaticId> stored;
    bool is_step;
    bool anywhere;  // it computes right cells beyond the end of a cyclic axis
  };

  WideHalo(const Machine& machine, const Orthotree& tree, const Cell& size);
  void add_kernel(const Machine& machine, const Kernel& kernel, const std::vector<Want>& wants);
  [[nodiscard]] std::string complaint(const Machine& machine) const;
  [[nodiscard]] std::string widen();
  [[nodiscard]] Box around(std::size_t leaf, const Box& cells, const Cell& width) const;
  void add_transfers(StaticId what, std::size_t from, std::size_t to, const Box& wanted,
                     Exchange& exchange) const;

  Cell size_, margin_;  // along each axis
  std::size_t statics_;
  std::vector<Box> own_, computed_;  // by rank
  std::vector<bool> cut_, around_;   // by axis: whether a cut divides it, and it is cyclic
  std::vector<Reads> kernels_;
};

}  // namespace paraiso::om
