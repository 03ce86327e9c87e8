#include "paraiso/runtime/output/output.hpp"

#include <hdf5.h>

#include "hdf5_support.hpp"
#include "machines.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/build/compile.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/runtime/fields/summary.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "support.hpp"
#include "tests/support/compiled.hpp"

namespace paraiso::runtime {
namespace {

using test::dataset;
using test::error_text;
using test::FileSizeLimit;
using test::Folder;
using Cell = std::vector<std::int64_t>;

std::string text_attribute(const std::filesystem::path& path, const char* name) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
  const hid_t type = H5Aget_type(attribute);
  std::string text(H5Tget_size(type), '\0');
  EXPECT_GE(H5Aread(attribute, type, text.data()), 0);
  H5Tclose(type);
  H5Aclose(attribute);
  H5Fclose(file);
  return text.c_str();
}

Record record() { return {"paraiso run drift", "fma", "interpreter", "g++ 12", "0123"}; }

std::unique_ptr<Instance> drifted() {
  auto instance = interpreter_instance(test::drift<double>(), {5, 3});
  instance->run("bump");
  for (int i = 0; i < 2; ++i) instance->run("proceed");
  return instance;
}

TEST(Snapshot, HasFieldsSlowestAxisFirstAndCoordinates) {
  Folder folder;
  auto instance = drifted();
  write_snapshot(folder / "a.h5", *instance, 2, record());
  EXPECT_EQ(folder.file_count(), 1);
  std::vector<hsize_t> extent;
  const auto u = dataset<double>(folder / "a.h5", "fields/u", H5T_NATIVE_DOUBLE, extent);
  EXPECT_EQ(extent, (std::vector<hsize_t>{3, 5}));
  for (std::int64_t y = 0; y < 3; ++y)
    for (std::int64_t x = 0; x < 5; ++x)
      EXPECT_EQ(u[static_cast<std::size_t>(y * 5 + x)],
                instance->field("u").at<double>(Cell{x, y}));
  const auto count = dataset<int>(folder / "a.h5", "fields/count", H5T_NATIVE_INT, extent);
  EXPECT_EQ(count[4], 4 * 3 + 2);
  EXPECT_EQ(dataset<double>(folder / "a.h5", "coordinates/x_edges", H5T_NATIVE_DOUBLE, extent),
            (std::vector<double>{0, 0.4, 0.8, 1.2000000000000002, 1.6, 2}));
  EXPECT_EQ(dataset<double>(folder / "a.h5", "coordinates/y_centres", H5T_NATIVE_DOUBLE, extent),
            (std::vector<double>{0.5 * (2.0 / 3), 1.5 * (2.0 / 3), 2.5 * (2.0 / 3)}));
  EXPECT_EQ(dataset<double>(folder / "a.h5", "scalars/rate", H5T_NATIVE_DOUBLE, extent),
            std::vector<double>{0.5});
}

TEST(Snapshot, RecordsWhatMadeIt) {
  Folder folder;
  auto instance = drifted();
  const auto path = folder / "a.h5";
  write_snapshot(path, *instance, 2, record());
  EXPECT_EQ(text_attribute(path, "paraiso_version"), kVersion);
  EXPECT_EQ(text_attribute(path, "command"), "paraiso run drift");
  EXPECT_EQ(text_attribute(path, "numbers"), "fma");
  EXPECT_EQ(text_attribute(path, "compiler"), "g++ 12");
  EXPECT_EQ(text_attribute(path, "schedule_hash"), "0123");
  EXPECT_EQ(text_attribute(path, "program_hash"), om::program_hash(instance->machine()));
  EXPECT_EQ(text_attribute(path, "parameters"),
            "x_min=0\ny_min=0\nx_max=2\ny_max=2\nrate=0.5\nlevel=3\npoison=inf\n");
  const auto info = read_snapshot_info(path);
  EXPECT_EQ(info.step, 2);
  EXPECT_EQ(info.time, 0.25);
  EXPECT_EQ(info.program_hash, om::program_hash(instance->machine()));
}

TEST(Snapshot, RecordsTheChoices) {
  Folder folder;
  auto instance = drifted();
  Record made = record();
  made.choices = choose("drift", {{"order", "", {{"2"}, {"4"}}}}, "bump", {"order=4"});
  write_snapshot(folder / "a.h5", *instance, 2, made);
  EXPECT_EQ(text_attribute(folder / "a.h5", "choices"), "order=4");
}

TEST(Snapshot, FieldsComeBackBitForBit) {
  Folder folder;
  auto instance = drifted();
  instance->field("u").at<double>(Cell{1, 1}) = -0.0;
  write_snapshot(folder / "a.h5", *instance, 2, record());
  auto other = interpreter_instance(test::drift<double>(), {5, 3});
  EXPECT_EQ(load_fields(folder / "a.h5", *other), (std::vector<std::string>{"u", "count", "warm"}));
  const auto wanted = summarise_fields(*instance), found = summarise_fields(*other);
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(found[i].hash, wanted[i].hash);
}

/// Planes of a compiled instance do not always lie a whole number of rows apart.
template <int D>
void expect_every_cell(const std::vector<Cell>& sizes) {
  Folder folder;
  const auto program = passes::prepare(test::box<D>(), passes::Numbers::strict);
  CompileOptions options;
  options.optimization = "-O0";
  options.cache = folder / "cache";
  const auto library =
      compile(plan::plan_program(program, plan::default_schedule(program)), options);
  for (const Cell& size : sizes) {
    SCOPED_TRACE(testing::PrintToString(size));
    auto compiled = library.instance(size), again = library.instance(size);
    auto reference = interpreter_instance(program, size);
    compiled->run("ramp");
    reference->run("ramp");
    write_snapshot(folder / "compiled.h5", *compiled, 0, record());
    write_snapshot(folder / "reference.h5", *reference, 0, record());
    std::vector<hsize_t> extent;
    const auto f = dataset<float>(folder / "compiled.h5", "fields/f", H5T_NATIVE_FLOAT, extent);
    EXPECT_EQ(extent, std::vector<hsize_t>(size.rbegin(), size.rend()));
    std::vector<float> cells;
    for_each_cell(size, [&](const Cell& cell) {
      cells.push_back(compiled->field("f").template at<float>(cell));
    });
    EXPECT_EQ(f, cells);
    for (const char* file : {"compiled.h5", "reference.h5"}) {
      load_fields(folder / file, *again);
      EXPECT_EQ(save(*again).statics, save(*reference).statics) << file;
    }
  }
}

TEST(Snapshot, OfThreeDimensionsHasEveryCellWhereItBelongs) {
  expect_every_cell<3>({{1, 1, 1}, {7, 5, 3}, {20, 16, 3}, {16, 16, 16}, {32, 32, 32}, {3, 64, 9}});
}

TEST(Snapshot, OfFourDimensionsHasEveryCellWhereItBelongs) {
  expect_every_cell<4>({{1, 1, 1, 1}, {5, 2, 4, 3}, {20, 16, 3, 2}, {16, 4, 16, 5}, {8, 8, 8, 8}});
}

TEST(Snapshot, SinglePrecisionTakesDoubleFields) {
  Folder folder;
  auto instance = drifted();
  write_snapshot(folder / "a.h5", *instance, 2, record());
  auto single = interpreter_instance(test::drift<float>(), {5, 3});
  load_fields(folder / "a.h5", *single);
  EXPECT_EQ(single->field("u").at<float>(Cell{2, 1}),
            static_cast<float>(instance->field("u").at<double>(Cell{2, 1})));
}

TEST(Snapshot, AFullDiskIsToldAndLeavesTheOldFile) {
  Folder folder;
  auto instance = drifted();
  write_file(folder / "a.h5", "old");
  std::string text;
  {
    FileSizeLimit limit(4096);
    text = error_text([&] { write_snapshot(folder / "a.h5", *instance, 2, record()); });
  }
  EXPECT_EQ(folder.shown(text),
            "error: can't write `FOLDER/a.h5`: it would exceed the file size limit (`ulimit -f`)");
  EXPECT_EQ(read_file(folder / "a.h5"), "old");
  EXPECT_EQ(folder.file_count(), 1);
  EXPECT_EQ(
      folder.shown(error_text([&] { write_snapshot(folder / "no/a.h5", *instance, 2, record()); })),
      "error: can't write `FOLDER/no/a.h5`: No such file or directory");
}

/// A file with one dataset; of zeros without `cells`, which are of the dataset's own type.
/// An attribute of a foreign program: an array where ours is one number or one text.
void write_array_attribute(const std::filesystem::path& path, const char* name, hid_t type) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hsize_t extent = 1000;
  const hid_t space = H5Screate_simple(1, &extent, nullptr);
  const hid_t attribute = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  const std::vector<char> bytes(extent * H5Tget_size(type), 'a');
  EXPECT_GE(H5Awrite(attribute, type, bytes.data()), 0);
  H5Aclose(attribute);
  H5Sclose(space);
  H5Fclose(file);
}

