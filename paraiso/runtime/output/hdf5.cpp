#include "paraiso/runtime/output/hdf5.hpp"

#include <cmath>
#include <cstring>

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/output/hdf5_sink.hpp"
#include "paraiso/runtime/system/file.hpp"

namespace paraiso::runtime {
namespace {

constexpr const char* kWrite = "can't write";
constexpr const char* kRead = "can't read";

/// The innermost message of HDF5's error stack.
std::string innermost_reason() {
  std::string reason = "no reason given";
  auto take = [](unsigned, const H5E_error2_t* error, void* text) -> herr_t {
    if (error->desc != nullptr && *error->desc != '\0')
      *static_cast<std::string*>(text) = error->desc;
    return 1;  // the first visited is the innermost
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take, &reason);
  return reason;
}

hid_t memory_type(om::Element element) {
  switch (element) {
    // Signed: an invalid truth stays invalid, whereas an unsigned type would turn -1 into 0.
    case om::Element::boolean: return H5T_NATIVE_INT8;
    case om::Element::i32: return H5T_NATIVE_INT32;
    case om::Element::i64: return H5T_NATIVE_INT64;
    case om::Element::f32: return H5T_NATIVE_FLOAT;
    case om::Element::f64: break;
  }
  return H5T_NATIVE_DOUBLE;
}

hid_t file_type(om::Element element) {
  switch (element) {
    case om::Element::boolean: return H5T_STD_U8LE;
    case om::Element::i32: return H5T_STD_I32LE;
    case om::Element::i64: return H5T_STD_I64LE;
    case om::Element::f32: return H5T_IEEE_F32LE;
    case om::Element::f64: break;
  }
  return H5T_IEEE_F64LE;
}

/// The enumeration that h5py makes of bools.
bool is_enumerated_truth(hid_t type) {
  return H5Tget_class(type) == H5T_ENUM && H5Tget_nmembers(type) == 2 &&
         H5Tget_member_index(type, "FALSE") >= 0 && H5Tget_member_index(type, "TRUE") >= 0;
}

/// HDF5 counts the slowest axis first.
std::vector<hsize_t> slowest_first(const std::vector<std::int64_t>& size) {
  return {size.rbegin(), size.rend()};
}

Hdf5Space simple_space(const std::vector<hsize_t>& extent) {
  return Hdf5Space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr));
}

/// HDF5 transfers a volume at a time: the cells along the first three axes.
constexpr std::size_t kVolumeAxes = 3;

/// The memory of a volume with its core cells selected, so that nothing is copied first. The
/// distance of planes need not be a whole number of rows: so rows are blocks of a plane here, not
/// an axis of their own.
Hdf5Space memory_space(const FieldView& view) {
  const std::size_t axes = view.size.size();
  const auto cells = [&](std::size_t a) { return a < axes ? hsize_t(view.size[a]) : 1; };
  const hsize_t row = axes > 1 ? hsize_t(view.strides[1]) : cells(0);
  const hsize_t plane = axes > 2 ? hsize_t(view.strides[2]) : row * cells(1);
  auto space = simple_space({cells(2), plane});
  const hsize_t start[] = {0, 0}, apart[] = {1, row}, count[] = {cells(2), cells(1)};
  const hsize_t block[] = {1, cells(0)};
  H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start, apart, count, block);
  return space;
}

/// Calls transfer(memory_space, file_space, address) for every volume of a field, or of a part of
/// it that begins at `lower`.
template <class Transfer>
void for_each_volume(const FieldView& view, const std::vector<std::int64_t>& lower,
                     const Hdf5Space& file, Transfer&& transfer) {
  const auto memory = memory_space(view);
  auto volume = view.size, volumes = view.size;
  for (std::size_t a = 0; a < view.size.size(); ++a) (a < kVolumeAxes ? volumes : volume)[a] = 1;
  const auto count = slowest_first(volume);
  for_each_cell(volumes, [&](const std::vector<std::int64_t>& cell) {
    const auto start = slowest_first(om::plus(cell, lower));
    H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    om::with_element(view.element, [&](auto t) {
      transfer(memory.get(), file.get(), &view.at<decltype(t)>(cell));
    });
  });
}

