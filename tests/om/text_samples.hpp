// The sample machines of tests/om/samples as text.
// Gives: read_text, files_in, samples. Needs: nothing of ours.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace paraiso::test {

[[nodiscard]] std::string read_text(const std::filesystem::path& path);

/// The `.om` files of a folder below tests/, sorted by name.
[[nodiscard]] std::vector<std::filesystem::path> files_in(const std::string& folder);

/// The text of every file in tests/om/samples.
[[nodiscard]] std::vector<std::string> samples();

}  // namespace paraiso::test
