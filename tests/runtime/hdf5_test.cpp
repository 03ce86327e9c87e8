#include "paraiso/runtime/output/hdf5.hpp"

#include "hdf5_support.hpp"
#include "paraiso/base/rng.hpp"
#include "support.hpp"

namespace paraiso::runtime {
namespace {

using Cell = std::vector<std::int64_t>;

constexpr std::int32_t kPadding = -1;

/// A field of one to five dimensions, its rows, planes, ... any number of elements apart.
struct Strided {
  explicit Strided(Rng& rng) {
    view.element = om::Element::i32;
    std::int64_t elements = 1;
    const std::int64_t axes = rng.between(1, 5);
    for (std::int64_t a = 0; a < axes; ++a) {
      if (a > 0) elements += rng.between(0, 4);
      view.strides.push_back(elements);
      view.size.push_back(rng.between(1, 6));
      elements *= view.size.back();
    }
    memory.assign(static_cast<std::size_t>(elements), kPadding);
    view.data = memory.data();
  }
  void count_up() const {
    std::int32_t number = 0;
    for_each_cell(view.size, [&](const Cell& cell) { view.at<std::int32_t>(cell) = number++; });
  }

  std::vector<std::int32_t> memory;
  FieldView view;
};

TEST(Hdf5File, TransfersFieldsOfAnyStrides) {
  test::Folder folder;
  const auto path = folder / "a.h5";
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Rng rng(seed);
    Strided field(rng);
    field.count_up();
    Hdf5File out(path, Hdf5File::Mode::create, path);
    out.write_field("f", field.view);
    out.close();
    std::vector<hsize_t> extent;
    const auto written = test::dataset<int>(path, "f", H5T_NATIVE_INT, extent);
    ASSERT_EQ(Cell(extent.rbegin(), extent.rend()), field.view.size);
    for (std::size_t i = 0; i < written.size(); ++i)
      ASSERT_EQ(written[i], static_cast<int>(i)) << "seed " << seed;

    const auto expected = field.memory;
    std::ranges::fill(field.memory, kPadding);
    const Cell origin(field.view.size.size(), 0);
    EXPECT_TRUE(Hdf5File(path, Hdf5File::Mode::read, path).read_cells("f", field.view, origin));
    ASSERT_EQ(field.memory, expected) << "seed " << seed;
  }
}

}  // namespace
}  // namespace paraiso::runtime