void write_dataset(const std::filesystem::path& path, const char* name, hid_t type,
                   std::vector<hsize_t> extent, const void* cells = nullptr) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr);
  const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (cells != nullptr) H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells);
  H5Dclose(set);
  H5Sclose(space);
  H5Fclose(file);
}

/// An enumeration of 8-bit integers, as h5py makes one of bools.
hid_t enumeration(const char* zero, const char* one) {
  const hid_t type = H5Tenum_create(H5T_STD_I8LE);
  std::int8_t number = 0;
  H5Tenum_insert(type, zero, &number);
  number = 1;
  H5Tenum_insert(type, one, &number);
  return type;
}

TEST(LoadFields, TakesIntegersAndTheBoolsOfH5py) {
  Folder folder;
  std::vector<std::int8_t> cells(15, 0);
  cells[2 * 5 + 1] = 1;
  const hid_t bools = enumeration("FALSE", "TRUE");
  write_dataset(folder / "bools.h5", "warm", bools, {3, 5}, cells.data());
  write_dataset(folder / "integers.h5", "warm", H5T_STD_I8LE, {3, 5}, cells.data());
  H5Tclose(bools);
  for (const char* name : {"bools.h5", "integers.h5"}) {
    auto instance = interpreter_instance(test::drift<double>(), {5, 3});
    EXPECT_EQ(load_fields(folder / name, *instance), std::vector<std::string>{"warm"});
    for_each_cell({5, 3}, [&](const Cell& cell) {
      EXPECT_EQ(instance->field("warm").at<bool>(cell), (cell == Cell{1, 2})) << name;
    });
  }
}

