// Cache: compiled libraries, and objects for them, under the hash of all that went into them.
// Gives: cache_folder, kCacheBytes, Seal, Cache. Needs: digest, file.
//
// An entry is a folder named by its key: the sources, the library, and `entry.json` with the
// ingredients and the library's SHA-256. It is filled under another name and then renamed, so that
// processes need no lock: of two that make the same entry one wins, and the other takes the
// winner's.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace paraiso::runtime {

/// $PARAISO_CACHE, or $XDG_CACHE_HOME/paraiso, or ~/.cache/paraiso.
[[nodiscard]] std::filesystem::path cache_folder();

inline constexpr double kCacheBytes = 1 << 30;

/// What a product must have kept to be found.
enum class Seal {
  content,  // what is loaded into this process, or linked
  size,     // what a compiler reads and checks by itself: of 85 MB a hash takes 0.1 to 0.3 s
};

/// Invariant: `folder` exists, belongs to this user, and nobody else can write to it.
class Cache {
 public:
  /// Creates the folder (mode 0700) if it is missing. Throws Error if it can't be created or read,
  /// belongs to someone else, or is writable by others. `product` is the file that its entries are
  /// made for.
  explicit Cache(std::filesystem::path folder, std::string product = "library.so",
                 Seal seal = Seal::content);

  /// The folder of a sound entry, or nullopt. An entry whose product does not match its seal, or
  /// that was made for another key, is removed.
  [[nodiscard]] std::optional<std::filesystem::path> find(const std::string& key) const;

  /// Fills a fresh folder by `fill(folder)`, which must leave the product there, and puts it in
  /// place. `ingredients` is JSON text, kept in the entry. If `fill` throws, the folder's contents
  /// are kept under `failed/KEY` for the user to look at, and the error is passed on.
  std::filesystem::path make(const std::string& key, const std::string& ingredients,
                             const std::function<void(const std::filesystem::path&)>& fill) const;

  /// Removes the least recently used entries until the rest takes at most `bytes`, and leftovers of
  /// killed processes that are more than a day old. `make` does so with kCacheBytes.
  void trim(double bytes) const;

  /// Copies the sources of an entry to where those of failed builds are kept, since it may be
  /// trimmed, and gives that folder; that of the entry itself where this fails.
  [[nodiscard]] std::filesystem::path keep(const std::filesystem::path& entry) const;

  /// Where it can't be written, what it has is found, and `make` throws Error.
  [[nodiscard]] bool writable() const;
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  /// Where the sources of a failed build, or of a program that failed on a device, are kept.
  [[nodiscard]] std::filesystem::path failed(const std::string& key) const;

 private:
  [[nodiscard]] std::filesystem::path entry(const std::string& key) const;
  void discard(const std::filesystem::path& entry) const;
  void keep_failed(const std::filesystem::path& making, const std::string& key) const;

  std::filesystem::path folder_;
  std::string product_;
  Seal seal_;
};

}  // namespace paraiso::runtime
