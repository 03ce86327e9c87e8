// Series: a CSV file of the scalars over time.
// Gives: Series. Needs: Instance, file.
#pragma once

#include <filesystem>
#include <vector>

#include "paraiso/runtime/fields/instance.hpp"

namespace paraiso::runtime {

/// One row per step: the step, then every Global that is neither parameter nor limit, as the
/// shortest decimals that read back exactly. Rows are on disk when `add` returns.
class Series {
 public:
  /// Starts a new file; with `keep_through >= 0`, keeps the rows up to and including that step.
  Series(std::filesystem::path path, const om::Machine& machine, std::int64_t keep_through = -1);
  /// Does nothing for a step that already has a row.
  void add(const Instance& instance, std::int64_t step);

 private:
  std::filesystem::path path_;
  std::vector<om::StaticId> columns_;
  std::int64_t last_ = -1;
};

}  // namespace paraiso::runtime
