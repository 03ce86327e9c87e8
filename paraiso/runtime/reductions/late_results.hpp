// LateResults: the late reductions of a kernel that has run, from the shares of all ranks.
// Gives: LateShare, LateResults. Needs: late_reductions, transport, place.hpp.
//
// A kernel's late reductions are waited for by nobody while it runs: shares come with each rank's
// word that it is done, and are added up when somebody asks for what is stored from them.
#pragma once

#include <optional>

#include "paraiso/om/late_reductions.hpp"
#include "paraiso/runtime/transport/transport.hpp"
#include "paraiso/support/place.hpp"

namespace paraiso::runtime {

using LateShare = paraiso_support::Reducing;

class LateResults {
 public:
  /// `before`: by static, the Globals when the kernel began.
  LateResults(const om::Graph& graph, om::LateReductions late, om::Cell size,
              std::vector<om::Box> boxes, std::vector<om::Constant> before)
      : graph_(graph),
        late_(std::move(late)),
        size_(std::move(size)),
        boxes_(std::move(boxes)),
        before_(std::move(before)),
        items_(boxes_.size()) {}

  [[nodiscard]] const std::vector<om::StaticId>& targets() const { return late_.targets; }
  /// Of rank 0: which there are, in the order of every rank's items.
  void describe(std::vector<LateShare> shares) { shares_ = std::move(shares); }
  void add(int rank, const Bytes& items) { items_[static_cast<std::size_t>(rank)] = items; }
  /// The targets' values; computed once.
  [[nodiscard]] const std::vector<om::Constant>& values();
  /// Nothing if it is none of the targets.
  [[nodiscard]] std::optional<om::Constant> value_of(om::StaticId target);

 private:
  /// Moves `offsets`, of the next share in each rank's items, to the one after it.
  [[nodiscard]] om::Constant reduced(LateShare share, std::vector<std::size_t>& offsets);

  const om::Graph& graph_;
  om::LateReductions late_;
  om::Cell size_;
  std::vector<om::Box> boxes_;
  std::vector<om::Constant> before_;
  std::vector<LateShare> shares_;
  std::vector<Bytes> items_;  // by rank
  std::vector<om::Constant> values_;
};

}  // namespace paraiso::runtime
