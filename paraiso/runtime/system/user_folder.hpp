// Where a user's files lie, as the XDG base directory specification says.
// Gives: environment, user_folder. Needs: nothing.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace paraiso::runtime {

/// A variable of the environment; empty if it is not set.
[[nodiscard]] std::string environment(const char* name);

/// The folder that `variable` names, if that is an absolute path: a relative one is ignored. Else
/// the home folder's `below`; none without a home.
[[nodiscard]] std::optional<std::filesystem::path> user_folder(const char* variable,
                                                               const std::filesystem::path& below);

}  // namespace paraiso::runtime
