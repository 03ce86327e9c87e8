// How long boxes of a rank's arrays take into a message and out of it, by one thread and by
// several: `ninja bench_packing && bin/bench_packing [THREADS [CELLS]]`, on an idle machine. Five
// fields of CELLS^3 (192^3) cells, three layers across each side: what hydro sends. The least of
// nine turns, with arrays that are in no cache.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "paraiso/support/mpi/copy.hpp"

namespace {

using paraiso_mpi::RowsOfBox;
using paraiso_mpi::ToOrFro;

constexpr std::int64_t kLayers = 3, kBytes = sizeof(double);
constexpr int kFields = 5, kTurns = 9;

class Fields {
 public:
  explicit Fields(std::int64_t cells)
      : cells_(cells),
        row_(cells + 16),
        plane_(row_ * (cells + 6) + 16),
        arrays_(kFields, std::vector<double>(static_cast<std::size_t>(plane_ * (cells + 6)), 1.0)),
        message_(static_cast<std::size_t>(kFields * kLayers * cells * cells * kBytes)) {}

  /// The layers at the lower side across an axis.
  std::vector<RowsOfBox> side(int axis) {
    std::vector<RowsOfBox> boxes;
    const std::int64_t bytes = kLayers * cells_ * cells_ * kBytes;
    for (auto& array : arrays_) {
      RowsOfBox box{};
      box.cells = reinterpret_cast<char*>(array.data() + 8 + 3 * row_ + 3 * plane_);
      box.message = message_.data() + static_cast<std::int64_t>(boxes.size()) * bytes;
      box.axes = 3;
      box.row_bytes = static_cast<std::size_t>((axis == 0 ? kLayers : cells_) * kBytes);
      for (int a = 1; a < 3; ++a) box.extents[a] = axis == a ? kLayers : cells_;
      box.strides[1] = row_ * kBytes;
      box.strides[2] = plane_ * kBytes;
      boxes.push_back(box);
    }
    return boxes;
  }
  void leave_caches() {
    for (auto& array : arrays_)
      for (std::size_t i = 0; i < array.size(); i += 8) array[i] += 1;
  }
  double megabytes() const { return 1e-6 * static_cast<double>(message_.size()); }

 private:
  std::int64_t cells_, row_, plane_;
  std::vector<std::vector<double>> arrays_;
  std::vector<char> message_;
};

double seconds(const std::vector<RowsOfBox>& boxes, ToOrFro way, int parts) {
  const auto start = std::chrono::steady_clock::now();
#pragma omp parallel for num_threads(parts) schedule(static) if (parts > 1)
  for (int part = 0; part < parts; ++part)
    for (const RowsOfBox& box : boxes) copy_rows(box, way, part, parts);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::max(1, std::atoi(argv[1])) : 2;
  Fields fields(argc > 2 ? std::max(8, std::atoi(argv[2])) : 192);
  for (int axis = 0; axis < 3; ++axis)
    for (const ToOrFro way : {ToOrFro::to_message, ToOrFro::from_message}) {
      double one = 1e9, all = 1e9;
      for (int turn = 0; turn < kTurns; ++turn) {
        fields.leave_caches();
        one = std::min(one, seconds(fields.side(axis), way, 1));
        fields.leave_caches();
        all = std::min(all, seconds(fields.side(axis), way, threads));
      }
      std::printf("%c side, %.1f MB %s: one thread %.2f ms, %d threads %.2f\n", 'x' + axis,
                  fields.megabytes(), way == ToOrFro::to_message ? "packed" : "unpacked", 1e3 * one,
                  threads, 1e3 * all);
    }
}
