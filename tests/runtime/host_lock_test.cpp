#include "paraiso/runtime/build/host_lock.hpp"

#include <unistd.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

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

TEST(HostLock, OnlyWhoIsAloneTakesTheDevice) {
  Folder folder;
  std::vector<std::string> waited;
  const auto at = [&](const std::string& what) {
    return LockFile{folder / what, [&waited, what](const auto&) { waited.push_back(what); }};
  };
  const Locks locks{.host = at("host"), .device = at("device")};
  auto before = std::make_unique<HostLock>(folder / "device", Mode::alone);
  { const Turn building(locks, Mode::shared); }
  EXPECT_EQ(waited, std::vector<std::string>{});
  std::thread other([&] {
    usleep(100000);
    before.reset();
  });
  { const Turn timing(locks, Mode::alone); }
  other.join();
  EXPECT_EQ(waited, std::vector<std::string>{"device"});
}

TEST(HostLock, IsOfNobodyWithoutAFile) { const Turn one({}, Mode::alone), other({}, Mode::alone); }

TEST(HostLock, TellsOnceForWhomItWaits) {
  Folder folder;
  const auto file = folder / "lock";
  std::vector<std::string> told;
  const auto tell = [&](const std::string& holder) { told.push_back(holder); };
  { const HostLock free(file, Mode::alone, tell); }
  EXPECT_EQ(told, std::vector<std::string>{});
  auto before = std::make_unique<HostLock>(file, Mode::alone);
  std::thread other([&] {
    usleep(100000);
    before.reset();
  });
  { const HostLock after(file, Mode::shared, tell); }
  other.join();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].rfind("process " + std::to_string(getpid()) + " (`", 0), 0u) << told[0];
}

TEST(HostLock, ADeviceHasOneByNameAndPlace) {
  Folder folder;
  const Environment cache("PARAISO_CACHE", (folder / "cache").string());
  paraiso_support::DeviceReport device;
  device.name = "Abacus 9000";
  EXPECT_EQ(device_lock_file(device), folder / "cache" / (host().name + ".Abacus-9000.lock"));
  device.place = "0:101:0";
  EXPECT_EQ(device_lock_file(device),
            folder / "cache" / (host().name + ".Abacus-9000-0-101-0.lock"));
}

TEST(HostLock, IsOneForEachHostInTheCacheFolder) {
  Folder folder;
  const Environment cache("PARAISO_CACHE", (folder / "cache").string());
  EXPECT_EQ(host_lock_file(), folder / "cache" / (host().name + ".lock"));
  const HostLock lock(host_lock_file(), Mode::shared);
  Cache(cache_folder()).trim(0);
  EXPECT_TRUE(std::filesystem::exists(host_lock_file())) << "it is no entry of the cache";
}

TEST(HostLock, OfSeveralCachesIsInAFolderForAll) {
  Folder folder;
  const Environment cache("PARAISO_CACHE", (folder / "cache").string()),
      locks("PARAISO_LOCKS", folder.path().string());
  EXPECT_EQ(host_lock_file(), folder / (host().name + ".lock"));
  paraiso_support::DeviceReport device;
  device.name = "Abacus";
  EXPECT_EQ(device_lock_file(device), folder / (host().name + ".Abacus.lock"));
  EXPECT_FALSE(std::filesystem::exists(folder / "cache"));
}

TEST(HostLock, SaysWhereItCannotBeMade) {
  Folder folder;
  EXPECT_EQ(folder.shown(error_text([&] { HostLock(folder / "no" / "lock", Mode::alone); })),
            "error: can't write `FOLDER/no/lock`: No such file or directory");
}

}  // namespace
}  // namespace paraiso::runtime
