#include "paraiso/runtime/output/checkpoint.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/runtime/output/seal.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/memory.hpp"

namespace paraiso::runtime {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kMagic = "paraiso checkpoint ";  // a digit, the format, and `\n` follow
constexpr int kFormat = 2;
constexpr std::size_t kFirstLine = kMagic.size() + 2;
constexpr std::size_t kSealBytes = sizeof(Digest::Bytes);
constexpr std::uint64_t kLongestHeader = 16 << 20;

Json describe(const Instance& instance, std::int64_t step, const Record& record) {
  const auto& machine = instance.machine();
  Json header;
  header["version"] = kVersion;
  header["machine"] = machine.name;
  header["choices"] = Json::object();
  for (const Choice& choice : record.choices.all()) header["choices"][choice.option] = choice.value;
  if (!record.problem.empty()) header["problem"] = record.problem;
  header["program"] = program_hash(machine, record);
  header["numbers"] = record.numbers;
  header["size"] = instance.size();
  header["step"] = step;
  for (const auto& s : machine.statics)
    header["statics"].push_back({s.name, om::name(s.type.realm), om::name(s.type.element)});
  header["bytes"] = static_cast<std::uint64_t>(state_bytes(machine, instance.size()));
  return header;
}

/// Calls `visit(data, bytes)` for the bytes of every static, in order; Globals that it changes are
/// set, fields if `changes`.
template <bool changes, class F>
void for_each_piece(Instance& instance, F&& visit) {
  const auto& statics = instance.machine().statics;
  for (std::size_t i = 0; i < statics.size(); ++i) {
    const om::StaticId id(i);
    if (statics[i].type.is_local()) {
      if constexpr (changes)
        change_rows(instance, id, visit);
      else
        for_each_row(instance, id, visit);
      continue;
    }
    om::with_element(statics[i].type.element, [&](auto t) {
      const auto before = instance.scalar(id);
      t = before.as<decltype(t)>();
      visit(reinterpret_cast<char*>(&t), sizeof t);
      if (om::Constant(t) != before) instance.set_scalar(id, om::Constant(t));
    });
  }
}

/// A checkpoint open for reading, its header parsed and its length checked.
class Reading {
 public:
  explicit Reading(const std::filesystem::path& path) : path_(path) {
    const auto fail = [&](const std::string& why) {
      return Error("can't read the checkpoint `" + path.string() + "`: " + why);
    };
    if (const std::string why = why_no_file(path); !why.empty()) throw fail(why);
    file_.open(path, std::ios::binary);
    if (!file_) throw fail(std::strerror(errno));
    length_ = std::filesystem::file_size(path);
    read_header();
  }

  [[nodiscard]] const Json& header() const { return header_; }

  void check_seal() {
    std::string head(data_start_, ' ');
    file_.seekg(0);
    read(head.data(), head.size());
    const auto found = format_ == 1 ? digest_of_all(head) : seal(head);
    Digest::Bytes written;
    read(written.data(), written.size());
    if (written != found) throw damaged("its bytes do not match their checksum");
  }

  void load(Instance& instance) {
    file_.seekg(static_cast<std::streamoff>(data_start_));
    for_each_piece<true>(instance, [&](char* data, std::size_t bytes) { read(data, bytes); });
  }

  [[nodiscard]] Error damaged(const std::string& why) const {
    return Error(fmt::format("the checkpoint `{}` is damaged: {}", path_.string(), why));
  }
  [[nodiscard]] Error foreign(const std::string& why) const {
    return Error(fmt::format("the checkpoint `{}` does not fit this run: {}", path_.string(), why));
  }

 private:
  void read(void* data, std::uint64_t bytes) {
    if (!file_.read(static_cast<char*>(data), static_cast<std::streamsize>(bytes)))
      throw damaged("it can't be read to its end");
  }

  /// Calls `visit(data, bytes)` for the data, in order.
  template <class F>
  void each_block(F&& visit) {
    std::vector<char> buffer(kSealBlock);
    for (auto left = length_ - kSealBytes - data_start_; left > 0;) {
      const auto count = std::min<std::uint64_t>(left, buffer.size());
      read(buffer.data(), count);
      visit(buffer.data(), count);
      left -= count;
    }
  }

  Digest::Bytes seal(const std::string& head) {
    BlockDigests blocks;
    each_block([&](const char* data, std::size_t bytes) { blocks.add(data, bytes); });
    return seal_of(head, blocks.finish());
  }

  /// What ends a file of format 1.
  Digest::Bytes digest_of_all(const std::string& head) {
    Digest digest;
    digest.add(head);
    each_block([&](const char* data, std::size_t bytes) { digest.add(data, bytes); });
    return digest.finish();
  }

  [[nodiscard]] Error cut(std::uint64_t expected) const {
    return damaged(fmt::format("it is cut, {} of at least {} bytes are there", length_, expected));
  }

  void read_header() {
    read_format();
    const auto bytes = header_length();
    std::string text(bytes, ' ');
    data_start_ = static_cast<std::uint64_t>(file_.tellg()) + bytes;
    if (data_start_ > length_) throw cut(data_start_);
    read(text.data(), bytes);
    header_ = Json::parse(text, nullptr, false);
    check_length();
  }

  void read_format() {
    std::string line(kFirstLine, ' ');
    if (length_ < line.size()) throw not_ours();
    read(line.data(), line.size());
    format_ = line[kMagic.size()] - '0';
    if (!line.starts_with(kMagic) || line.back() != '\n' || format_ < 1 || format_ > 9)
      throw not_ours();
    if (format_ > kFormat)
      throw Error(
          fmt::format("the checkpoint `{}` is of format {}, and this version of Paraiso "
                      "reads those up to {}",
                      path_.string(), format_, kFormat));
  }

