// split_arrays: in which array each value of a split group lies.
// Gives: SplitArrays. Needs: plan.
//
// Slopes and lags make sure that near any cell all that earlier stages read has been read before a
// stage writes. So a stage may overwrite what is read by earlier ones only, and what it reads
// itself but at the very cell that it makes: states of a static two steps apart share an array.
#pragma once

#include <functional>
#include <set>

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

class SplitArrays {
 public:
  using Take = std::function<ArrayRef(om::Element)>;

  /// `free`: statics that nothing reads after the group as they were before it; `lasting`: values
  /// that something reads after it; `take` gives spare arrays.
  SplitArrays(const om::Graph& graph, Group& group, const std::vector<om::StaticId>& free,
              std::set<om::ValueId> lasting, Take take);

  /// Settles Output::array.
  void run();

  /// The spare arrays that hold nothing that lasts.
  [[nodiscard]] std::vector<ArrayRef> returned() const;

 private:
  /// Until when what an array holds is read.
  struct Use {
    int stage = -1;       // the last one that reads it; -1: none
    bool beside = false;  // whether that one reads it at other cells than it makes
  };
  void note(Use& use, int stage, const Term& term) const;
  [[nodiscard]] Use use_of_static(om::StaticId id) const;
  [[nodiscard]] Use use_of(const Output& output) const;
  [[nodiscard]] ArrayRef array_for(const Output& output, int stage);

  const om::Graph& graph_;
  Group& group_;
  std::set<om::ValueId> lasting_;
  Take take_;
  std::map<ArrayRef, Use> uses_;  // of what arrays hold that may be overwritten some time
};

}  // namespace paraiso::plan
