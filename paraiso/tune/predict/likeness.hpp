// likeness: how much alike two running instances are. Gives: group_of, logarithm, difference,
// kMostDifferent, distance, likeness, kAlike, kNeighbours. Needs: features.
//
// A number differs by |log2| of the ratio (of one more than it, so that 0 is a number like others;
// of a time or a part of a cache, of 0.01 more), four at most; words differ by 1. Each group of
// features counts alike: by the root of its mean square. So the distance is 1 where all features
// differ by a factor of two. It needs no fit, which a database of few programs could not give, and
// is the same in both directions.
#pragma once

#include "paraiso/tune/predict/features.hpp"

namespace paraiso::tune {

/// `algorithm` of `algorithm.bytes`.
[[nodiscard]] std::string group_of(const std::string& name);

/// Of a value of the number with this name: what is compared.
[[nodiscard]] double logarithm(const std::string& name, double value);

inline constexpr int kMostDifferent = 4;
/// Of two values of the number with this name: 0 to 4, in factors of two.
[[nodiscard]] double difference(const std::string& name, double one, double other);

/// Infinite for different back ends: their options mean other things.
[[nodiscard]] double distance(const Features& one, const Features& other);

/// 1 for equal features, 1/2 at a distance of 1, ...
[[nodiscard]] double likeness(double distance);

/// Less like it, an instance says nothing.
inline constexpr double kAlike = 0.5;
/// How many of the closest are asked: five, as in FAST (2015).
inline constexpr std::size_t kNeighbours = 5;

}  // namespace paraiso::tune
