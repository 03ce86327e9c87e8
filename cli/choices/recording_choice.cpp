#include "cli/choices/recording_choice.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "paraiso/runtime/system/file.hpp"

namespace paraiso::cli {

namespace {

constexpr auto kWaitForRecording = std::chrono::minutes(1);

bool is_database(const std::string& file) {
  std::string start(15, ' ');
  return std::ifstream(file, std::ios::binary).read(start.data(), 15) && start == "SQLite format 3";
}

std::int64_t choose_problem(tune::Database& database, const std::string& file,
                            std::int64_t wanted) {
  std::int64_t chosen = 0, most = 0;
  std::vector<std::string> known;
  for (const auto& [id, count] : database.counts()) {
    known.push_back(std::to_string(id));
    if (id == wanted && count == 0)
      throw Error(fmt::format("problem {} of `{}` has no individuals", id, file));
    if (id == wanted) return id;
    if (count > most) most = count, chosen = id;
  }
  if (wanted != 0)
    throw WrongCall(
        fmt::format("`{}` has no problem {}: it has {}", file, wanted, list_text(known)));
  if (chosen == 0) throw Error(fmt::format("`{}` has no individuals", file));
  return chosen;
}

/// A text without the mark of recordings, with a hint if it may be a file of Kernel Tuner.
[[noreturn]] void refuse_foreign(const std::string& file, const std::string& text) {
  if (text.empty())
    throw Error(
        fmt::format("`{}` is empty: it is neither a tuning database nor a recording", file));
  const Error error(fmt::format("`{}` is neither a tuning database nor a recording", file));
  const bool packed_or_json = text.starts_with("\x1f\x8b") || text.starts_with('{');
  throw packed_or_json
      ? error.with_hint("`replay FILE --import` reads the cache and T4 files of Kernel Tuner")
      : error;
}

}  // namespace

tune::ReportRun read_recorded(const std::string& file, std::int64_t problem, bool predict) {
  const std::string name = std::filesystem::path(file).filename().string();
  if (is_database(file)) {
    tune::Database database(file, kWaitForRecording, tune::Access::read);
    const auto chosen = choose_problem(database, file, problem);
    tune::ReportRun run = tune::read_run(database, chosen, name);
    if (predict) run.prediction = tune::prediction_beside_search(database, chosen, run.recording);
    return run;
  }
  const std::string text = runtime::read_file(file);
  if (text.substr(0, text.find('\n')).find("\"paraiso_recording\"") == std::string::npos)
    refuse_foreign(file, text);
  if (problem != 0)
    throw WrongCall(
        fmt::format("`--problem` is for a tuning database, and `{}` is a recording", file));
  tune::ReportRun run{name, tune::parse_recording(text, file), {}, {}, {}};
  if (run.recording.entries.empty()) throw Error(fmt::format("`{}` has no individuals", file));
  return run;
}

tune::Recording read_complete(const std::string& file, std::int64_t problem) {
  if (!is_database(file)) return tune::complete(read_recorded(file, problem).recording);
  tune::Database database(file, kWaitForRecording, tune::Access::read);
  return tune::record_complete(database, choose_problem(database, file, problem));
}

}  // namespace paraiso::cli
