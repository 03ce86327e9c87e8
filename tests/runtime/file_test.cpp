#include "paraiso/runtime/system/file.hpp"

#include <sys/stat.h>

#include <fstream>

#include "support.hpp"

namespace paraiso::runtime {
namespace {

using test::error_text;
using test::FileSizeLimit;
using test::Folder;

TEST(AtomicFile, IsThereOnlyAfterCommit) {
  Folder folder;
  const auto path = folder / "state";
  {
    AtomicFile file(path);
    file.write("half");
    EXPECT_FALSE(std::filesystem::exists(path));
  }
  EXPECT_EQ(folder.file_count(), 0);
  AtomicFile file(path);
  file.write("who");
  file.write("le");
  file.commit();
  EXPECT_EQ(read_file(path), "whole");
  EXPECT_EQ(folder.file_count(), 1);
}

TEST(AtomicFile, AFullDiskLeavesTheOldFileAndNothingElse) {
  Folder folder;
  const auto path = folder / "state";
  write_file(path, "old");
  std::string text;
  {
    FileSizeLimit limit(1000);
    text = error_text([&] { write_file(path, std::string(5000, 'x')); });
  }
  EXPECT_EQ(folder.shown(text),
            "error: can't write `FOLDER/state`: it would exceed the file size limit (`ulimit -f`)");
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(folder.file_count(), 1);
}

TEST(AtomicFile, NamesThePathAndTheReason) {
  Folder folder;
  EXPECT_EQ(folder.shown(error_text([&] { write_file(folder / "no/such/file", "x"); })),
            "error: can't write `FOLDER/no/such/file`: No such file or directory");
  EXPECT_EQ(folder.shown(error_text([&] { write_file(folder.path(), "x"); })),
            "error: can't write `FOLDER`: it is a folder");
  EXPECT_EQ(folder.shown(error_text([&] { (void)read_file(folder / "none"); })),
            "error: can't read `FOLDER/none`: No such file or directory");
  EXPECT_EQ(folder.shown(error_text([&] { (void)read_file(folder.path()); })),
            "error: can't read `FOLDER`: it is a folder");
}

TEST(AtomicFile, TakesThePlaceOfNoDevice) {
  Folder folder;
  const auto pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(folder.shown(error_text([&] { write_file(pipe, "x"); })),
            "error: can't write `FOLDER/pipe`: it is a device or a pipe, not a file");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  EXPECT_EQ(folder.file_count(), 0);
}

TEST(AtomicFile, FollowsALinkAndKeepsPermissions) {
  Folder folder;
  const auto path = folder / "far" / "private", link = folder / "link";
  make_folder(folder / "far");
  write_file(path, "old");
  std::filesystem::permissions(path, std::filesystem::perms::owner_read);
  std::filesystem::create_symlink("far/private", link);
  write_file(link, "new");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(read_file(path), "new");
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms::owner_read);
}

TEST(ReadFile, RefusesWhatHasNoEnd) {
  EXPECT_EQ(error_text([] { (void)read_file("/dev/zero"); }),
            "error: can't read `/dev/zero`: it is no file, and does not end within 1 GiB");
}

TEST(AppendToFile, TakesBackARowThatDoesNotFit) {
  Folder folder;
  const auto path = folder / "rows";
  write_file(path, "first\n");
  append_to_file(path, "second\n");
  std::string text;
  {
    FileSizeLimit limit(20);
    text = error_text([&] { append_to_file(path, "third, which is long\n"); });
  }
  EXPECT_EQ(folder.shown(text),
            "error: can't write `FOLDER/rows`: it would exceed the file size limit (`ulimit -f`)");
  EXPECT_EQ(read_file(path), "first\nsecond\n");
}

TEST(MakeFolder, MakesParentsAndTellsWhatIsInTheWay) {
  Folder folder;
  make_folder(folder / "a/b/c");
  make_folder(folder / "a/b/c");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b/c"));
  write_file(folder / "file", "");
  EXPECT_EQ(folder.shown(error_text([&] { make_folder(folder / "file"); })),
            "error: can't make the folder `FOLDER/file`: a file of that name is in the way");
  EXPECT_EQ(folder.shown(error_text([&] { make_folder(folder / "file/b"); })),
            "error: can't make the folder `FOLDER/file/b`: Not a directory");
}

}  // namespace
}  // namespace paraiso::runtime
