#include "paraiso/tune/strategies/batch.hpp"

namespace paraiso::tune {

namespace {

// So many batches in a row without a new genome, and the strategy goes round in circles.
constexpr int kPatience = 1000;

}  // namespace

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
  for (int attempt = 0; attempt < kPatience; ++attempt) {
    for (const Birth& birth : batch_)
      if (!history().known(birth.genome)) return birth;
    if (!answered()) return std::nullopt;
    batch_ = next(answers_);
    if (batch_.empty()) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace paraiso::tune
