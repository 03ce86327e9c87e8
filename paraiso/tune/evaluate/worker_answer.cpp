#include "paraiso/tune/evaluate/worker_answer.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <signal.h>
#include <string.h>

#include <nlohmann/json.hpp>

#include "paraiso/base/text.hpp"
#include "paraiso/runtime/system/file.hpp"

namespace paraiso::tune {

namespace {

using Json = nlohmann::ordered_json;

std::string first_line(const std::string& text) {
  const std::string line = split(text, '\n')[0];
  return line.empty() ? "nothing" : shown(line);
}

}  // namespace

std::optional<Json> worker_answer(const runtime::ProgramResult& result,
                                  const std::filesystem::path& file) {
  if (result.status == kCannotAnswer) runtime::fail_to_write(file, ENOSPC);
  if (result.status != 0 || !std::filesystem::exists(file)) return std::nullopt;
  Json answer = Json::parse(runtime::read_file(file), nullptr, /*allow_exceptions=*/false);
  const auto why = answer.is_object() ? answer.find("cannot_write") : answer.end();
  if (why != answer.end() && why->is_string()) throw runtime::CannotWrite(why->get<std::string>());
  return answer;
}

std::string why_it_ended(const runtime::ProgramResult& result, double seconds,
                         double check_seconds) {
  if (!result.exceeded.empty()) return "it used " + result.exceeded;
  if (result.timed_out) return fmt::format("it took more than {} seconds", seconds);
  if (result.status == 128 + SIGALRM)
    return fmt::format("checking it took more than {} seconds", check_seconds);
  if (result.status > 128)
    return fmt::format("it was ended by signal {} ({})", result.status - 128,
                       strsignal(result.status - 128));
  return fmt::format("its worker ended with status {} and said {}", result.status,
                     first_line(result.output));
}

}  // namespace paraiso::tune
