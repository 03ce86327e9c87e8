#include "paraiso/runtime/build/host_lock.hpp"

#include <unistd.h>

#include <atomic>
#include <thread>

#include "paraiso/runtime/build/cache.hpp"
#include "paraiso/runtime/system/host.hpp"
#include "support.hpp"

namespace paraiso::runtime {
namespace {

using test::Environment;
using test::error_text;
using test::Folder;
using Mode = HostLock::Mode;

TEST(HostLock, ManyShareOrOneIsAlone) {
  Folder folder;
  const auto file = folder / "lock";
  std::atomic<bool> got = false;
  std::thread waiting;
  {
    const HostLock one(file, Mode::shared), other(file, Mode::shared);
    waiting = std::thread([&] {
      const HostLock alone(file, Mode::alone);
      got = true;
    });
    usleep(100000);
    EXPECT_FALSE(got);
  }
  waiting.join();
  EXPECT_TRUE(got);
}

TEST(HostLock, IsOneForEachHostInTheCacheFolder) {
  Folder folder;
  const Environment cache("PARAISO_CACHE", (folder / "cache").string());
  EXPECT_EQ(host_lock_file(), folder / "cache" / (host().name + ".lock"));
  const HostLock lock(host_lock_file(), Mode::shared);
  Cache(cache_folder()).trim(0);
  EXPECT_TRUE(std::filesystem::exists(host_lock_file())) << "it is no entry of the cache";
}

TEST(HostLock, SaysWhereItCannotBeMade) {
  Folder folder;
  EXPECT_EQ(folder.shown(error_text([&] { HostLock(folder / "no" / "lock", Mode::alone); })),
            "error: can't write `FOLDER/no/lock`: No such file or directory");
}

}  // namespace
}  // namespace paraiso::runtime
