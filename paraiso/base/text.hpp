// Small functions on text that several rooms share.
// Gives: is_identifier, is_dotted_name, nearest, shown, trimmed, split, without_comments, fnv1a,
// hex. Needs: nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace paraiso {

/// True for `[A-Za-z_][A-Za-z0-9_]*` of at most 64 characters without a double underscore.
[[nodiscard]] bool is_identifier(std::string_view text);

/// True for identifiers joined by single dots: `flux.x.density`.
[[nodiscard]] bool is_dotted_name(std::string_view text);

/// The candidate with the smallest edit distance to `word`, if `word` is near enough to be a
/// misspelling of it; else "".
[[nodiscard]] std::string nearest(std::string_view word,
                                  const std::vector<std::string>& candidates);

/// `text` in backticks as a message may show it: bytes that are not printable ASCII as `\xNN`, and
/// at most 60 characters of it.
[[nodiscard]] std::string shown(std::string_view text);

/// `text` without such characters at its ends.
[[nodiscard]] std::string_view trimmed(std::string_view text, std::string_view characters);

/// Splits at every `separator`; always at least one piece.
[[nodiscard]] std::vector<std::string> split(std::string_view text, char separator);

/// C++ text without its `//` comments: the part that a compiler reads.
[[nodiscard]] std::string without_comments(std::string_view source);

/// The 64-bit FNV-1a hash of `text`, continuing from `seed`. Not for security.
[[nodiscard]] std::uint64_t fnv1a(std::string_view text, std::uint64_t seed = 0xcbf29ce484222325u);

/// 16 lower-case hexadecimal digits.
[[nodiscard]] std::string hex(std::uint64_t value);

}  // namespace paraiso
