#include "paraiso/runtime/plot/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>

#include "paraiso/base/axis_name.hpp"
#include "paraiso/runtime/fields/parameters.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/runtime/plot/canvas.hpp"
#include "paraiso/runtime/plot/plot_axis.hpp"
#include "paraiso/runtime/system/file.hpp"

namespace paraiso::runtime {
namespace {

constexpr Colour kPaper{255, 255, 255}, kInk{38, 38, 48}, kFaint{112, 112, 124},
    kGrid{232, 232, 237}, kNotFinite{150, 150, 150};
constexpr int kTitleSize = 22, kTextSize = 14, kLeft = 86, kTop = 62, kBottom = 54, kBarGap = 26,
              kBarWidth = 20, kRight = 104, kTick = 5;

/// Two axes of a field; 1-D fields are one row.
struct Slice {
  std::int64_t width = 1, height = 1;  // cells
  om::Box cells;
  PlotRange x, y;                     // coordinates
  std::string x_name, y_name, place;  // place: ", z = 0.5" if it is one plane of many
};

/// The finite values among those seen.
class FiniteRange {
 public:
  void add(double v) {
    if (std::isfinite(v)) range_ = {std::min(range_.lower, v), std::max(range_.upper, v)};
  }
  /// From the least to the largest, moved apart if they are equal.
  [[nodiscard]] PlotRange range() const;

 private:
  PlotRange range_{INFINITY, -INFINITY};
};

PlotRange FiniteRange::range() const {
  const PlotRange range = range_;
  if (range.lower > range.upper) return {0, 1};
  if (range.width() > 0) return range;
  const double margin = range.lower == 0 ? 1 : std::abs(range.lower) * 0.01;
  return {range.lower - margin, range.upper + margin};
}

PlotRange coordinates(const Instance& instance, int axis) {
  const auto [lower, upper] = extent(instance, axis);
  return {lower, upper};
}

Slice slice_of(const Instance& instance) {
  const auto& size = instance.size();
  Slice slice;
  slice.width = size[0];
  slice.x = coordinates(instance, 0);
  slice.x_name = axis_name(0);
  if (size.size() > 1) {
    slice.height = size[1];
    slice.y = coordinates(instance, 1);
    slice.y_name = axis_name(1);
  }
  std::vector<std::int64_t> cell(size.size(), 0);
  for (std::size_t a = 2; a < size.size(); ++a) {
    cell[a] = size[a] / 2;
    const auto range = coordinates(instance, static_cast<int>(a));
    const double centre = (static_cast<double>(cell[a]) + 0.5) / static_cast<double>(size[a]);
    slice.place += fmt::format(", {} = {:.4g}", axis_name(static_cast<int>(a)),
                               range.lower + centre * range.width());
  }
  slice.cells = {cell, cell};
  for (std::size_t a = 0; a < size.size(); ++a)
    slice.cells.upper[a] = a < 2 ? size[a] : cell[a] + 1;
  return slice;
}

/// Calls visit(i, j, value) for all cells of a slice, row by row; of a divided field some are in
/// one place at a time.
template <class F>
void each_value(Instance& instance, om::StaticId id, const Slice& slice, F&& visit) {
  om::with_element(instance.machine().at(id).type.element, [&](auto t) {
    std::vector<char> bytes;
    for (const om::Box& slab : slabs_of({slice.width, slice.height}, sizeof t)) {
      om::Box box = slice.cells;
      for (std::size_t a = 0; a < std::min<std::size_t>(box.lower.size(), 2); ++a) {
        box.lower[a] = slab.lower[a];
        box.upper[a] = slab.upper[a];
      }
      bytes.resize(slab.cell_count() * sizeof t);
      instance.read(id, box, bytes.data());
      const char* next = bytes.data();
      slab.for_each([&](const om::Cell& cell) {
        std::memcpy(&t, next, sizeof t);
        next += sizeof t;
        visit(cell[0], cell[1], static_cast<double>(t));
      });
    }
  });
}

/// The cells of one axis, as one of so many pixels shows them: each cell by itself, or the mean of
/// those below a pixel where there are more of them.
class Bins {
 public:
  Bins(std::int64_t cells, int pixels) : cells_(cells), pixels_(pixels) {
    if (cells <= pixels) return;
    for (int pixel = 0; pixel < pixels; ++pixel)
      while (std::ssize(of_cell_) < (pixel + 1) * cells / pixels) of_cell_.push_back(pixel);
  }

