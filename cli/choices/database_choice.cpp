#include "cli/choices/database_choice.hpp"

#include <fmt/format.h>

#include "cli/call/session.hpp"
#include "paraiso/runtime/system/host.hpp"
#include "paraiso/runtime/system/user_folder.hpp"
#include "paraiso/tune/database/database.hpp"

namespace paraiso::cli {

std::filesystem::path database_path(const std::string& asked) {
  if (!asked.empty()) return asked;
  if (const std::string file = runtime::environment("PARAISO_DATABASE"); !file.empty()) return file;
  const auto data =
      runtime::user_folder("XDG_DATA_HOME", std::filesystem::path(".local") / "share");
  if (!data) throw WrongCall("`--database FILE` is needed where there is no $HOME");
  return *data / "paraiso" / "tuning.sqlite";
}

tune::Predicted prediction_from(const std::filesystem::path& database,
                                const std::function<tune::Untuned()>& program) {
  try {
    std::error_code ignored;
    if (!std::filesystem::exists(database, ignored)) return tune::no_prediction({});
    tune::Database file(database, kWaitForTuner, tune::Access::read);
    if (file.described_count() == 0) return tune::no_prediction({});
    const tune::Untuned untuned = program();
    return tune::predict_schedule(untuned,
                                  tune::nearest_known(file, untuned.features, untuned.on_ranks));
  } catch (const Error& error) {
    tune::Predicted none;
    none.why_not = fmt::format("what was tuned can't be read: {}", error.diagnostics()[0].message);
    return none;
  }
}

}  // namespace paraiso::cli
