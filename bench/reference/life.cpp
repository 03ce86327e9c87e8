// Conway's game of life on a cyclic grid, a byte a cell as in apps/life, with the population
// counted at each step.
//
// plain: two loops over an array with a halo of one cell. best: explicit vectors of bytes; the sums
// of three cells along x are carried from row to row.
#include <omp.h>

#include <cstdint>
#include <stdexcept>

#include "bench/reference/memory.hpp"
#include "bench/reference/problem.hpp"
#include "bench/reference/vector.hpp"

namespace reference {
namespace {

using Byte = std::uint8_t;

/// Both forms share the layout: a row has a vector of halo on both sides, a plane a row.
class Life : public Solver {
 public:
  Life(std::int64_t width, std::int64_t height)
      : width_(width),
        height_(height),
        pitch_(width + 2 * kHalo),
        now_(pitch_ * (height + 2)),
        next_(pitch_ * (height + 2)) {
#pragma omp parallel for schedule(static)
    for (std::int64_t y = -1; y <= height; ++y)
      for (std::int64_t x = -kHalo; x < width + kHalo; ++x)
        row(now_, y)[x] = row(next_, y)[x] =
            ((x * 73856093 ^ y * 19349663) * 0x5851f42d4c957f2d >> 40 & 7) < 3;
    close(now_);
  }
  void advance(std::int64_t steps) override {
    for (std::int64_t i = 0; i < steps; ++i) {
      population_ = step();
      std::swap(now_, next_);
      close(now_);
    }
  }
  [[nodiscard]] std::vector<double> state() const override {
    std::vector<double> values;
    for (std::int64_t y = 0; y < height_; ++y) {
      const Byte* cells = now_.data() + (y + 1) * pitch_ + kHalo;
      values.insert(values.end(), cells, cells + width_);
    }
    values.push_back(static_cast<double>(population_));
    return values;
  }

 protected:
  static constexpr std::int64_t kHalo = kVectorBytes;

  /// Returns the population.
  virtual std::int64_t step() = 0;

  [[nodiscard]] Byte* row(Buffer<Byte>& cells, std::int64_t y) const {
    return cells.data() + (y + 1) * pitch_ + kHalo;
  }
  void close(Buffer<Byte>& cells) const {
    for (std::int64_t y = 0; y < height_; ++y) {
      row(cells, y)[-1] = row(cells, y)[width_ - 1];
      row(cells, y)[width_] = row(cells, y)[0];
    }
    std::copy_n(row(cells, height_ - 1) - 1, width_ + 2, row(cells, -1) - 1);
    std::copy_n(row(cells, 0) - 1, width_ + 2, row(cells, height_) - 1);
  }

  std::int64_t width_, height_, pitch_, population_ = 0;
  Buffer<Byte> now_, next_;
};

class Plain : public Life {
 public:
  using Life::Life;

 private:
  std::int64_t step() override {
    std::int64_t population = 0;
#pragma omp parallel for schedule(static) reduction(+ : population)
    for (std::int64_t y = 0; y < height_; ++y) {
      const Byte *below = row(now_, y - 1), *here = row(now_, y), *above = row(now_, y + 1);
      Byte* out = row(next_, y);
#pragma omp simd reduction(+ : population)
      for (std::int64_t x = 0; x < width_; ++x) {
        const Byte count = below[x - 1] + below[x] + below[x + 1] + here[x - 1] + here[x + 1] +
                           above[x - 1] + above[x] + above[x + 1];
        out[x] = count == 3 || (here[x] && count == 2);
        population += out[x];
      }
    }
    return population;
  }
};

class Best : public Life {
 public:
  Best(std::int64_t width, std::int64_t height) : Life(width, height) {
    if (width % kVectorBytes != 0)
      throw std::runtime_error("the best form needs a width of whole vectors");
  }

 private:
  using V = Vector<Byte>;
  static constexpr std::int64_t kTileRows = 128;  // no count of a lane passes 255

  std::int64_t step() override {
    const std::int64_t tiles = (height_ + kTileRows - 1) / kTileRows;
    std::int64_t population = 0;
#pragma omp parallel for schedule(static) reduction(+ : population)
    for (std::int64_t tile = 0; tile < tiles; ++tile)
      for (std::int64_t x = 0; x < width_; x += 2 * kVectorBytes)
        for (std::int64_t part = x; part < std::min(x + 2 * kVectorBytes, width_);
             part += kVectorBytes)
          population +=
              advance_column(tile * kTileRows, std::min(height_, (tile + 1) * kTileRows), part);
    return population;
  }

  /// A column of one vector's width, from row `first` to before `last`.
  std::int64_t advance_column(std::int64_t first, std::int64_t last, std::int64_t x) {
    const auto sum_of_three = [](const Byte* cell) {
      return V(load<V>(cell - 1) + load<V>(cell) + load<V>(cell + 1));
    };
    V below = sum_of_three(row(now_, first - 1) + x), here = sum_of_three(row(now_, first) + x);
    V alive_of_lane{};
    for (std::int64_t y = first; y < last; ++y) {
      const V above = sum_of_three(row(now_, y + 1) + x);
      const V nine = below + here + above, alive = load<V>(row(now_, y) + x);
      const V three = V(nine == 3) & 1, four = V(nine == 4) & alive;
      const V next = three | four;
      store(row(next_, y) + x, next);
      alive_of_lane += next;
      below = here;
      here = above;
    }
    std::int64_t population = 0;
    for (int lane = 0; lane < kVectorBytes; ++lane) population += alive_of_lane[lane];
    return population;
  }
};

std::unique_ptr<Solver> make(const Options& options) {
  if (options.form == "plain") return std::make_unique<Plain>(options.size[0], options.size[1]);
  return std::make_unique<Best>(options.size[0], options.size[1]);
}

}  // namespace
}  // namespace reference

int main(int argc, char** argv) {
  return reference::run(argc, argv,
                        {"life", {4096, 4096}, {"bool"}, {"plain", "best"}, reference::make});
}