  [[nodiscard]] std::int64_t count() const { return std::min<std::int64_t>(cells_, pixels_); }
  [[nodiscard]] std::int64_t of_cell(std::int64_t cell) const {
    return of_cell_.empty() ? cell : of_cell_[static_cast<std::size_t>(cell)];
  }
  [[nodiscard]] std::int64_t of_pixel(int pixel) const {
    return of_cell_.empty() ? (2 * pixel + 1) * cells_ / (2 * pixels_) : pixel;
  }

 private:
  std::int64_t cells_;
  int pixels_;
  std::vector<int> of_cell_;
};

/// What the pixels of a picture show.
class Means {
 public:
  Means(const Slice& slice, int width, int height)
      : x_(slice.width, width), y_(slice.height, height), height_(height) {
    sums_.resize(static_cast<std::size_t>(x_.count() * y_.count()));
    counts_.resize(sums_.size());
  }
  void add(std::int64_t i, std::int64_t j, double value) {
    const auto bin = static_cast<std::size_t>(y_.of_cell(j) * x_.count() + x_.of_cell(i));
    sums_[bin] += value;
    ++counts_[bin];
    range_.add(value);
  }
  [[nodiscard]] PlotRange range() const { return range_.range(); }
  /// NaN if any of the cells is not finite. The second axis points up.
  [[nodiscard]] double at(int x, int y) const {
    const auto bin =
        static_cast<std::size_t>(y_.of_pixel(height_ - 1 - y) * x_.count() + x_.of_pixel(x));
    return std::isfinite(sums_[bin]) ? sums_[bin] / static_cast<double>(counts_[bin]) : NAN;
  }

