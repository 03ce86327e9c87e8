#include "paraiso/runtime/build/cache.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>

#include "paraiso/runtime/system/file.hpp"
#include "support.hpp"

namespace paraiso::runtime {
namespace {

using test::Environment;
using test::error_text;
using test::Folder;
namespace fs = std::filesystem;

void fill(const fs::path& folder, const std::string& library) {
  write_file(folder / "library.so", library);
  write_file(folder / "source.cpp", "int source;\n");
}

std::string mode_of(const fs::path& path) {
  struct stat status;
  stat(path.c_str(), &status);
  char text[8];
  std::snprintf(text, sizeof text, "%03o", status.st_mode & 0777u);
  return text;
}

TEST(Cache, FolderFollowsTheEnvironment) {
  Environment home("HOME", "/home/ada"), xdg("XDG_CACHE_HOME", std::nullopt);
  {
    Environment own("PARAISO_CACHE", std::nullopt);
    EXPECT_EQ(cache_folder(), "/home/ada/.cache/paraiso");
    Environment other("XDG_CACHE_HOME", "/var/ada");
    EXPECT_EQ(cache_folder(), "/var/ada/paraiso");
    Environment relative("XDG_CACHE_HOME", "not/absolute");
    EXPECT_EQ(cache_folder(), "/home/ada/.cache/paraiso");
  }
  Environment own("PARAISO_CACHE", "/scratch/p");
  EXPECT_EQ(cache_folder(), "/scratch/p");
}

TEST(Cache, MakesItsFolderForTheUserAlone) {
  Folder folder;
  Cache cache(folder / "a/cache");
  EXPECT_EQ(mode_of(folder / "a/cache"), "700");
}

TEST(Cache, GivesBackWhatWasMade) {
  Folder folder;
  Cache cache(folder / "cache");
  EXPECT_EQ(cache.find("key"), std::nullopt);
  const auto made =
      cache.make("key", R"({"compiler": "g++"})", [](const auto& f) { fill(f, "L"); });
  EXPECT_EQ(cache.find("key"), made);
  EXPECT_EQ(read_file(made / "library.so"), "L");
  EXPECT_EQ(read_file(made / "source.cpp"), "int source;\n");
  EXPECT_NE(read_file(made / "entry.json").find("\"compiler\": \"g++\""), std::string::npos);
  EXPECT_EQ(cache.find("other"), std::nullopt);
}

TEST(Cache, DamagedEntriesAreRemovedAndMadeAgain) {
  Folder folder;
  Cache cache(folder / "cache");
  auto make = [&] { return cache.make("key", "{}", [](const auto& f) { fill(f, "good"); }); };
  for (const char* part : {"library.so", "entry.json"}) {
    const auto entry = make();
    write_file(entry / part, "evil");  // as long as what was made
    EXPECT_EQ(cache.find("key"), std::nullopt) << part;
    EXPECT_FALSE(fs::exists(entry)) << part;
    fs::remove(make() / part);
    EXPECT_EQ(cache.find("key"), std::nullopt) << part;
  }
  EXPECT_EQ(cache.find("key"), std::nullopt);
  fs::rename(make(), folder / "cache" / "other");  // sound, but not what is looked for
  EXPECT_EQ(cache.find("other"), std::nullopt);
  EXPECT_EQ(read_file(make() / "library.so"), "good");
}

TEST(Cache, OfWhatACompilerReadsTheSizeIsLookedAt) {
  Folder folder;
  Cache cache(folder / "cache", "library.so", Seal::size);
  auto make = [&] { return cache.make("key", "{}", [](const auto& f) { fill(f, "good"); }); };
  const auto entry = make();
  write_file(entry / "library.so", "evil");
  EXPECT_EQ(cache.find("key"), entry);
  write_file(entry / "library.so", "goo");  // the disk was full
  EXPECT_EQ(cache.find("key"), std::nullopt);
  EXPECT_FALSE(fs::exists(entry));
  EXPECT_EQ(read_file(make() / "library.so"), "good");
}

TEST(Cache, KeepsWhatAFailedBuildLeft) {
  Folder folder;
  Cache cache(folder / "cache");
  auto fail = [](const fs::path& making) {
    write_file(making / "source.cpp", "int broken\n");
    throw Error("the compiler fails");
  };
  for (int time = 0; time < 2; ++time) {
    EXPECT_EQ(error_text([&] { cache.make("key", "{}", fail); }), "error: the compiler fails");
    EXPECT_EQ(read_file(cache.failed("key") / "source.cpp"), "int broken\n");
  }
  EXPECT_EQ(cache.find("key"), std::nullopt);
}

TEST(Cache, OfTwoMakersTheFirstWins) {
  Folder folder;
  Cache cache(folder / "cache");
  const auto made = cache.make("key", "{}", [&](const fs::path& slow) {
    cache.make("key", "{}", [](const fs::path& fast) { fill(fast, "first"); });
    fill(slow, "second");
  });
  EXPECT_EQ(read_file(made / "library.so"), "first");
  EXPECT_EQ(folder.file_count(), 3);
}

TEST(Cache, ManyProcessesAtOnceGetTheSameEntry) {
  Folder folder;
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      int status = 1;
      try {
        for (int k = 0; k < 20; ++k) {
          Cache cache(folder / "cache");
          const auto key = "key" + std::to_string(k);
          auto entry = cache.find(key);
          if (!entry) entry = cache.make(key, "{}", [&](const auto& f) { fill(f, key); });
          status = read_file(*entry / "library.so") == key ? 0 : 2;
          if (status != 0) break;
        }
      } catch (...) {
        status = 3;
      }
      _exit(status);
    }
    children.push_back(child);
  }
  for (auto child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
}

TEST(Cache, TrimsWhatWasLongestNotUsed) {
  Folder folder;
  Cache cache(folder / "cache");
  const auto now = fs::file_time_type::clock::now();
  int hours = 10;
  for (const char* key : {"a", "b", "c", "d"}) {
    const auto entry =
        cache.make(key, "{}", [](const auto& f) { fill(f, std::string(100000, 'x')); });
    fs::last_write_time(entry, now - std::chrono::hours(--hours));
  }
  EXPECT_TRUE(cache.find("a"));  // used now
  cache.trim(250000);
  EXPECT_TRUE(cache.find("a"));
  EXPECT_FALSE(cache.find("b"));
  EXPECT_FALSE(cache.find("c"));
  EXPECT_TRUE(cache.find("d"));
}

TEST(Cache, TrimsWhatKilledProcessesLeft) {
  Folder folder;
  Cache cache(folder / "cache");
  for (const char* name : {"making-old", "making-new"}) make_folder(cache.folder() / name);
  fs::last_write_time(cache.folder() / "making-old",
                      fs::file_time_type::clock::now() - std::chrono::hours(25));
  cache.trim(0);
  EXPECT_FALSE(fs::exists(cache.folder() / "making-old"));
  EXPECT_TRUE(fs::exists(cache.folder() / "making-new"));
}

TEST(Cache, RefusesAFolderThatOthersCanWrite) {
  Folder folder;
  fs::create_directory(folder / "cache");
  fs::permissions(folder / "cache", fs::perms(0777));
  EXPECT_EQ(
      folder.shown(error_text([&] { Cache cache(folder / "cache"); })),
      "error: the cache folder `FOLDER/cache` can't be used: others can write to it (its mode "
      "is 777, and must be 700)\n"
      "hint: set PARAISO_CACHE to a folder of your own");
}

TEST(Cache, RefusesAFileAndWhatCannotBeMade) {
  Folder folder;
  write_file(folder / "cache", "");
  EXPECT_EQ(folder.shown(error_text([&] { Cache cache(folder / "cache"); })),
            "error: the cache folder `FOLDER/cache` can't be used: it is not a folder\n"
            "hint: set PARAISO_CACHE to a folder of your own");
  EXPECT_EQ(folder.shown(error_text([&] { Cache cache(folder / "cache/below"); })),
            "error: the cache folder `FOLDER/cache/below` can't be used: Not a directory\n"
            "hint: set PARAISO_CACHE to a folder of your own");
}

TEST(Cache, RefusesAFolderOfSomeoneElse) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  Folder folder;
  fs::create_directory(folder / "cache");
  fs::permissions(folder / "cache", fs::perms::owner_all);
  ASSERT_EQ(chown((folder / "cache").c_str(), 1, 1), 0);
  EXPECT_EQ(folder.shown(error_text([&] { Cache cache(folder / "cache"); })),
            "error: the cache folder `FOLDER/cache` can't be used: it belongs to `daemon`, not to "
            "`root`\n"
            "hint: set PARAISO_CACHE to a folder of your own");
}

