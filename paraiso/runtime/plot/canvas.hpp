// Canvas: a picture in memory: rectangles, curves and text, written as a PNG.
// Gives: Canvas, Point, Anchor, text_width. Needs: FreeType with a font, libpng.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "paraiso/runtime/plot/colour.hpp"

namespace paraiso::runtime {

struct Point {
  double x = 0, y = 0;  // pixels, from the upper left corner
};
enum class Anchor { left, middle, right };

class Canvas {
 public:
  Canvas(int width, int height, Colour background);

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] Colour at(int x, int y) const { return pixels_[index(x, y)]; }
  // Pixels outside the picture are ignored.
  void set(int x, int y, Colour colour);
  void fill(int x, int y, int width, int height, Colour colour);
  /// The one-pixel line around a rectangle, outside it.
  void frame(int x, int y, int width, int height, Colour colour);
  void curve(const std::vector<Point>& points, double thickness, Colour colour);
  /// ASCII text of `size` pixels whose baseline is at `y`.
  void text(int x, int y, std::string_view text, int size, Colour colour,
            Anchor anchor = Anchor::left);

  /// The bytes of a PNG file; `notes` are pairs of keyword and text, as the PNG standard defines
  /// them.
  [[nodiscard]] std::string png(
      const std::vector<std::pair<std::string, std::string>>& notes = {}) const;

 private:
  [[nodiscard]] std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }
  void blend(int x, int y, Colour colour, double coverage);

  int width_, height_;
  std::vector<Colour> pixels_;
};

/// The width of ASCII text of `size` pixels.
[[nodiscard]] int text_width(std::string_view text, int size);

}  // namespace paraiso::runtime
