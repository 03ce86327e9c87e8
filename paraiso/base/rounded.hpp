// Numbers as measurements have them. Gives: rounded. Needs: nothing.
#pragma once

#include <charconv>

namespace paraiso {

/// The number that `value` is with so many significant digits, 17 at most; itself where that is no
/// finite number.
inline double rounded(double value, int digits) {
  char text[32];
  const auto written =
      std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits);
  double number = value;
  std::from_chars(text, written.ptr, number);
  return number;
}

}  // namespace paraiso
