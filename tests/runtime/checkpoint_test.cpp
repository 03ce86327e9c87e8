#include "paraiso/runtime/output/checkpoint.hpp"

#include "machines.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/runtime/output/seal.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "support.hpp"

namespace paraiso::runtime {
namespace {

using test::error_text;
using test::FileSizeLimit;
using test::Folder;
using Size = std::vector<std::int64_t>;

const Record kRecord{"test", "fma", "interpreter", "", ""};

std::unique_ptr<Instance> drifted(const Size& size = {5, 3}) {
  auto instance = interpreter_instance(test::drift<double>(), size);
  instance->run("bump");
  for (int i = 0; i < 4; ++i) instance->run("proceed");
  return instance;
}

class CheckpointFile : public testing::Test {
 protected:
  Folder folder;
  const std::filesystem::path path = folder / "c";
  std::unique_ptr<Instance> instance = drifted();

  void SetUp() override { write_checkpoint(path, *instance, 4, kRecord); }
  std::string complaint(Instance& into, const Record& record = kRecord) {
    return folder.shown(error_text([&] { read_checkpoint(path, into, record); }));
  }
  std::string complaint() {
    auto fresh = interpreter_instance(test::drift<double>(), {5, 3});
    return complaint(*fresh);
  }
};

TEST_F(CheckpointFile, GoesOnBitForBit) {
  auto other = interpreter_instance(test::drift<double>(), {5, 3});
  other->set_scalar("rate", 0.1);
  EXPECT_EQ(read_checkpoint(path, *other, kRecord).step, 4);
  for (int i = 0; i < 10; ++i) {
    instance->run("proceed");
    other->run("proceed");
  }
  EXPECT_EQ(save(*other).statics, save(*instance).statics);
  EXPECT_EQ(checkpoint_size(path), (Size{5, 3}));
  EXPECT_EQ(folder.file_count(), 1);
}

TEST_F(CheckpointFile, EveryDamagedByteIsFound) {
  const auto whole = read_file(path);
  const auto before = save(*instance).statics;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    auto damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    write_file(path, damaged);
    const auto text = complaint(*instance);
    EXPECT_TRUE(text.rfind("error: the checkpoint `FOLDER/c` is damaged: ", 0) == 0 ||
                text == "error: `FOLDER/c` is not a checkpoint of Paraiso")
        << i << ": " << text;
  }
  EXPECT_EQ(save(*instance).statics, before);
}

TEST_F(CheckpointFile, DamageIsNamed) {
  auto text = read_file(path);
  text[text.size() - 40] ^= 1;
  write_file(path, text);
  EXPECT_EQ(complaint(),
            "error: the checkpoint `FOLDER/c` is damaged: its bytes do not match their checksum");
}

TEST_F(CheckpointFile, EveryCutIsFound) {
  const auto whole = read_file(path);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    write_file(path, whole.substr(0, length));
    const auto text = complaint();
    if (length < 21)
      EXPECT_EQ(text, "error: `FOLDER/c` is not a checkpoint of Paraiso");
    else
      EXPECT_EQ(text.rfind("error: the checkpoint `FOLDER/c` is damaged: it is cut, " +
                               std::to_string(length) + " of ",
                           0),
                0u)
          << text;
  }
  write_file(path, whole + "x");
  EXPECT_EQ(complaint(), "error: the checkpoint `FOLDER/c` is damaged: it has " +
                             std::to_string(whole.size() + 1) + " bytes, " +
                             std::to_string(whole.size()) + " were written");
}

// The same state gives the same file, whoever computed it, by whatever command.
TEST_F(CheckpointFile, TellsNothingOfWhoWroteIt) {
  write_checkpoint(folder / "d", *instance, 4,
                   {"mpirun -n 8 paraiso run", "fma", "openmp", "g++ 12", "abc"});
  EXPECT_EQ(read_file(folder / "d"), read_file(path));
}

