#include "paraiso/runtime/plot/canvas.hpp"

#include <algorithm>
#include <cmath>

#include "paraiso/runtime/plot/font.hpp"

namespace paraiso::runtime {
namespace {

double distance(Point p, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
  double t = length > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length : 0;
  t = std::clamp(t, 0.0, 1.0);
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

}  // namespace

Canvas::Canvas(int width, int height, Colour background)
    : width_(width),
      height_(height),
      pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), background) {}

void Canvas::set(int x, int y, Colour colour) {
  if (x >= 0 && x < width_ && y >= 0 && y < height_) pixels_[index(x, y)] = colour;
}

void Canvas::blend(int x, int y, Colour colour, double coverage) {
  if (x < 0 || x >= width_ || y < 0 || y >= height_) return;
  auto mix = [&](std::uint8_t below, std::uint8_t above) {
    return static_cast<std::uint8_t>(std::lround(below + coverage * (above - below)));
  };
  const Colour below = at(x, y);
  set(x, y,
      {mix(below.red, colour.red), mix(below.green, colour.green), mix(below.blue, colour.blue)});
}

void Canvas::fill(int x, int y, int width, int height, Colour colour) {
  for (int j = y; j < y + height; ++j)
    for (int i = x; i < x + width; ++i) set(i, j, colour);
}

void Canvas::frame(int x, int y, int width, int height, Colour colour) {
  fill(x - 1, y - 1, width + 2, 1, colour);
  fill(x - 1, y + height, width + 2, 1, colour);
  fill(x - 1, y, 1, height, colour);
  fill(x + width, y, 1, height, colour);
}

// Coverage is collected for the whole curve before blending, so that pieces that overlap do not
// count twice.
void Canvas::curve(const std::vector<Point>& points, double thickness, Colour colour) {
  std::vector<float> coverage(pixels_.size(), 0);
  const double reach = thickness / 2 + 1;
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    const Point a = points[k], b = points[k + 1];
    const int left = std::max(0, static_cast<int>(std::min(a.x, b.x) - reach));
    const int right = std::min(width_ - 1, static_cast<int>(std::max(a.x, b.x) + reach));
    const int top = std::max(0, static_cast<int>(std::min(a.y, b.y) - reach));
    const int bottom = std::min(height_ - 1, static_cast<int>(std::max(a.y, b.y) + reach));
    for (int y = top; y <= bottom; ++y)
      for (int x = left; x <= right; ++x) {
        const double away = distance({x + 0.5, y + 0.5}, a, b);
        const auto here = static_cast<float>(std::clamp(thickness / 2 + 0.5 - away, 0.0, 1.0));
        coverage[index(x, y)] = std::max(coverage[index(x, y)], here);
      }
  }
  for (int y = 0; y < height_; ++y)
    for (int x = 0; x < width_; ++x)
      if (coverage[index(x, y)] > 0)
        blend(x, y, colour, static_cast<double>(coverage[index(x, y)]));
}

void Canvas::text(int x, int y, std::string_view text, int size, Colour colour, Anchor anchor) {
  if (anchor != Anchor::left) x -= text_width(text, size) / (anchor == Anchor::middle ? 2 : 1);
  for (const auto& glyph : layout(text, size))
    for (int j = 0; j < glyph.height; ++j)
      for (int i = 0; i < glyph.width; ++i)
        blend(x + glyph.left + i, y - glyph.top + j, colour,
              glyph.coverage[static_cast<std::size_t>(j * glyph.width + i)] / 255.0);
}

int text_width(std::string_view text, int size) {
  const auto glyphs = layout(text, size);
  return glyphs.empty() ? 0 : glyphs.back().left + glyphs.back().width;
}

}  // namespace paraiso::runtime