 private:
  Bins x_, y_;
  int height_;
  std::vector<double> sums_;
  std::vector<std::int64_t> counts_;
  FiniteRange range_;
};

/// Pixels of the picture: the domain's shape, at most 1:6, and a whole number of pixels per cell if
/// possible.
std::pair<int, int> picture_size(const Slice& slice, int pixels) {
  double aspect = slice.x.width() / slice.y.width();
  if (!(aspect > 0) || !std::isfinite(aspect)) aspect = 1;
  aspect = std::clamp(aspect, 1.0 / 6, 6.0);
  auto fit = [](double wanted, std::int64_t cells) {
    const auto a_cell = std::floor(wanted / static_cast<double>(cells));
    return static_cast<int>(a_cell >= 2 ? a_cell * static_cast<double>(cells) : wanted);
  };
  const double width = aspect >= 1 ? pixels : pixels * aspect;
  const double height = aspect >= 1 ? pixels / aspect : pixels;
  return {std::max(1, fit(width, slice.width)), std::max(1, fit(height, slice.height))};
}

void draw_title(Canvas& canvas, std::string_view field, const std::string& subtitle) {
  canvas.text(kLeft, 32, field, kTitleSize, kInk);
  canvas.text(kLeft, 52, subtitle, kTextSize, kFaint);
}

void draw_x_axis(Canvas& canvas, PlotRange range, const std::string& name, int width, int height) {
  const int bottom = kTop + height;
  for (double tick : ticks(range, std::max(2, width / 130))) {
    const int x = kLeft + static_cast<int>(std::lround(range.fraction(tick) * (width - 1)));
    canvas.fill(x, bottom + 1, 1, kTick, kInk);
    canvas.text(x, bottom + kTick + 16, number_text(tick, range), kTextSize, kInk, Anchor::middle);
  }
  canvas.text(kLeft + width / 2, bottom + 42, name, kTextSize, kFaint, Anchor::middle);
}

/// Marks left of a picture, or (`side` = +1) right of a colour bar at `x`.
void draw_y_axis(Canvas& canvas, PlotRange range, const std::vector<double>& marks, int x,
                 int height, int side) {
  for (double mark : marks) {
    const int y = kTop + static_cast<int>(std::lround((1 - range.fraction(mark)) * (height - 1)));
    canvas.fill(side < 0 ? x - 1 - kTick : x + 1, y, kTick, 1, kInk);
    canvas.text(x + side * (kTick + 5), y + 5, number_text(mark, range), kTextSize, kInk,
                side < 0 ? Anchor::right : Anchor::left);
  }
}

/// Marks at the ends, and those between them that have room for their text.
std::vector<double> bar_marks(PlotRange range, int height) {
  std::vector<double> marks{range.lower};
  const double gap = 22.0 / height;
  for (double tick : ticks(range, std::max(2, height / 90)))
    if (range.fraction(tick) > gap && range.fraction(tick) < 1 - gap) marks.push_back(tick);
  marks.push_back(range.upper);
  return marks;
}

void draw_bar(Canvas& canvas, PlotRange range, int x, int height) {
  for (int y = 0; y < height; ++y)
    canvas.fill(x, kTop + y, kBarWidth, 1, viridis(1 - y / std::max(1.0, height - 1.0)));
  canvas.frame(x, kTop, kBarWidth, height, kInk);
  draw_y_axis(canvas, range, bar_marks(range, height), x + kBarWidth, height, +1);
}

void draw_cells(Canvas& canvas, const Means& means, PlotRange range, int width, int height) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const double value = means.at(x, y);
      canvas.set(kLeft + x, kTop + y,
                 std::isnan(value) ? kNotFinite : viridis(range.fraction(value)));
    }
  canvas.frame(kLeft, kTop, width, height, kInk);
}

/// `range_of`: what is shown of the values' own range.
using RangeOf = std::function<PlotRange(PlotRange)>;

Canvas picture(Instance& instance, om::StaticId id, const Slice& slice, const RangeOf& range_of,
               int pixels) {
  const auto [width, height] = picture_size(slice, pixels);
  Means means(slice, width, height);
  each_value(instance, id, slice,
             [&](std::int64_t i, std::int64_t j, double value) { means.add(i, j, value); });
  const PlotRange range = range_of(means.range());
  Canvas canvas(kLeft + width + kBarGap + kBarWidth + kRight, kTop + height + kBottom, kPaper);
  draw_cells(canvas, means, range, width, height);
  draw_x_axis(canvas, slice.x, slice.x_name, width, height);
  draw_y_axis(canvas, slice.y, ticks(slice.y, std::max(2, height / 90)), kLeft, height, -1);
  canvas.text(22, kTop + height / 2, slice.y_name, kTextSize, kFaint, Anchor::middle);
  draw_bar(canvas, range, kLeft + width + kBarGap, height);
  return canvas;
}

/// A row as points of a curve: its cells; of more than 2^16 cells the least and the largest value
/// of each of 2^15 equal stretches. Cells that are not finite part the curve.
class Curve {
 public:
  struct Value {
    std::int64_t cell;
    double value;
  };

  explicit Curve(std::int64_t cells)
      : stretch_(cells <= 2 * kStretches ? 1 : (cells + kStretches - 1) / kStretches) {}
  /// Cell by cell.
  void add(std::int64_t cell, double value) {
    if (cell % stretch_ == 0) end_stretch();
    range_.add(value);
    if (!std::isfinite(value)) {
      end_stretch();
      if (!pieces_.back().empty()) pieces_.emplace_back();
      return;
    }
    if (!least_ || value < least_->value) least_ = {cell, value};
    if (!most_ || value > most_->value) most_ = {cell, value};
  }
  /// When all are there.
  [[nodiscard]] const std::vector<std::vector<Value>>& pieces() {
    end_stretch();
    return pieces_;
  }
  [[nodiscard]] PlotRange range() const { return range_.range(); }