/// The parts of a file of either format, taken apart by what docs/files.md says.
struct Parts {
  std::string head, data, seal;
};
Parts parts_of(const std::string& file) {
  const auto length = std::stoul(file.substr(file.find('\n') + 1));
  const auto data = file.find('\n', file.find('\n') + 1) + 1 + length;
  return {file.substr(0, data), file.substr(data, file.size() - 32 - data),
          file.substr(file.size() - 32)};
}
std::string digest_of(const std::string& text) {
  Digest digest;
  digest.add(text);
  const auto bytes = digest.finish();
  return {bytes.begin(), bytes.end()};
}

TEST_F(CheckpointFile, OfTheOldFormatIsStillRead) {
  auto [head, data, seal] = parts_of(read_file(path));
  head.replace(head.find(" 2\n"), 3, " 1\n");
  const auto old = head + data + digest_of(head + data);
  write_file(path, old);
  auto other = interpreter_instance(test::drift<double>(), {5, 3});
  EXPECT_EQ(read_checkpoint(path, *other, kRecord).step, 4);
  EXPECT_EQ(save(*other).statics, save(*instance).statics);
  write_file(path, head + data + seal);  // sealed as the new ones are
  EXPECT_EQ(complaint(),
            "error: the checkpoint `FOLDER/c` is damaged: its bytes do not match their checksum");
}

TEST_F(CheckpointFile, OfALaterFormatIsRefused) {
  auto text = read_file(path);
  text.replace(text.find(" 2\n"), 3, " 3\n");
  write_file(path, text);
  EXPECT_EQ(complaint(),
            "error: the checkpoint `FOLDER/c` is of format 3, and this version of Paraiso reads "
            "those up to 2");
}

// Of several blocks, which end in the middle of a row and of a number.
TEST(LargeCheckpoint, IsSealedByTheDigestsOfItsBlocks) {
  Folder folder;
  const auto path = folder / "c";
  auto instance = interpreter_instance(test::drift<double>(), {701, 401});
  instance->run("bump");
  write_checkpoint(path, *instance, 0, kRecord);
  const auto whole = read_file(path);
  const auto [head, data, seal] = parts_of(whole);
  ASSERT_GT(data.size(), 3u << 20);
  ASSERT_NE(data.size() % (1 << 20), 0u);
  std::string digests;
  for (std::size_t i = 0; i < data.size(); i += 1 << 20)
    digests += digest_of(data.substr(i, 1 << 20));
  EXPECT_EQ(seal, digest_of(head + digests));
  auto other = interpreter_instance(test::drift<double>(), {701, 401});
  EXPECT_EQ(read_checkpoint(path, *other, kRecord).step, 0);
  EXPECT_EQ(save(*other).statics, save(*instance).statics);
  for (std::size_t i : {std::size_t{0}, std::size_t{(1 << 20) - 1}, std::size_t{1 << 20},
                        std::size_t{(3 << 20) - 1}, data.size() - 1}) {
    auto damaged = whole;
    damaged[head.size() + i] = static_cast<char>(damaged[head.size() + i] ^ 1);
    write_file(path, damaged);
    EXPECT_EQ(folder.shown(error_text([&] { read_checkpoint(path, *other, kRecord); })),
              "error: the checkpoint `FOLDER/c` is damaged: its bytes do not match their checksum")
        << i;
  }
}

TEST(BlockDigests, DoNotDependOnPieces) {
  std::string data((5 << 19) + 3, 'x');
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<char>(i * i >> 7);
  BlockDigests whole, pieces;
  whole.add(data.data(), data.size());
  for (std::size_t i = 0; i < data.size(); i += 77777)
    pieces.add(data.data() + i, std::min<std::size_t>(77777, data.size() - i));
  const auto blocks = whole.finish();
  EXPECT_EQ(blocks.size(), 3u);
  EXPECT_EQ(pieces.finish(), blocks);
  EXPECT_TRUE(pieces.finish().empty());
}