template <class Float>
bool is_infinite(hid_t type, hid_t native, const void* number) {
  if (H5Tequal(type, native) <= 0) return false;
  Float value;
  std::memcpy(&value, number, sizeof value);
  return std::isinf(value);
}

/// Called when HDF5 converts numbers. It regards infinity as out of range too.
H5T_conv_ret_t stop_beyond_range(H5T_conv_except_t what, hid_t from, hid_t, void* number, void*,
                                 void* within) {
  if (what != H5T_CONV_EXCEPT_RANGE_HI && what != H5T_CONV_EXCEPT_RANGE_LOW)
    return H5T_CONV_UNHANDLED;
  if (is_infinite<double>(from, H5T_NATIVE_DOUBLE, number) ||
      is_infinite<long double>(from, H5T_NATIVE_LDOUBLE, number))
    return H5T_CONV_UNHANDLED;
  *static_cast<bool*>(within) = false;
  return H5T_CONV_ABORT;
}

}  // namespace

Hdf5Quiet::Hdf5Quiet() {
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Quiet::~Hdf5Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

Hdf5File::Hdf5File(const std::filesystem::path& path, Mode mode, std::filesystem::path shown)
    : shown_(std::move(shown)) {
  if (mode == Mode::create) {
    const Hdf5List access(Hdf5Sink::access_list());
    file_ = Hdf5Handle<H5Fclose>(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()));
  } else {
    if (const std::string why = why_no_file(path); !why.empty())
      throw Error("can't read `" + shown_.string() + "`: " + why);
    file_ = Hdf5Handle<H5Fclose>(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  }
  if (!file_.valid()) fail(mode == Mode::create ? kWrite : kRead);
}

void Hdf5File::fail(const std::string& what) const {
  throw Error(what + " `" + shown_.string() + "`: HDF5 says: " + innermost_reason());
}

Hdf5Set Hdf5File::open_set(const std::string& name) const {
  return good<Hdf5Set>(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), kRead);
}

void Hdf5File::make_group(const std::string& name) {
  const auto made = H5Gcreate2(file_.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (!good<Hdf5Group>(made, kWrite).close()) fail(kWrite);
}

Hdf5List Hdf5File::timeless() const {
  auto creation = good<Hdf5List>(H5Pcreate(H5P_DATASET_CREATE), kWrite);
  must(H5Pset_obj_track_times(creation.get(), false), kWrite);
  return creation;
}

void Hdf5File::make_field(const std::string& name, om::Element element,
                          const std::vector<std::int64_t>& size) {
  const auto space = simple_space(slowest_first(size));
  const Hdf5List creation = timeless();
  must(H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY), kWrite);  // so it has a place
  auto set = good<Hdf5Set>(H5Dcreate2(file_.get(), name.c_str(), file_type(element), space.get(),
                                      H5P_DEFAULT, creation.get(), H5P_DEFAULT),
                           kWrite);
  if (!set.close()) fail(kWrite);
}

std::int64_t Hdf5File::place_of(const std::string& name) const {
  const haddr_t place = H5Dget_offset(open_set(name).get());
  if (place == HADDR_UNDEF) fail(kWrite);
  return static_cast<std::int64_t>(place);
}

void Hdf5File::write_cells(const std::string& name, const FieldView& view,
                           const std::vector<std::int64_t>& lower) {
  auto set = open_set(name);
  const auto space = good<Hdf5Space>(H5Dget_space(set.get()), kWrite);
  for_each_volume(view, lower, space, [&](hid_t memory, hid_t file, const void* cells) {
    must(H5Dwrite(set.get(), memory_type(view.element), memory, file, H5P_DEFAULT, cells), kWrite);
  });
  if (!set.close()) fail(kWrite);
}