 private:
  static constexpr std::int64_t kStretches = 1 << 15;

  void end_stretch() {
    if (!least_) return;
    Value first = *least_, second = *most_;
    if (first.cell > second.cell) std::swap(first, second);
    pieces_.back().push_back(first);
    if (second.cell != first.cell) pieces_.back().push_back(second);
    least_ = most_ = std::nullopt;
  }

  std::int64_t stretch_;
  std::vector<std::vector<Value>> pieces_ = std::vector<std::vector<Value>>(1);
  std::optional<Value> least_, most_;
  FiniteRange range_;
};

Canvas graph(Instance& instance, om::StaticId id, const Slice& slice, const RangeOf& range_of,
             int pixels) {
  Curve curve(slice.width);
  each_value(instance, id, slice,
             [&](std::int64_t i, std::int64_t, double value) { curve.add(i, value); });
  const PlotRange range = range_of(curve.range());
  const int width = pixels, height = pixels / 2;
  Canvas canvas(kLeft + width + 40, kTop + height + kBottom, kPaper);
  const PlotRange shown{range.lower - 0.05 * range.width(), range.upper + 0.05 * range.width()};
  const auto marks = ticks(shown, std::max(2, height / 90));
  for (double mark : marks)
    canvas.fill(kLeft,
                kTop + static_cast<int>(std::lround((1 - shown.fraction(mark)) * (height - 1))),
                width, 1, kGrid);
  canvas.frame(kLeft, kTop, width, height, kInk);
  draw_x_axis(canvas, slice.x, slice.x_name, width, height);
  draw_y_axis(canvas, shown, marks, kLeft, height, -1);
  for (const auto& piece : curve.pieces()) {
    std::vector<Point> points;
    for (const auto& [cell, value] : piece) {
      const double x = (static_cast<double>(cell) + 0.5) / static_cast<double>(slice.width);
      points.push_back({kLeft + x * width, kTop + (1 - shown.fraction(value)) * height});
    }
    canvas.curve(points, 2, viridis(0.3));
  }
  return canvas;
}

std::string subtitle(const Instance& instance, std::int64_t step, const std::string& place) {
  const auto& machine = instance.machine();
  auto text = machine.name;
  if (auto time = machine.find_role(om::StaticRole::time))
    text += fmt::format(", time {:.6g}", instance.scalar(*time).to_double());
  return text + fmt::format(", step {}", step) + place;
}

std::vector<std::pair<std::string, std::string>> notes(const Instance& instance,
                                                       std::string_view field, std::int64_t step,
                                                       const Record& record) {
  return {{"Title", std::string(field)},
          {"Software", fmt::format("Paraiso {}", kVersion)},
          {"Description", fmt::format("command {}\nprogram {}\nschedule {}\nnumbers {}\nstep {}",
                                      record.command, program_hash(instance.machine(), record),
                                      record.schedule_hash, record.numbers, step)}};
}

}  // namespace

void write_plot(const std::filesystem::path& path, Instance& instance, std::string_view field,
                std::int64_t step, const PlotOptions& options) {
  const om::StaticId id = find_field(instance.machine(), field);
  const auto slice = slice_of(instance);
  const RangeOf range_of = [&](PlotRange own) {
    return PlotRange{options.minimum.value_or(own.lower), options.maximum.value_or(own.upper)};
  };
  const auto draw = instance.machine().dimension == 1 ? graph : picture;
  auto canvas = draw(instance, id, slice, range_of, options.pixels);
  instance.free_copy(id);
  draw_title(canvas, field, subtitle(instance, step, slice.place));
  write_file(path, canvas.png(notes(instance, field, step, options.record)));
}

}  // namespace paraiso::runtime
