// OneByOne: measures the first few individuals one after the other, so that none is begun that the
// one before has made needless. Gives: OneByOne. Needs: tuner.
#pragma once

#include <algorithm>

#include "paraiso/tune/tuner.hpp"

namespace paraiso::tune {

class OneByOne final : public Evaluator {
 public:
  /// The first `count`; those after them as `evaluator` does, which outlives it.
  OneByOne(Evaluator& evaluator, std::size_t count) : evaluator_(evaluator), left_(count) {}

  [[nodiscard]] std::size_t capacity() const override {
    return left_ > 0 ? std::min<std::size_t>(1, evaluator_.capacity()) : evaluator_.capacity();
  }
  void start(std::size_t ticket, const plan::Genome& genome) override {
    evaluator_.start(ticket, genome);
  }
  [[nodiscard]] Finished wait() override {
    if (left_ > 0) --left_;
    return evaluator_.wait();
  }

 private:
  Evaluator& evaluator_;
  std::size_t left_;
};

}  // namespace paraiso::tune
