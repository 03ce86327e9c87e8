// Carrier: an interconnect, or one direction of it, whose messages have equal shares of it.
// Gives: Carrier. Needs: nothing.
//
// All its messages advance alike: by so many bytes each since the carrier was last idle. Each ends
// when that has reached the mark that was set when it came. So what comes or ends changes one
// number, and not the rest of every message.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <vector>

namespace paraiso::hardware {

class Carrier {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  /// One of a message's passages through interconnects.
  struct Passage {
    std::uint32_t message = 0, hop = 0;
  };

  void add(double now, double bytes, double seconds_per_byte, Passage what) {
    seconds_per_byte_ = seconds_per_byte;
    if (marks_.empty())
      advanced_ = 0;
    else
      advanced_ += (now - since_) / (seconds_per_byte_ * count());
    since_ = now;
    marks_.push({advanced_ + bytes, order_++, what});
  }

  /// When the next of its messages has gone through, if none comes before.
  [[nodiscard]] double next_end() const {
    if (marks_.empty()) return kNever;
    return since_ + (marks_.top().at - advanced_) * count() * seconds_per_byte_;
  }

  /// At that time: which it is.
  Passage take() {
    const Mark first = marks_.top();
    since_ = next_end();
    advanced_ = first.at;
    marks_.pop();
    return first.what;
  }

  /// When it is looked at next; a look too early does no harm.
  double look = kNever;

 private:
  struct Mark {
    double at;
    std::uint64_t order;  // of equal ones
    Passage what;
    friend bool operator>(const Mark& x, const Mark& y) {
      return x.at != y.at ? x.at > y.at : x.order > y.order;
    }
  };
  [[nodiscard]] double count() const { return static_cast<double>(marks_.size()); }

  double seconds_per_byte_ = 0, advanced_ = 0, since_ = 0;
  std::uint64_t order_ = 0;
  std::priority_queue<Mark, std::vector<Mark>, std::greater<>> marks_;
};

}  // namespace paraiso::hardware
