#include "paraiso/runtime/plot/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "paraiso/base/axis_name.hpp"
#include "paraiso/runtime/fields/parameters.hpp"
#include "paraiso/runtime/plot/canvas.hpp"
#include "paraiso/runtime/plot/plot_axis.hpp"
#include "paraiso/runtime/system/file.hpp"

namespace paraiso::runtime {
namespace {

constexpr Colour kPaper{255, 255, 255}, kInk{38, 38, 48}, kFaint{112, 112, 124},
    kGrid{232, 232, 237}, kNotFinite{150, 150, 150};
constexpr int kTitleSize = 22, kTextSize = 14, kLeft = 86, kTop = 62, kBottom = 54, kBarGap = 26,
              kBarWidth = 20, kRight = 104, kTick = 5;

/// Two axes of a field as plain numbers, the first fastest; 1-D fields are one row.
struct Slice {
  std::int64_t width = 1, height = 1;
  std::vector<double> values;
  PlotRange x, y, value;              // coordinates, and the finite values' own range
  std::string x_name, y_name, place;  // place: ", z = 0.5" if it is one plane of many

  [[nodiscard]] double at(std::int64_t i, std::int64_t j) const {
    return values[static_cast<std::size_t>(j * width + i)];
  }
};

/// The least and largest finite values, moved apart if they are equal.
PlotRange finite_range(const std::vector<double>& values) {
  PlotRange range{INFINITY, -INFINITY};
  for (double v : values)
    if (std::isfinite(v)) range = {std::min(range.lower, v), std::max(range.upper, v)};
  if (range.lower > range.upper) return {0, 1};
  if (range.width() > 0) return range;
  const double margin = range.lower == 0 ? 1 : std::abs(range.lower) * 0.01;
  return {range.lower - margin, range.upper + margin};
}

PlotRange coordinates(const Instance& instance, int axis) {
  const auto [lower, upper] = extent(instance, axis);
  return {lower, upper};
}

Slice slice_of(Instance& instance, std::string_view field) {
  const om::StaticId id = find_field(instance.machine(), field);
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
  om::Box plane = {cell, cell};
  for (std::size_t a = 0; a < size.size(); ++a) plane.upper[a] = a < 2 ? size[a] : cell[a] + 1;
  om::with_element(instance.machine().at(id).type.element, [&](auto t) {
    const std::unique_ptr<decltype(t)[]> cells(new decltype(t)[plane.cell_count()]);
    instance.read(id, plane, cells.get());
    for (std::size_t i = 0; i < plane.cell_count(); ++i)
      slice.values.push_back(static_cast<double>(cells[i]));
  });
  slice.value = finite_range(slice.values);
  return slice;
}

/// The cells [first, last) that one of `pixels` pixels shows.
std::pair<std::int64_t, std::int64_t> cells_of(int pixel, int pixels, std::int64_t cells) {
  if (cells <= pixels) {
    const auto one = (2 * pixel + 1) * cells / (2 * pixels);
    return {one, one + 1};
  }
  return {pixel * cells / pixels, (pixel + 1) * cells / pixels};
}

/// The mean of the cells below a pixel; NaN if any of them is not finite.
double sample(const Slice& slice, int x, int y, int width, int height) {
  const auto [i0, i1] = cells_of(x, width, slice.width);
  const auto [j0, j1] =
      cells_of(height - 1 - y, height, slice.height);  // the second axis points up
  double sum = 0;
  for (auto j = j0; j < j1; ++j)
    for (auto i = i0; i < i1; ++i) sum += slice.at(i, j);
  return std::isfinite(sum) ? sum / static_cast<double>((i1 - i0) * (j1 - j0)) : NAN;
}

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

void draw_cells(Canvas& canvas, const Slice& slice, PlotRange range, int width, int height) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const double value = sample(slice, x, y, width, height);
      canvas.set(kLeft + x, kTop + y,
                 std::isnan(value) ? kNotFinite : viridis(range.fraction(value)));
    }
  canvas.frame(kLeft, kTop, width, height, kInk);
}

Canvas picture(const Slice& slice, PlotRange range, int pixels) {
  const auto [width, height] = picture_size(slice, pixels);
  Canvas canvas(kLeft + width + kBarGap + kBarWidth + kRight, kTop + height + kBottom, kPaper);
  draw_cells(canvas, slice, range, width, height);
  draw_x_axis(canvas, slice.x, slice.x_name, width, height);
  draw_y_axis(canvas, slice.y, ticks(slice.y, std::max(2, height / 90)), kLeft, height, -1);
  canvas.text(22, kTop + height / 2, slice.y_name, kTextSize, kFaint, Anchor::middle);
  draw_bar(canvas, range, kLeft + width + kBarGap, height);
  return canvas;
}

/// The curve's pieces between cells that are not finite.
std::vector<std::vector<Point>> pieces(const Slice& slice, PlotRange range, int width, int height) {
  std::vector<std::vector<Point>> all(1);
  for (std::int64_t i = 0; i < slice.width; ++i) {
    const double value = slice.at(i, 0);
    if (!std::isfinite(value)) {
      all.emplace_back();
      continue;
    }
    const double x = (static_cast<double>(i) + 0.5) / static_cast<double>(slice.width);
    all.back().push_back({kLeft + x * width, kTop + (1 - range.fraction(value)) * height});
  }
  return all;
}

Canvas graph(const Slice& slice, PlotRange range, int pixels) {
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
  for (const auto& piece : pieces(slice, shown, width, height))
    canvas.curve(piece, 2, viridis(0.3));
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
  const auto slice = slice_of(instance, field);
  const PlotRange range{options.minimum.value_or(slice.value.lower),
                        options.maximum.value_or(slice.value.upper)};
  auto canvas = instance.machine().dimension == 1 ? graph(slice, range, options.pixels)
                                                  : picture(slice, range, options.pixels);
  draw_title(canvas, field, subtitle(instance, step, slice.place));
  write_file(path, canvas.png(notes(instance, field, step, options.record)));
}

}  // namespace paraiso::runtime
