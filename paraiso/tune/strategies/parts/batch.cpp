#include "paraiso/tune/strategies/parts/batch.hpp"

#include <fmt/format.h>

namespace paraiso::tune {

std::size_t BatchStrategy::patience() const { return 1000 + history().size(); }

bool BatchStrategy::answered() {
  answers_.clear();
  for (const Birth& birth : batch_) {
    const auto individual = history().find(birth.genome);
    if (!individual) return false;
    answers_.push_back(*individual);
  }
  return true;
}

std::optional<Birth> BatchStrategy::ask() {
  for (std::size_t attempt = 0; attempt < patience(); ++attempt) {
    for (const Birth& birth : batch_)
      if (!history().known(birth.genome)) return birth;
    if (!answered()) return std::nullopt;
    batch_ = next(answers_);
    if (batch_.empty()) return std::nullopt;
  }
  return std::nullopt;
}

std::string BatchStrategy::ending() const {
  return fmt::format("{} steps in a row led to known schedules only", patience());
}

}  // namespace paraiso::tune
