#include "paraiso/runtime/plot/plot.hpp"

#include <png.h>

#include <cmath>

#include "machines.hpp"
#include "paraiso/runtime/plot/canvas.hpp"
#include "paraiso/runtime/plot/font.hpp"
#include "paraiso/runtime/plot/plot_axis.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "support.hpp"

namespace paraiso::runtime {
namespace {

using test::error_text;
using test::Folder;
using Cell = std::vector<std::int64_t>;

struct Picture {
  int width = 0, height = 0;
  std::vector<unsigned char> samples;
  [[nodiscard]] Colour at(int x, int y) const {
    const auto* s = &samples[3 * static_cast<std::size_t>(y * width + x)];
    return {s[0], s[1], s[2]};
  }
  [[nodiscard]] int count(Colour colour) const {
    int found = 0;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) found += at(x, y) == colour;
    return found;
  }
};

Picture decode(const std::string& bytes) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()), 0);
  image.format = PNG_FORMAT_RGB;
  Picture picture{static_cast<int>(image.width), static_cast<int>(image.height), {}};
  picture.samples.resize(PNG_IMAGE_SIZE(image));
  EXPECT_NE(png_image_finish_read(&image, nullptr, picture.samples.data(), 0, nullptr), 0);
  return picture;
}

double luminance(Colour c) {  // CIE L*, from sRGB
  auto linear = [](double s) {
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
  };
  const double y = 0.2126 * linear(c.red / 255.0) + 0.7152 * linear(c.green / 255.0) +
                   0.0722 * linear(c.blue / 255.0);
  return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

TEST(Viridis, GrowsEvenlyInLightness) {
  const double low = luminance(viridis(0)), high = luminance(viridis(1));
  EXPECT_GT(high - low, 70);
  for (int i = 0; i <= 100; ++i) {
    const double expected = low + (high - low) * i / 100;
    EXPECT_NEAR(luminance(viridis(i / 100.0)), expected, 3) << i;
  }
}

TEST(Viridis, IsCloseToMatplotlib) {
  const struct {
    double t;
    int red, green, blue;
  } known[] = {{0, 68, 1, 84},
               {0.25, 59, 82, 139},
               {0.5, 33, 145, 140},
               {0.75, 94, 201, 98},
               {1, 253, 231, 37}};
  for (const auto& k : known) {
    const auto colour = viridis(k.t);
    EXPECT_NEAR(colour.red, k.red, 5) << k.t;
    EXPECT_NEAR(colour.green, k.green, 5) << k.t;
    EXPECT_NEAR(colour.blue, k.blue, 5) << k.t;
  }
  EXPECT_EQ(viridis(-3), viridis(0));
  EXPECT_EQ(viridis(7), viridis(1));
}

TEST(Ticks, AreRoundNumbersInside) {
  EXPECT_EQ(ticks({0, 1}, 5), (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
  EXPECT_EQ(ticks({-3, 7}, 4), (std::vector<double>{0, 5}));
  EXPECT_EQ(ticks({1e6, 1e6 + 30}, 3), (std::vector<double>{1e6, 1e6 + 10, 1e6 + 20, 1e6 + 30}));
  EXPECT_EQ(ticks({1, 1}, 3), std::vector<double>{});
}

TEST(NumberText, HasTheDigitsThatTellValuesApart) {
  EXPECT_EQ(number_text(0.6000000000000001, {0, 1}), "0.6");
  EXPECT_EQ(number_text(1000010, {1e6, 1e6 + 30}), "1000010");
  EXPECT_EQ(number_text(1e-17, {-1, 1}), "0");
  EXPECT_EQ(number_text(-2.5e-7, {-2.5e-7, 1e-7}), "-2.5e-07");
}

TEST(Canvas, DrawsAndWritesPng) {
  Canvas canvas(40, 20, {255, 255, 255});
  canvas.fill(2, 3, 5, 4, {255, 0, 0});
  canvas.fill(38, 18, 10, 10, {0, 0, 255});  // partly outside
  canvas.text(10, 15, "I", 12, {0, 0, 0});
  const auto picture = decode(canvas.png({{"Title", "test"}}));
  EXPECT_EQ(picture.width, 40);
  EXPECT_EQ(picture.height, 20);
  EXPECT_EQ(picture.count({255, 0, 0}), 20);
  EXPECT_EQ(picture.count({0, 0, 255}), 4);
  EXPECT_NE(picture.count({255, 255, 255}), 40 * 20 - 24) << "no letter was drawn";
  EXPECT_EQ(picture.at(2, 3), (Colour{255, 0, 0}));
}

TEST(Canvas, CurvesAreSmoothAndOfTheirThickness) {
  Canvas canvas(30, 30, {255, 255, 255});
  canvas.curve({{0, 15}, {15, 15}, {30, 15}}, 2, {0, 0, 0});
  EXPECT_EQ(canvas.at(10, 14), (Colour{0, 0, 0}));
  EXPECT_EQ(canvas.at(10, 15), (Colour{0, 0, 0}));
  EXPECT_EQ(canvas.at(10, 12), (Colour{255, 255, 255}));
  EXPECT_EQ(canvas.at(10, 17), (Colour{255, 255, 255}));
}

TEST(Plot, APictureHasWholePixelsACellAndTheSecondAxisUp) {
  Folder folder;
  auto instance = interpreter_instance(test::drift<double>(), {4, 4});
  instance->run("flat");
  for_each_cell({4, 4}, [&](const Cell& c) { instance->field("u").at<double>(c) = 0; });
  instance->field("u").at<double>(Cell{0, 3}) = 1;
  PlotOptions options;
  options.pixels = 100;
  write_plot(folder / "p.png", *instance, "u", 0, options);
  const auto picture = decode(read_file(folder / "p.png"));
  // One cell of 25 x 25 pixels; the colour bar has its ends' colours in other places only.
  EXPECT_GE(picture.count(viridis(1)), 25 * 25);
  EXPECT_GE(picture.count(viridis(0)), 15 * 25 * 25);
  EXPECT_EQ(picture.at(86 + 12, 62 + 12), viridis(1));  // upper left: x = 0, y = 3
  EXPECT_EQ(picture.at(86 + 12, 62 + 88), viridis(0));
}

TEST(Plot, TheColourBarGoesFromTheLeastToTheLargest) {
  Folder folder;
  auto instance = interpreter_instance(test::drift<double>(), {4, 4});
  instance->run("bump");
  PlotOptions options;
  options.pixels = 100;
  write_plot(folder / "p.png", *instance, "u", 0, options);
  const auto picture = decode(read_file(folder / "p.png"));
  constexpr int kLeft = 86 + 100 + 26, kRight = kLeft + 19, kTop = 62, kBottom = kTop + 99;
  for (const int x : {kLeft, kRight}) {
    EXPECT_EQ(picture.at(x, kTop), viridis(1));
    EXPECT_EQ(picture.at(x, kBottom), viridis(0));
    for (int y = kTop; y < kBottom; ++y)
      EXPECT_GE(luminance(picture.at(x, y)) + 0.5, luminance(picture.at(x, y + 1))) << y;
  }
  for (const int y : {kTop - 1, kBottom + 1})
    EXPECT_EQ(picture.at(kLeft, y), (Colour{38, 38, 48})) << "its frame";
}

TEST(Plot, CellsThatAreNotFiniteAreGrey) {
  Folder folder;
  auto instance = interpreter_instance(test::drift<double>(), {4, 4});
  instance->run("bump");
  instance->field("u").at<double>(Cell{0, 0}) = NAN;
  instance->field("u").at<double>(Cell{3, 3}) = INFINITY;
  PlotOptions options;
  options.pixels = 100;
  write_plot(folder / "p.png", *instance, "u", 0, options);
  EXPECT_EQ(decode(read_file(folder / "p.png")).count({150, 150, 150}), 2 * 25 * 25);
}

TEST(Plot, ACurveInOneDimensionAndAPlaneInThree) {
  Folder folder;
  auto line = interpreter_instance(test::counter(), {50});
  line->run("zero");
  write_plot(folder / "line.png", *line, "n", 0);
  const auto curve = decode(read_file(folder / "line.png"));
  EXPECT_GT(curve.count(viridis(0.3)), 500);
  for (const int cell : {0, 10, 25, 49}) {  // of 900 x 450 pixels, with 5 % of 49 at either end
    const int x = 86 + static_cast<int>((cell + 0.5) / 50 * 900);
    const int y = 62 + static_cast<int>((1 - (cell + 2.45) / 53.9) * 450);
    EXPECT_LT(curve.at(x, y).red, 128) << cell;
    EXPECT_GT(curve.at(x, y - 9).red, 200) << cell;
    EXPECT_GT(curve.at(x, y + 9).red, 200) << cell;
  }
  auto box = interpreter_instance(test::box(), {6, 4, 3});
  box->run("ramp");
  PlotOptions options;
  options.pixels = 120;
  options.minimum = 0;
  options.maximum = 300;
  write_plot(folder / "box.png", *box, "f", 0, options);
  const auto picture = decode(read_file(folder / "box.png"));
  for (int x = 0; x < 6; ++x)  // z = 1 of 0, 1, 2; 20 x 20 pixels a cell, y up
    for (int y = 0; y < 4; ++y)
      EXPECT_EQ(picture.at(86 + 20 * x + 10, 62 + 20 * (3 - y) + 10),
                viridis((100.0 + x + 10 * y) / 300))
          << x << ", " << y;
}

TEST(Plot, EverySizeAndStateGivesAPicture) {
  Folder folder;
  for (Cell size : {Cell{1, 1}, Cell{1, 2000}, Cell{3000, 2}, Cell{1001, 1003}}) {
    auto instance = interpreter_instance(test::drift<float>(), size);
    write_plot(folder / "p.png", *instance, "u", 0);  // all zero
    EXPECT_GT(decode(read_file(folder / "p.png")).width, 100);
    instance->field("u").at<float>(Cell{0, 0}) = NAN;
    write_plot(folder / "p.png", *instance, "warm", 0);
    write_plot(folder / "p.png", *instance, "u", 0);
  }
}

TEST(Plot, UnknownFieldsSuggestTheNearest) {
  auto instance = interpreter_instance(test::drift<double>(), {4, 4});
  EXPECT_EQ(error_text([&] { write_plot("p.png", *instance, "warn", 0); }),
            "error: machine `drift` has no field `warn`; did you mean `warm`?");
}

}  // namespace
}  // namespace paraiso::runtime
