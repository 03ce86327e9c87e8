// Series: a CSV file of the scalars over time.
// Gives: Series. Needs: Instance.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>

#include "paraiso/runtime/instance.hpp"

namespace paraiso::runtime {

/// One row a call: step, then every Global that is no parameter, as the shortest decimals that read
/// back exactly. Rows are on disk when `add` returns.
class Series {
 public:
  /// Starts the file anew; with `keep_through >= 0` the rows up to and including that step are
  /// kept.
  Series(std::filesystem::path path, const om::Machine& machine, std::int64_t keep_through = -1);
  void add(const Instance& instance, std::int64_t step);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::filesystem::path path_;
  std::vector<om::StaticId> columns_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace paraiso::runtime
