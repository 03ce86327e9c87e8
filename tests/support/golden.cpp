#include "tests/support/golden.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "paraiso/base/text.hpp"
#include "paraiso/runtime/process/process.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/temporary_folder.hpp"

namespace paraiso::test {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostLines = 40;

std::string text_of(const fs::path& path) {
  return fs::exists(path) ? runtime::read_file(path) : std::string();
}

}  // namespace

bool rewrites_goldens() { return std::getenv("PARAISO_REWRITE") != nullptr; }

std::string difference(const fs::path& path, const std::string& made) {
  const std::string kept = text_of(path);
  if (kept == made) return {};
  const runtime::TemporaryFolder folder;
  const fs::path before = folder.path() / "kept", after = folder.path() / "made";
  runtime::write_file(before, kept);
  runtime::write_file(after, made);
  const std::string name = fs::relative(path, PARAISO_SOURCE_DIR).string();
  std::string output =
      runtime::run_program({runtime::find_program("diff").value().string(), "-u", "--label", name,
                            "--label", "made now", before.string(), after.string()})
          .output;
  if (output.ends_with('\n')) output.pop_back();
  const auto lines = split(output, '\n');
  std::string text;
  for (std::size_t i = 0; i < lines.size() && i < kMostLines; ++i)
    text.append(lines[i]).append("\n");
  if (lines.size() > kMostLines)
    text += "... and " + std::to_string(lines.size() - kMostLines) + " lines more\n";
  return text + "If that is meant: scripts/rewrite-goldens.sh, then git diff\n";
}

void expect_golden_folder(const fs::path& folder, const std::map<std::string, std::string>& made,
                          const std::set<std::string>& inputs) {
  ASSERT_FALSE(made.empty()) << folder;
  for (const auto& [name, text] : made) {
    const fs::path path = folder / name;
    if (rewrites_goldens()) {
      runtime::make_folder(path.parent_path());
      if (text_of(path) != text) runtime::write_file(path, text);
    } else if (const std::string lines = difference(path, text); !lines.empty()) {
      ADD_FAILURE() << lines;
    }
  }
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = fs::relative(entry.path(), folder).string();
    if (entry.is_directory() || made.contains(name) || inputs.contains(name)) continue;
    if (rewrites_goldens())
      fs::remove(entry.path());
    else
      ADD_FAILURE() << name << ": no test makes it\nscripts/rewrite-goldens.sh removes it\n";
  }
}

}  // namespace paraiso::test
