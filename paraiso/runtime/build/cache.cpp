#include "paraiso/runtime/build/cache.hpp"

#include <fmt/format.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/process/stop_signals.hpp"
#include "paraiso/runtime/system/digest.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/user_folder.hpp"

namespace paraiso::runtime {
namespace {

namespace fs = std::filesystem;

std::string user_name(uid_t user) {
  const passwd* entry = getpwuid(user);
  return entry ? entry->pw_name : std::to_string(user);
}

Error unusable(const fs::path& folder, const std::string& why) {
  return Error(fmt::format("the cache folder `{}` can't be used: {}", folder.string(), why))
      .with_hint("set PARAISO_CACHE to a folder of your own");
}

// Libraries in the cache are loaded into the process: nobody else may be able to put one there.
void check_folder(const fs::path& folder) {
  struct stat status;
  if (stat(folder.c_str(), &status) != 0) throw unusable(folder, std::strerror(errno));
  if (!S_ISDIR(status.st_mode)) throw unusable(folder, "it is not a folder");
  if (status.st_uid != geteuid())
    throw unusable(folder, fmt::format("it belongs to `{}`, not to `{}`", user_name(status.st_uid),
                                       user_name(geteuid())));
  if ((status.st_mode & 022) != 0)
    throw unusable(folder,
                   fmt::format("others can write to it (its mode is {:03o}, and must be 700)",
                               status.st_mode & 0777));
  if (access(folder.c_str(), R_OK | X_OK) != 0) throw unusable(folder, std::strerror(errno));
}

void make_cache_folder(const fs::path& folder) {
  std::error_code error;
  if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), error);
  if (error) throw unusable(folder, error.message());
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    throw unusable(folder, std::strerror(errno));
}

fs::path fresh_folder(const fs::path& parent) {
  auto pattern = (parent / "making-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw unusable(parent, std::strerror(errno));
  return pattern;
}

bool sound(const fs::path& entry, const std::string& product, Seal seal) {
  try {
    const auto sealed = nlohmann::json::parse(read_file(entry / "entry.json"));
    return sealed.at("key") == entry.filename().string() &&
           sealed.at("bytes") == fs::file_size(entry / product) &&
           (seal == Seal::size || sealed.at("sha256") == sha256(read_file(entry / product)));
  } catch (const std::exception&) {  // incomplete, damaged, or another process has just removed it
    return false;
  }
}

void write_seal(const fs::path& folder, const std::string& product, const std::string& key,
                const std::string& ingredients) {
  nlohmann::ordered_json entry;
  entry["key"] = key;
  entry["bytes"] = fs::file_size(folder / product);
  entry["sha256"] = sha256(read_file(folder / product));
  entry["ingredients"] = nlohmann::ordered_json::parse(ingredients);
  write_file(folder / "entry.json", entry.dump(2) + "\n");
}

void remove_quietly(const fs::path& path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

double bytes_in(const fs::path& folder) {
  double bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator file(folder, error), end; file != end;
       file.increment(error)) {
    if (error) break;  // another process is removing it
    if (const auto size = file->file_size(error); !error) bytes += static_cast<double>(size);
  }
  return bytes;
}

struct CacheEntry {
  fs::path path;
  fs::file_time_type used;
};

/// The folders of a cache, most recently used first.
std::vector<CacheEntry> by_use(const fs::path& folder) {
  std::vector<CacheEntry> found;
  for (const auto& one : fs::directory_iterator(folder)) {
    std::error_code error;
    if (!one.is_directory(error)) continue;  // the host's lock
    const auto used = fs::last_write_time(one.path(), error);
    if (!error) found.push_back({one.path(), used});
  }
  std::sort(found.begin(), found.end(),
            [](const CacheEntry& a, const CacheEntry& b) { return a.used > b.used; });
  return found;
}

bool in_the_making(const fs::path& path) {
  return path.filename().string().rfind("making-", 0) == 0;
}

fs::path absolute_cache(const fs::path& folder) {
  std::error_code error;
  const fs::path path = fs::absolute(folder, error);
  if (error) throw unusable(folder, "it is relative, and the working directory is gone");
  return path;
}

}  // namespace

fs::path cache_folder() {
  if (auto own = environment("PARAISO_CACHE"); !own.empty()) return absolute_cache(own);
  return absolute_cache(user_folder("XDG_CACHE_HOME", ".cache").value_or(".cache") / "paraiso");
}

Cache::Cache(fs::path folder, std::string product, Seal seal)
    : folder_(std::move(folder)), product_(std::move(product)), seal_(seal) {
  make_cache_folder(folder_);
  check_folder(folder_);
}

bool Cache::writable() const { return access(folder_.c_str(), W_OK) == 0; }

fs::path Cache::entry(const std::string& key) const { return folder_ / key; }

fs::path Cache::failed(const std::string& key) const { return folder_ / "failed" / key; }

std::optional<fs::path> Cache::find(const std::string& key) const {
  auto place = entry(key);
  if (!fs::exists(place)) return std::nullopt;
  if (sound(place, product_, seal_)) {
    std::error_code ignored;
    fs::last_write_time(place, fs::file_time_type::clock::now(), ignored);  // used last: now
    return place;
  }
  discard(place);
  return std::nullopt;
}

// Renamed before it is removed: nobody may find half an entry.
void Cache::discard(const fs::path& place) const {
  auto away = fresh_folder(folder_);
  std::error_code ignored;
  fs::rename(place, away, ignored);
  remove_quietly(away);
}

void Cache::keep_failed(const fs::path& making, const std::string& key) const {
  std::error_code ignored;
  fs::create_directories(folder_ / "failed", ignored);
  remove_quietly(failed(key));
  fs::rename(making, failed(key), ignored);
}

fs::path Cache::keep(const fs::path& entry) const {
  const fs::path kept = failed(entry.filename().string());
  std::error_code error;
  fs::create_directories(kept, error);
  if (!error)
    fs::copy(entry, kept, fs::copy_options::recursive | fs::copy_options::overwrite_existing,
             error);
  return error ? entry : kept;
}

void Cache::trim(double bytes) const {
  const auto yesterday = fs::file_time_type::clock::now() - std::chrono::hours(24);
  double total = 0;
  for (const auto& [path, used] : by_use(folder_)) {
    if (in_the_making(path)) {
      if (used < yesterday) remove_quietly(path);
      continue;
    }
    total += bytes_in(path);
    if (total > bytes) discard(path);
  }
}

fs::path Cache::make(const std::string& key, const std::string& ingredients,
                     const std::function<void(const fs::path&)>& fill) const {
  auto making = fresh_folder(folder_);
  try {
    fill(making);
    write_seal(making, product_, key, ingredients);
  } catch (const Stopped&) {
    remove_quietly(making);
    throw;
  } catch (...) {
    keep_failed(making, key);
    throw;
  }
  std::error_code error;
  fs::rename(making, entry(key), error);
  if (!error) {
    trim(kCacheBytes);
    return entry(key);
  }
  remove_quietly(making);
  if (auto winner = find(key)) return *winner;  // another process was faster
  throw unusable(folder_, error.message());
}

}  // namespace paraiso::runtime