TEST(LoadFields, TellsWhatIsNoTruth) {
  Folder folder;
  auto instance = interpreter_instance(test::drift<double>(), {5, 3});
  auto complaint = [&](const std::string& name) {
    return folder.shown(error_text([&] { load_fields(folder / name, *instance); }));
  };
  for (const std::int64_t number : {-1, 2, 1000}) {
    std::vector<std::int64_t> cells(15, 1);
    cells[14] = number;
    write_dataset(folder / "a.h5", "warm", H5T_NATIVE_INT64, {3, 5}, cells.data());
    EXPECT_EQ(complaint("a.h5"),
              "error: `/warm` in `FOLDER/a.h5` has numbers other than 0 and 1, for a field of bool")
        << number;
  }
  const hid_t colours = enumeration("RED", "BLUE");
  write_dataset(folder / "colours.h5", "warm", colours, {3, 5});
  H5Tclose(colours);
  EXPECT_EQ(complaint("colours.h5"),
            "error: `/warm` in `FOLDER/colours.h5` has no elements that a field of bool can hold");
}

TEST(LoadFields, TellsNumbersBeyondTheElements) {
  Folder folder;
  const auto complaint = [&](const om::Machine& machine, const std::string& name) {
    auto instance = interpreter_instance(machine, {5, 3});
    return folder.shown(error_text([&] { load_fields(folder / name, *instance); }));
  };
  for (const std::int64_t number :
       {INT64_MAX, std::int64_t{1} << 31, -(std::int64_t{1} << 31) - 1}) {
    std::vector<std::int64_t> cells(15, 1);
    cells[14] = number;
    write_dataset(folder / "a.h5", "count", H5T_NATIVE_INT64, {3, 5}, cells.data());
    EXPECT_EQ(complaint(test::drift<double>(), "a.h5"),
              "error: `/count` in `FOLDER/a.h5` has numbers beyond the range of i32, for "
              "field `count`");
  }
  for (const double number : {1e39, -1e300}) {
    std::vector<double> cells(15, 1);
    cells[14] = number;
    write_dataset(folder / "a.h5", "u", H5T_NATIVE_DOUBLE, {3, 5}, cells.data());
    EXPECT_EQ(complaint(test::drift<float>(), "a.h5"),
              "error: `/u` in `FOLDER/a.h5` has numbers beyond the range of f32, for field `u`");
  }
  // What rounds, and what is infinite or NaN in the file, is taken.
  std::vector<double> cells(15, 0.1);
  cells[1] = INFINITY;
  cells[2] = -INFINITY;
  cells[3] = NAN;
  cells[4] = 1e-300;
  write_dataset(folder / "a.h5", "u", H5T_NATIVE_DOUBLE, {3, 5}, cells.data());
  auto single = interpreter_instance(test::drift<float>(), {5, 3});
  load_fields(folder / "a.h5", *single);
  const auto u = single->field("u");
  EXPECT_EQ(u.at<float>(Cell{0, 0}), 0.1f);
  EXPECT_EQ(u.at<float>(Cell{1, 0}), INFINITY);
  EXPECT_EQ(u.at<float>(Cell{2, 0}), -INFINITY);
  EXPECT_NE(u.at<float>(Cell{3, 0}), u.at<float>(Cell{3, 0}));
  EXPECT_EQ(u.at<float>(Cell{4, 0}), 0);
}

