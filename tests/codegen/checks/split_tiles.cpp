// What SplitTiles, part_of_row and rows_ahead promise: every row is made once at each slope, by
// tiles that are as long as told where these are enough for all threads, and what lies beyond the
// core by the outermost; all lines of a row are in a part; memory has time to answer. Prints what
// does not hold and fails; support_checks_test.cpp compiles it with every compiler.
#include <cstdio>
#include <set>
#include <vector>

#include "paraiso_support.hpp"

using namespace paraiso_support;

namespace {

bool right = true;

void expect(bool holds, const char* what, std::int64_t where) {
  if (holds) return;
  std::printf("%s: %lld\n", what, static_cast<long long>(where));
  right = false;
}

constexpr std::int64_t kLower = 2, kUpper = 1;  // the box beyond the core

void count_rows(const Tile<2>& tile, std::int64_t slope, std::vector<int>& times) {
  const std::int64_t rows = static_cast<std::int64_t>(times.size());
  const std::int64_t end = smaller(tile.end[1] - tile.slant * slope, rows - kLower);
  for (std::int64_t row = larger(tile.begin[1] + tile.slant * slope, -kLower); row < end; ++row)
    ++times[static_cast<std::size_t>(row + kLower)];
}

void check_tiles(std::int64_t rows, std::int64_t length, std::int64_t steepest, int threads) {
  const Grid<2> grid({8, rows}, {0, kLower}, {0, kUpper});
  const SplitTiles<2> tiles(grid, {0, kLower}, {0, kUpper}, 1, length, steepest, threads);
  for (std::int64_t slope = 0; slope <= steepest; ++slope) {
    std::vector<int> times(static_cast<std::size_t>(rows + kLower + kUpper));
    for (std::int64_t n = 0; n < tiles.count; ++n) count_rows(tiles.shrinking(n), slope, times);
    for (std::int64_t n = 0; n + 1 < tiles.count; ++n) count_rows(tiles.growing(n), slope, times);
    for (const int time : times) expect(time == 1, "a row is made so often", time);
  }
  for (std::int64_t n = 0; n < tiles.count; ++n) {
    const Tile<2> tile = tiles.shrinking(n);
    const std::int64_t cells = tile.end[1] - tile.begin[1];
    expect(cells >= 2 * steepest, "a tile closes before its last loop", cells);
    expect(tiles.count <= threads || length <= 0 || cells >= length + steepest, "a short tile",
           cells);
    expect(tile.begin[0] == 0 && tile.end[0] == 8, "a tile of part of a row", tile.end[0]);
  }
  if (tiles.count > 1) {
    const std::int64_t first = tiles.shrinking(0).end[1];
    const std::int64_t last = rows - tiles.shrinking(tiles.count - 1).begin[1];
    expect(first - 2 * steepest >= kLower, "rows below the core made from another tile's", first);
    expect(last - 2 * steepest >= kUpper, "rows above the core made from another tile's", last);
  }
  const std::int64_t least = larger(1, 2 * steepest + kLower);
  if (length != 0)
    expect(tiles.count >= smaller(threads, rows / least), "threads without a tile", tiles.count);
  if (length == 0) expect(tiles.count == 1, "not one tile", tiles.count);
  if (length < 0) expect(tiles.count <= threads, "more tiles than threads", tiles.count);
}

void check_parts() {
  constexpr std::int64_t kLine = 8;  // cells
  for (const std::int64_t begin : {-3, 0, 5})
    for (const std::int64_t end : {6, 33, 40}) {
      std::set<std::int64_t> lines;
      for (std::int64_t part = 0; part < 4; ++part)
        for (std::int64_t i = begin; i < end; ++i)
          lines.insert(floor_to<kLine>(part_of_row<4>(part, begin, end) + i / 4));
      for (std::int64_t line = floor_to<kLine>(begin); line < end; line += kLine)
        expect(lines.count(line) == 1, "a line in no part", line);
    }
}

void check_rows_ahead() {
  for (std::int64_t cells = 1; cells < 600; ++cells)
    for (std::int64_t rows = 1; rows < 40; ++rows) {
      const std::int64_t ahead = rows_ahead(cells, rows);
      expect(ahead >= 1 && (ahead == 1 || 4 * ahead <= rows), "too far ahead", cells);
      const bool soon = ahead * cells < 384;
      expect(!soon || 4 * (ahead + 1) > rows, "too soon for memory to answer", cells);
      expect((ahead - 1) * cells < 384, "farther ahead than needed", cells);
    }
}

}  // namespace

int main() {
  for (std::int64_t rows = 1; rows < 70; ++rows)
    for (const std::int64_t length : {-1, 0, 1, 5, 16})
      for (const std::int64_t steepest : {0, 1, 3, 8})
        for (const int threads : {1, 2, 3}) check_tiles(rows, length, steepest, threads);
  check_parts();
  check_rows_ahead();
  return right ? 0 : 1;
}