  [[nodiscard]] Error not_ours() const {
    return Error(fmt::format("`{}` is not a checkpoint of Paraiso", path_.string()));
  }

  std::uint64_t header_length() {
    std::string line;
    std::uint64_t bytes = 0;
    if (length_ < kFirstLine + 9) throw cut(kFirstLine + 9);
    std::getline(file_, line);
    const auto end = line.data() + line.size();
    const auto [stop, error] = std::from_chars(line.data(), end, bytes);
    if (error != std::errc{} || stop != end || bytes > kLongestHeader)
      throw damaged("its header has no length");
    return bytes;
  }

  void check_length() {
    const bool complete =
        header_.is_object() && header_.contains("bytes") && header_["bytes"].is_number_unsigned();
    if (!complete) throw damaged("its header can't be read");
    const auto expected = data_start_ + header_["bytes"].get<std::uint64_t>() + kSealBytes;
    if (length_ < expected)
      throw damaged(fmt::format("it is cut, {} of {} bytes are there", length_, expected));
    if (length_ > expected)
      throw damaged(fmt::format("it has {} bytes, {} were written", length_, expected));
  }

  std::filesystem::path path_;
  std::ifstream file_;
  std::uint64_t length_ = 0, data_start_ = 0;
  int format_ = kFormat;
  Json header_;
};

/// Element types that differ between the file and the machine: "`density` is f32 there and f64
/// here".
std::string other_elements(const Json& found, const Json& wanted) {
  if (found.size() != wanted.size()) return {};
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i].at(0) == wanted[i][0] && found[i].at(2) != wanted[i][2])
      return fmt::format("`{}` is {} in it, and {} here", found[i][0].get<std::string>(),
                         found[i][2].get<std::string>(), wanted[i][2].get<std::string>());
  return {};
}

/// The first option that was chosen differently: "it was made with `limiter=mc`, not `minmod`".
/// Checkpoints of older versions record no choices, and a program from a file has none.
std::string other_choices(const Json& found, const Json& wanted) {
  if (!found.contains("choices")) return {};
  for (const auto& [option, value] : wanted.at("choices").items()) {
    const Json& choices = found.at("choices");
    if (choices.contains(option) && choices.at(option) != value)
      return fmt::format("it was made with `--choose {}={}`, not `{}`", option,
                         choices.at(option).get<std::string>(), value.get<std::string>());
  }
  return {};
}

/// Why a checkpoint described by `found` can't be loaded by the run that `wanted` describes; "" if
/// it can.
std::string mismatch(const Json& found, const Json& wanted) {
  auto text = [](const Json& header, const char* key) { return header.at(key).get<std::string>(); };
  auto size = [](const Json& header) {
    return size_text(header.at("size").get<std::vector<std::int64_t>>());
  };
  if (found.at("machine") != wanted.at("machine"))
    return fmt::format("it is of machine `{}`, not `{}`", text(found, "machine"),
                       text(wanted, "machine"));
  if (auto other = other_choices(found, wanted); !other.empty()) return other;
  if (auto other = other_elements(found.at("statics"), wanted.at("statics")); !other.empty())
    return other;
  if (found.at("size") != wanted.at("size"))
    return fmt::format("its grid has {} cells, this one {}", size(found), size(wanted));
  if (found.at("numbers") != wanted.at("numbers"))
    return fmt::format("it was computed with numbers `{}`, not `{}`", text(found, "numbers"),
                       text(wanted, "numbers"));
  if (found.at("program") == wanted.at("program")) return {};
  if (found.contains("problem") && wanted.contains("problem") &&
      found.at("problem") != wanted.at("problem"))
    return fmt::format("it was made with `--problem {}`, not `{}`", text(found, "problem"),
                       text(wanted, "problem"));
  return fmt::format("it is of another program named `{}` (hash {}, here {})",
                     text(found, "machine"), text(found, "program"), text(wanted, "program"));
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, Instance& instance, std::int64_t step,
                      const Record& record) {
  // A path in it may hold bytes that are no UTF-8.
  const auto header =
      describe(instance, step, record).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  const auto head = fmt::format("{}{}\n{:08}\n{}", kMagic, kFormat, header.size(), header);
  AtomicFile file(path);
  file.write(head);
  BlockDigests blocks;
  for_each_piece<false>(instance, [&](char* data, std::size_t bytes) {
    blocks.add(data, bytes);
    file.write(data, bytes);
  });
  const auto seal = seal_of(head, blocks.finish());
  file.write(seal.data(), seal.size());
  file.commit();
}

Checkpoint read_checkpoint(const std::filesystem::path& path, Instance& instance,
                           const Record& record) {
  Reading reading(path);
  reading.check_seal();
  try {
    const auto step = reading.header().at("step").get<std::int64_t>();
    if (step < 0) throw reading.damaged("its step is negative");
    const auto why = mismatch(reading.header(), describe(instance, step, record));
    if (!why.empty()) throw reading.foreign(why);
    reading.load(instance);
    return {step};
  } catch (const nlohmann::json::exception&) {
    throw reading.damaged("its header is incomplete");
  }
}

std::vector<std::int64_t> checkpoint_size(const std::filesystem::path& path) {
  Reading reading(path);
  try {
    return reading.header().at("size").get<std::vector<std::int64_t>>();
  } catch (const nlohmann::json::exception&) {
    throw reading.damaged("its header is incomplete");
  }
}

}  // namespace paraiso::runtime