/// HDF5 itself would round a big-endian tie away from even, and halve the last number.
TEST(LoadFields, RoundsForeignNumbersAsTheProcessorDoes) {
  Folder folder;
  std::vector<double> cells(15, 0.1);
  cells[1] = 1 + 0x1p-24;
  cells[2] = 0x1p-126 * (1 - 0x1p-25);
  cells[3] = -INFINITY;
  cells[4] = -1e-300;
  const auto loaded = [&](hid_t type, std::vector<double> numbers) {
    EXPECT_GE(
        H5Tconvert(H5T_NATIVE_DOUBLE, type, numbers.size(), numbers.data(), nullptr, H5P_DEFAULT),
        0);
    write_dataset(folder / "a.h5", "u", type, {3, 5}, numbers.data());
    auto single = interpreter_instance(test::drift<float>(), {5, 3});
    load_fields(folder / "a.h5", *single);
    std::vector<std::uint32_t> bits;
    for (std::int64_t y = 0; y < 3; ++y)
      for (std::int64_t x = 0; x < 5; ++x)
        bits.push_back(std::bit_cast<std::uint32_t>(single->field("u").at<float>(Cell{x, y})));
    return bits;
  };
  std::vector<std::uint32_t> expected;
  for (const double cell : cells)
    expected.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(cell)));
  EXPECT_EQ(loaded(H5T_IEEE_F64LE, cells), expected);
  EXPECT_EQ(loaded(H5T_IEEE_F64BE, cells), expected);
  cells[14] = 1e39;
  EXPECT_EQ(folder.shown(error_text([&] { (void)loaded(H5T_IEEE_F64BE, cells); })),
            "error: `/u` in `FOLDER/a.h5` has numbers beyond the range of f32, for field `u`");
}

TEST(LoadFields, TellsWhatDoesNotFit) {
  Folder folder;
  auto instance = interpreter_instance(test::drift<double>(), {5, 3});
  auto complaint = [&](const std::string& name) {
    return folder.shown(error_text([&] { load_fields(folder / name, *instance); }));
  };
  write_dataset(folder / "size.h5", "u", H5T_NATIVE_DOUBLE, {5, 3});
  EXPECT_EQ(complaint("size.h5"),
            "error: `/u` in `FOLDER/size.h5` has 3x5 cells, the grid has 5x3");
  write_dataset(folder / "scalar.h5", "u", H5T_NATIVE_DOUBLE, {});
  EXPECT_EQ(complaint("scalar.h5"),
            "error: `/u` in `FOLDER/scalar.h5` is a single number, the grid has 5x3 cells");
  write_dataset(folder / "kind.h5", "count", H5T_NATIVE_DOUBLE, {3, 5});
  EXPECT_EQ(complaint("kind.h5"),
            "error: `/count` in `FOLDER/kind.h5` has no elements that a field of i32 can hold");
  write_dataset(folder / "name.h5", "velocity", H5T_NATIVE_DOUBLE, {3, 5});
  EXPECT_EQ(complaint("name.h5"),
            "error: `FOLDER/name.h5` has no dataset named like a field of machine `drift`");
  write_file(folder / "text.h5", "not HDF5");
  EXPECT_EQ(complaint("text.h5"),
            "error: can't read `FOLDER/text.h5`: HDF5 says: file signature not found");
  EXPECT_EQ(complaint("none.h5"), "error: can't read `FOLDER/none.h5`: there is no such file");
  EXPECT_EQ(complaint("."), "error: can't read `FOLDER/.`: it is no file");
  EXPECT_EQ(folder.shown(error_text([&] { (void)read_snapshot_info(folder / "name.h5"); })),
            "error: `FOLDER/name.h5` is not a snapshot of Paraiso");
  write_dataset(folder / "arrays.h5", "u", H5T_NATIVE_DOUBLE, {3, 5});
  write_array_attribute(folder / "arrays.h5", "program_hash", H5T_C_S1);
  write_array_attribute(folder / "arrays.h5", "step", H5T_NATIVE_DOUBLE);
  write_array_attribute(folder / "arrays.h5", "time", H5T_NATIVE_DOUBLE);
  EXPECT_EQ(folder.shown(error_text([&] { (void)read_snapshot_info(folder / "arrays.h5"); })),
            "error: `FOLDER/arrays.h5` is not a snapshot of Paraiso");
}

