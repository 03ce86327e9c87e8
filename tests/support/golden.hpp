// Golden files: texts that are kept beside the tests and compared whole; scripts/rewrite-goldens.sh
// writes all of them anew, and git shows what that has changed.
// Gives: rewrites_goldens, difference, expect_golden_folder. Needs: runtime.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace paraiso::test {

/// Whether tests write their golden texts instead of comparing them: $PARAISO_REWRITE.
[[nodiscard]] bool rewrites_goldens();

/// A unified difference of at most 40 lines, from what `path` says to what was made, and how to
/// rewrite it; empty where they are the same. A file that is not there is an empty one.
[[nodiscard]] std::string difference(const std::filesystem::path& path, const std::string& made);

/// A failure for each file of `folder` that differs from what was made, by name, or that nobody has
/// made; but for those in `inputs`.
void expect_golden_folder(const std::filesystem::path& folder,
                          const std::map<std::string, std::string>& made,
                          const std::set<std::string>& inputs);

}  // namespace paraiso::test
