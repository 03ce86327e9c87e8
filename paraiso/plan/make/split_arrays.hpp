// split_arrays: the array of each value of a split group.
// Gives: SplitArrays. Needs: plan, spare_arrays.
//
// Slopes and lags guarantee that near any cell all reads of earlier stages precede the writes of a
// stage. So a stage may overwrite an array that only earlier stages read, or that it reads itself
// only at the cell that it computes: states of a static two steps apart share an array.
#pragma once

#include <set>

#include "paraiso/plan/make/spare_arrays.hpp"

namespace paraiso::plan {

class SplitArrays {
 public:
  /// `free`: statics whose values from before the group nothing reads after it; `lasting`: values
  /// that are read after it.
  SplitArrays(const om::Graph& graph, Group& group, const std::vector<om::StaticId>& free,
              std::set<om::ValueId> lasting, SpareArrays& spares);

  /// Sets Output::array.
  void run();

  /// The spare arrays without a lasting value.
  [[nodiscard]] std::vector<ArrayRef> returned() const;

 private:
  /// The last use of the value in an array.
  struct LastUse {
    int stage = -1;       // the last one that reads it; -1: none
    bool beside = false;  // whether that stage reads it at other cells than it computes
  };
  void note(LastUse& use, int stage, const Term& term) const;
  [[nodiscard]] LastUse use_of_static(om::StaticId id) const;
  [[nodiscard]] LastUse use_of(const Output& output) const;
  [[nodiscard]] ArrayRef array_for(const Output& output, int stage);

  const om::Graph& graph_;
  Group& group_;
  std::set<om::ValueId> lasting_;
  SpareArrays& spares_;
  std::map<ArrayRef, LastUse> uses_;  // of arrays that may be overwritten eventually
};

}  // namespace paraiso::plan