/// In a process that is not root, which may write anywhere: the status of `look`.
int status_without_rights(const std::function<int()>& look) {
  const pid_t child = fork();
  if (child == 0) {
    if (geteuid() == 0 && setuid(1) != 0) _exit(9);
    _exit(look());
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Cache, ThatCanOnlyBeReadGivesWhatItHas) {
  Folder folder;
  const fs::path place = folder / "cache";
  Cache(place).make("key", "{}", [](const auto& f) { fill(f, "L"); });
  if (geteuid() == 0) {
    ASSERT_EQ(chown(folder.path().c_str(), 1, 1), 0);
    ASSERT_EQ(chown(place.c_str(), 1, 1), 0);
  }
  fs::permissions(place / "key", fs::perms::group_read | fs::perms::group_exec,
                  fs::perm_options::add);
  fs::permissions(place, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(status_without_rights([&] {
              const Cache cache(place);
              if (cache.writable()) return 1;
              if (cache.find("key") != place / "key") return 2;
              const std::string told = error_text([&] { cache.make("other", "{}", {}); });
              return folder.shown(told) ==
                             "error: the cache folder `FOLDER/cache` can't be used: Permission "
                             "denied\nhint: set PARAISO_CACHE to a folder of your own"
                         ? 0
                         : 3;
            }),
            0);
  fs::permissions(place, fs::perms::owner_write, fs::perm_options::add);
}

}  // namespace
}  // namespace paraiso::runtime