void Hdf5File::write_field(const std::string& name, const FieldView& view) {
  make_field(name, view.element, view.size);
  write_cells(name, view, om::Cell(view.size.size(), 0));
}

void Hdf5File::write_scalar(const std::string& name, om::Constant value) {
  const Hdf5Space space(H5Screate(H5S_SCALAR));
  const auto set =
      good<Hdf5Set>(H5Dcreate2(file_.get(), name.c_str(), file_type(value.element()), space.get(),
                               H5P_DEFAULT, timeless().get(), H5P_DEFAULT),
                    kWrite);
  om::with_element(value.element(), [&](auto t) {
    t = value.as<decltype(t)>();
    must(H5Dwrite(set.get(), memory_type(value.element()), H5S_ALL, H5S_ALL, H5P_DEFAULT, &t),
         kWrite);
  });
}

void Hdf5File::write_attribute(const std::string& name, hid_t file_type, hid_t memory_type,
                               const void* value) {
  const Hdf5Space space(H5Screate(H5S_SCALAR));
  const auto attribute = good<Hdf5Attribute>(
      H5Acreate2(file_.get(), name.c_str(), file_type, space.get(), H5P_DEFAULT, H5P_DEFAULT),
      kWrite);
  must(H5Awrite(attribute.get(), memory_type, value), kWrite);
}

void Hdf5File::write_attribute(const std::string& name, const std::string& text) {
  const Hdf5Type type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.get(), text.size() + 1);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  write_attribute(name, type.get(), type.get(), text.c_str());
}

void Hdf5File::write_attribute(const std::string& name, std::int64_t number) {
  write_attribute(name, H5T_STD_I64LE, H5T_NATIVE_INT64, &number);
}

void Hdf5File::write_attribute(const std::string& name, double number) {
  write_attribute(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &number);
}

bool Hdf5File::has(const std::string& name) const {
  // Each component of the path must exist before the next may be queried.
  for (auto slash = name.find('/', 1); slash != std::string::npos;
       slash = name.find('/', slash + 1))
    if (H5Lexists(file_.get(), name.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
  if (H5Lexists(file_.get(), name.c_str(), H5P_DEFAULT) <= 0) return false;
  return Hdf5Set(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT)).valid();
}

std::vector<std::int64_t> Hdf5File::size(const std::string& name) const {
  const auto space = good<Hdf5Space>(H5Dget_space(open_set(name).get()), kRead);
  std::vector<hsize_t> extent(
      static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space.get()))));
  H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr);
  return {extent.rbegin(), extent.rend()};
}

bool Hdf5File::holds(const std::string& name, om::Element element) const {
  const auto type = good<Hdf5Type>(H5Dget_type(open_set(name).get()), kRead);
  if (element == om::Element::boolean && is_enumerated_truth(type.get())) return true;
  return H5Tget_class(type.get()) == (om::is_float(element) ? H5T_FLOAT : H5T_INTEGER);
}

