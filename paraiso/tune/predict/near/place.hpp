// place: features as a row of numbers between which distances are quickly found, so that the
// closest of 100,000 problems are known before any of their descriptions is read. Gives: place_of,
// PlaceAxes, axes_from, comparable, PlaceDistance. Needs: features, database.
//
// A place has the logarithms that likeness.hpp compares, as floats. What they are of, its axes, is
// a text that many places share: the names of the numbers, and the words.
#pragma once

#include <map>
#include <span>

#include "paraiso/tune/database/database.hpp"
#include "paraiso/tune/predict/features.hpp"

namespace paraiso::tune {

/// `on_ranks` says whether the grid is divided among ranks.
[[nodiscard]] Place place_of(const Features& features, bool on_ranks);

/// What the numbers of places are of.
struct PlaceAxes {
  bool on_ranks = false;
  std::vector<std::string> numbers;          // names
  std::map<std::string, std::string> words;  // which are the same for all of these places
};
/// Throws Json::exception for what are no axes.
[[nodiscard]] PlaceAxes axes_from(const std::string& text);

/// Whether options mean the same there: the back ends are equal.
[[nodiscard]] bool comparable(const Features& features, const PlaceAxes& axes);

/// How far places are from one instance, for all places that share their axes.
class PlaceDistance {
 public:
  PlaceDistance(const Features& from, const PlaceAxes& axes);

  /// As `distance` of the features, but for rounding: 1e-4 at most. `numbers` of any other length
  /// are infinitely far, as are other back ends.
  [[nodiscard]] float operator()(std::span<const float> numbers) const;

 private:
  struct Group {
    std::size_t begin = 0, end = 0;  // of the numbers
    float squares = 0, count = 0;    // of what is the same for all places, and of all
  };
  bool comparable_ = false;
  std::vector<float> from_;  // by the axes
  std::vector<Group> groups_;
};

}  // namespace paraiso::tune