TEST_F(CheckpointFile, ForeignOnesAreNamed) {
  auto counter = interpreter_instance(test::counter(), {5});
  EXPECT_EQ(complaint(*counter),
            "error: the checkpoint `FOLDER/c` does not fit this run: it is of machine `drift`, not "
            "`counter`");
  auto larger = interpreter_instance(test::drift<double>(), {5, 4});
  EXPECT_EQ(complaint(*larger),
            "error: the checkpoint `FOLDER/c` does not fit this run: its grid has 5x3 cells, this "
            "one 5x4");
  auto single = interpreter_instance(test::drift<float>(), {5, 3});
  EXPECT_EQ(
      complaint(*single),
      "error: the checkpoint `FOLDER/c` does not fit this run: `u` is f64 in it, and f32 here");
  auto same = interpreter_instance(test::drift<double>(), {5, 3});
  EXPECT_EQ(complaint(*same, {"test", "strict", "interpreter", "", ""}),
            "error: the checkpoint `FOLDER/c` does not fit this run: it was computed with numbers "
            "`fma`, not `strict`");
  auto changed = test::drift<double>();
  changed.statics[0].boundary[0] = {om::Outflow{}, om::Outflow{}};
  auto other = interpreter_instance(changed, {5, 3});
  const auto text = complaint(*other);
  EXPECT_EQ(text.rfind("error: the checkpoint `FOLDER/c` does not fit this run: it is of another "
                       "program named `drift` (hash ",
                       0),
            0u)
      << text;
}

TEST_F(CheckpointFile, OtherChoicesAreNamed) {
  const std::vector<Option> options{{"limiter", "", {{"minmod"}, {"mc"}}},
                                    {"order", "", {{"2"}, {"4"}}}};
  const auto with = [&](const std::vector<std::string>& assignments) {
    Record record = kRecord;
    record.choices = choose("drift", options, "bump", assignments);
    return record;
  };
  auto fresh = interpreter_instance(test::drift<double>(), {5, 3});
  // That of an older version tells nothing of choices, as little as a program from a file.
  EXPECT_EQ(read_checkpoint(path, *fresh, with({"order=4"})).step, 4);
  write_checkpoint(path, *instance, 4, with({"order=4"}));
  EXPECT_NE(read_file(path).find(R"("choices":{"limiter":"minmod","order":"4"})"),
            std::string::npos);
  EXPECT_EQ(read_checkpoint(path, *fresh, with({"order=4"})).step, 4);
  EXPECT_EQ(complaint(*fresh, with({})),
            "error: the checkpoint `FOLDER/c` does not fit this run: it was made with `--choose "
            "order=4`, not `2`");
  EXPECT_EQ(complaint(*fresh, with({"limiter=mc", "order=4"})),
            "error: the checkpoint `FOLDER/c` does not fit this run: it was made with `--choose "
            "limiter=minmod`, not `mc`");
}

TEST_F(CheckpointFile, WhatIsNoneIsNamed) {
  write_file(path, "some other file, which is long enough");
  EXPECT_EQ(complaint(), "error: `FOLDER/c` is not a checkpoint of Paraiso");
  std::filesystem::remove(path);
  EXPECT_EQ(complaint(), "error: can't read the checkpoint `FOLDER/c`: there is no such file");
  std::filesystem::create_directory(path);
  EXPECT_EQ(complaint(), "error: can't read the checkpoint `FOLDER/c`: it is no file");
}

TEST_F(CheckpointFile, AFullDiskLeavesTheOldOneLoadable) {
  for (int i = 0; i < 3; ++i) instance->run("proceed");
  // At whatever byte the disk is full.
  const rlim_t whole = std::filesystem::file_size(path);
  for (rlim_t bytes : {rlim_t{0}, rlim_t{10}, whole / 2, whole - 33, whole - 1}) {
    std::string text;
    {
      FileSizeLimit limit(bytes);
      text = error_text([&] { write_checkpoint(path, *instance, 7, kRecord); });
    }
    EXPECT_EQ(folder.shown(text),
              "error: can't write `FOLDER/c`: it would exceed the file size limit (`ulimit -f`)");
    EXPECT_EQ(folder.file_count(), 1);
    auto other = interpreter_instance(test::drift<double>(), {5, 3});
    EXPECT_EQ(read_checkpoint(path, *other, kRecord).step, 4);
  }
}

}  // namespace
}  // namespace paraiso::runtime