namespace {

/// Floats that HDF5 converts to smaller ones bit by bit, with another rounding than the
/// processor's: foreign ones, big-endian for example. Gives the processor's type that holds them;
/// none for all others.
std::optional<hid_t> holder_of_foreign(hid_t type, om::Element element) {
  if (!om::is_float(element) || H5Tget_class(type) != H5T_FLOAT ||
      H5Tget_size(type) <= om::size_of(element) || H5Tequal(type, H5T_NATIVE_DOUBLE) > 0 ||
      H5Tequal(type, H5T_NATIVE_LDOUBLE) > 0)
    return std::nullopt;
  return H5Tget_size(type) <= sizeof(double) ? H5T_NATIVE_DOUBLE : H5T_NATIVE_LDOUBLE;
}

herr_t give_all(const void** source, std::size_t* bytes, void* all) {
  const auto& cells = *static_cast<std::vector<char>*>(all);
  *source = cells.data();
  *bytes = cells.size();
  return 0;
}

/// Reads numbers as `holder`, which has them exactly, and rounds them as the processor does.
herr_t read_foreign(hid_t set, hid_t holder, hid_t type, hid_t memory, hid_t file, hid_t transfer,
                    void* cells) {
  const auto count = static_cast<hsize_t>(H5Sget_select_npoints(memory));
  const Hdf5Space flat(H5Screate_simple(1, &count, nullptr));
  std::vector<char> numbers(count * H5Tget_size(holder));
  if (H5Dread(set, holder, flat.get(), file, H5P_DEFAULT, numbers.data()) < 0) return -1;
  if (H5Tconvert(holder, type, count, numbers.data(), nullptr, transfer) < 0) return -1;
  numbers.resize(count * H5Tget_size(type));
  return H5Dscatter(give_all, &numbers, type, memory, cells);
}

}  // namespace

bool Hdf5File::read_cells(const std::string& name, const FieldView& view,
                          const std::vector<std::int64_t>& lower) const {
  const auto set = open_set(name);
  const auto space = good<Hdf5Space>(H5Dget_space(set.get()), kRead);
  const auto type = good<Hdf5Type>(H5Dget_type(set.get()), kRead);
  const auto holder = holder_of_foreign(type.get(), view.element);
  const auto transfer = good<Hdf5List>(H5Pcreate(H5P_DATASET_XFER), kRead);
  bool within = true;                        // unless told otherwise, HDF5 saturates instead
  if (view.element != om::Element::boolean)  // a saturated byte is no truth either
    must(H5Pset_type_conv_cb(transfer.get(), stop_beyond_range, &within), kRead);
  for_each_volume(view, lower, space, [&](hid_t memory, hid_t file, void* cells) {
    if (!within) return;
    const hid_t own = memory_type(view.element);
    const auto status =
        holder ? read_foreign(set.get(), *holder, own, memory, file, transfer.get(), cells)
               : H5Dread(set.get(), own, memory, file, transfer.get(), cells);
    if (within) must(status, kRead);
  });
  return within;
}

namespace {

/// An attribute of a foreign file may be an array.
bool is_single(const Hdf5Attribute& attribute) {
  const Hdf5Space space(H5Aget_space(attribute.get()));
  return H5Sget_simple_extent_npoints(space.get()) == 1;
}

}  // namespace

std::optional<std::string> Hdf5File::text_attribute(const std::string& name) const {
  if (H5Aexists(file_.get(), name.c_str()) <= 0) return std::nullopt;
  const Hdf5Attribute attribute(H5Aopen(file_.get(), name.c_str(), H5P_DEFAULT));
  const Hdf5Type type(H5Aget_type(attribute.get()));
  if (!is_single(attribute) || H5Tget_class(type.get()) != H5T_STRING ||
      H5Tis_variable_str(type.get()) > 0)
    return std::nullopt;
  std::string text(H5Tget_size(type.get()), '\0');
  if (H5Aread(attribute.get(), type.get(), text.data()) < 0) return std::nullopt;
  return std::string(text.c_str());
}

std::optional<double> Hdf5File::number_attribute(const std::string& name) const {
  if (H5Aexists(file_.get(), name.c_str()) <= 0) return std::nullopt;
  const Hdf5Attribute attribute(H5Aopen(file_.get(), name.c_str(), H5P_DEFAULT));
  double number = 0;
  if (!is_single(attribute) || H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, &number) < 0)
    return std::nullopt;
  return number;
}

void Hdf5File::close() {
  if (!file_.close()) fail(kWrite);
  if (const int error = Hdf5Sink::error(); error != 0) fail_to_write(shown_, error);
}

}  // namespace paraiso::runtime
