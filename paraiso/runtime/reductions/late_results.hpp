// LateResults: the late reductions of a kernel that has run, from the shares of all ranks.
// Gives: LateShare, LateResults. Needs: late_reductions, whole_reduction.
//
// A kernel's late reductions are waited for by nobody while it runs: shares come with each rank's
// word that it is done, and are added up when somebody asks for what is stored from them.
#pragma once

#include <memory>
#include <optional>

#include "paraiso/om/divide/late_reductions.hpp"
#include "paraiso/runtime/reductions/whole_reduction.hpp"

namespace paraiso::runtime {

using LateShare = paraiso_support::Reducing;

class LateResults {
 public:
  /// `before`: by static, the Globals when the kernel began.
  LateResults(const om::Graph& graph, om::LateReductions late, om::Cell size,
              std::shared_ptr<const WholeReduction> whole, std::size_t ranks,
              std::vector<om::Constant> before)
      : graph_(graph),
        late_(std::move(late)),
        size_(std::move(size)),
        whole_(std::move(whole)),
        before_(std::move(before)),
        items_(ranks) {}

  [[nodiscard]] const std::vector<om::StaticId>& targets() const { return late_.targets; }
  /// Of rank 0: which there are, in the order of every rank's items.
  void describe(std::vector<LateShare> shares) { shares_ = std::move(shares); }
  void add(int rank, const Bytes& items) { items_[static_cast<std::size_t>(rank)] = items; }
  /// The targets' values; computed once.
  [[nodiscard]] const std::vector<om::Constant>& values();
  /// Nothing if it is none of the targets.
  [[nodiscard]] std::optional<om::Constant> value_of(om::StaticId target);

 private:
  /// Moves `next`, the place of the share in each rank's items, to the one after it.
  [[nodiscard]] om::Constant reduced(const LateShare& share, std::vector<const char*>& next);

  const om::Graph& graph_;
  om::LateReductions late_;
  om::Cell size_;
  std::shared_ptr<const WholeReduction> whole_;
  std::vector<om::Constant> before_;
  std::vector<LateShare> shares_;
  std::vector<Bytes> items_;  // by rank
  std::vector<om::Constant> values_;
};

}  // namespace paraiso::runtime
