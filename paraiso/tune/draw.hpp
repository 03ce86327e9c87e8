// DrawIndex: draws individuals by score and temperature without looking at all of them.
// Gives: DrawIndex. Needs: an Rng.
//
// At temperature T an individual is drawn with a probability proportional to
//
//     exp(-(mu_top - mu) / (T + sigma_top + sigma))
//
// where mu and sigma are its score and deviation, and `top` is the individual with the highest
// score. This is equation 12 of the 2012 paper with the sign that its text requires: a low
// temperature prefers high scores, a high one hardly does, and differences within the deviations
// count for little.
//
// Individuals lie in runs of 1, 2, 4, ... entries, each sorted by score; two of one length are
// merged into the next, as in a binary counter. Over each run stands a binary tree; a node bounds
// its part's weight by its count, best score and largest deviation. A draw descends from the roots
// by these bounds, and is rejected with the probability by which a bound exceeds the sum of its
// children's; each descent leaves tighter bounds for the next. Accepted draws have exactly the
// probabilities above, however loose the bounds are. Adding (on average) and drawing take
// logarithmic time.
#pragma once

#include <cstdint>
#include <vector>

#include "paraiso/base/rng.hpp"

namespace paraiso::tune {

class DrawIndex {
 public:
  void add(std::size_t individual, double score, double deviation);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] double top_score() const { return top_.score; }
  [[nodiscard]] double top_deviation() const { return top_.deviation; }

  /// One of at least one individuals; temperature > 0.
  [[nodiscard]] std::size_t draw(double temperature, Rng& rng) const;

 private:
  struct Entry {
    double score = 0, deviation = 0;
    std::size_t individual = 0;
  };
  /// Descending scores. `widest[n]` is the largest deviation below node n of a heap-ordered tree
  /// whose root is node 1 and whose leaf i, entry i, is node size + i.
  struct Run {
    std::vector<Entry> entries;  // a power of two of them
    std::vector<double> widest;
  };
  struct Part {
    std::size_t run = 0, node = 1;
    double weight = 0;  // bound of its sum; exact for a leaf
  };

  static Run merge(const Run& left, const Run& right);
  static void bound_deviations(Run& run);
  [[nodiscard]] Part part(std::size_t run, std::size_t node, double temperature) const;

  std::vector<Run> runs_;  // descending lengths
  Entry top_;
  std::size_t size_ = 0;
};

}  // namespace paraiso::tune