TEST(Hdf5Errors, AreNotPrintedByHdf5) {
  Folder folder;
  auto instance = interpreter_instance(test::counter(), {3});
  write_file(folder / "text.h5", "not HDF5");
  testing::internal::CaptureStderr();
  (void)error_text([&] { load_fields(folder / "text.h5", *instance); });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// HDF5 by itself crashes here, when the file is closed or at exit.
TEST(Hdf5Errors, AFullDiskIsSurvivedWhereverItComes) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto fill = [](rlim_t bytes) {
    Folder folder;
    auto instance = interpreter_instance(test::counter(), {5000});
    std::string text;
    {
      FileSizeLimit limit(bytes);
      text = error_text([&] { write_snapshot(folder / "a.h5", *instance, 0, record()); });
    }
    std::fprintf(stderr, "%s\n", folder.shown(text).c_str());
    std::exit(0);
  };
  for (rlim_t bytes : {0, 100, 3000, 20000, 120000})
    EXPECT_EXIT(fill(bytes), testing::ExitedWithCode(0),
                "^error: can't write `FOLDER/a.h5`: it would exceed the file size limit "
                "\\(`ulimit -f`\\)\n$");
}

TEST(Xdmf, IsATemporalCollection) {
  Folder folder;
  auto instance = interpreter_instance(test::counter(), {4});
  write_xdmf(folder / "a.xdmf", *instance, {{folder / "counter_00000003.h5", 3, 3, ""}});
  EXPECT_EQ(read_file(folder / "a.xdmf"), R"(<?xml version="1.0" encoding="utf-8"?>
<Xdmf Version="2.0">
  <Domain>
    <Grid Name="counter" GridType="Collection" CollectionType="Temporal">
      <Grid Name="step 3" GridType="Uniform">
        <Time Value="3"/>
        <Topology TopologyType="2DCoRectMesh" Dimensions="2 5"/>
        <Geometry GeometryType="ORIGIN_DXDY">
          <DataItem Dimensions="2" NumberType="Float" Precision="8" Format="XML">0 0</DataItem>
          <DataItem Dimensions="2" NumberType="Float" Precision="8" Format="XML">0.2 1</DataItem>
        </Geometry>
        <Attribute Name="n" AttributeType="Scalar" Center="Cell">
          <DataItem Dimensions="1 4" NumberType="Int" Precision="8" Format="HDF">counter_00000003.h5:/fields/n</DataItem>
        </Attribute>
      </Grid>
    </Grid>
  </Domain>
</Xdmf>
)");
}

TEST(Xdmf, HasTheSlowestAxisFirst) {
  Folder folder;
  auto instance = interpreter_instance(test::box(), {4, 3, 2});
  write_xdmf(folder / "a.xdmf", *instance, {{folder / "box_00000000.h5", 0, 0, ""}});
  const auto text = read_file(folder / "a.xdmf");
  EXPECT_NE(text.find("<Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"3 4 5\"/>"),
            std::string::npos);
  EXPECT_NE(text.find("<Geometry GeometryType=\"ORIGIN_DXDYDZ\">"), std::string::npos);
  EXPECT_NE(text.find("<DataItem Dimensions=\"2 3 4\" NumberType=\"Float\" Precision=\"4\" "
                      "Format=\"HDF\">box_00000000.h5:/fields/f</DataItem>"),
            std::string::npos);
}

}  // namespace
}  // namespace paraiso::runtime
