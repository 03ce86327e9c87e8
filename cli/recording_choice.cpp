#include "cli/recording_choice.hpp"

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
  for (const auto& [id, problem] : database.problems()) {
    known.push_back(std::to_string(id));
    const auto count = database.count(id);
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
  tune::ReportRun run{name, tune::parse_recording(runtime::read_file(file), file), {}, {}, {}};
  if (run.recording.entries.empty()) throw Error(fmt::format("`{}` has no individuals", file));
  return run;
}

}  // namespace paraiso::cli
