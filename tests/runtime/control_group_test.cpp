#include "paraiso/runtime/system/control_group.hpp"

#include <fstream>

#include "support.hpp"

namespace paraiso::runtime {
namespace {

/// A made-up /sys/fs/cgroup and /proc/self/cgroup.
class ControlGroup : public testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) {
    const auto path = folder_ / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::optional<double> room() { return control_group_room(folder_.path(), folder_ / "groups"); }

  test::Folder folder_;
};

TEST_F(ControlGroup, WithoutALimitLeavesAllThereIs) {
  EXPECT_EQ(room(), std::nullopt);
  write("groups", "0::/job\n");
  write("job/memory.max", "max\n");
  write("job/memory.current", "100\n");
  EXPECT_EQ(room(), std::nullopt);
}

TEST_F(ControlGroup, LeavesTheLeastOfItselfAndItsAncestors) {
  write("groups", "0::/batch/job\n");
  write("batch/memory.max", "1000\n");
  write("batch/memory.current", "900\n");
  write("batch/job/memory.max", "500\n");
  write("batch/job/memory.current", "300\n");
  EXPECT_EQ(room(), 100);
  write("batch/memory.current", "600\n");
  EXPECT_EQ(room(), 200);
  write("batch/job/memory.current", "600\n");
  EXPECT_EQ(room(), 0);
}

TEST_F(ControlGroup, CachedFilesAreFree) {
  write("groups", "0::/job\n");
  write("job/memory.max", "1000\n");
  write("job/memory.current", "990\n");
  write("job/memory.stat", "anon 90\nfile 905\ninactive_file 700\nactive_file 200\nshmem 5\n");
  EXPECT_EQ(room(), 910);
}

TEST_F(ControlGroup, TheOlderVersionHasOtherNames) {
  write("groups", "3:cpuset:/\n4:memory:/job\n0::/\n");
  write("memory/job/memory.limit_in_bytes", "1000\n");
  write("memory/job/memory.usage_in_bytes", "990\n");
  write("memory/job/memory.stat",
        "active_file 1\ninactive_file 2\ntotal_active_file 300\ntotal_inactive_file 400\n");
  EXPECT_EQ(room(), 710);
}

}  // namespace
}  // namespace paraiso::runtime
