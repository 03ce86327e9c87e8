#include "paraiso/runtime/hdf5.hpp"

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/file.hpp"
#include "paraiso/runtime/hdf5_sink.hpp"

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
    case om::Element::boolean: return H5T_NATIVE_UINT8;
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

/// HDF5 counts the slowest axis first.
std::vector<hsize_t> slowest_first(const std::vector<std::int64_t>& size) {
  return {size.rbegin(), size.rend()};
}

Hdf5Space simple_space(const std::vector<hsize_t>& extent) {
  return Hdf5Space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr));
}

/// Memory as a padded array whose core cells are selected, so that nothing is copied first.
/// Possible where each stride is a multiple of the one below it, as strides of padded arrays are.
Hdf5Space memory_space(const FieldView& view) {
  std::vector<std::int64_t> padded;
  for (std::size_t a = 0; a + 1 < view.size.size(); ++a)
    padded.push_back(view.strides[a + 1] / view.strides[a]);
  padded.push_back(view.size.back());
  auto space = simple_space(slowest_first(padded));
  const auto count = slowest_first(view.size);
  const std::vector<hsize_t> start(count.size(), 0);
  H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
  return space;
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

void Hdf5File::write_field(const std::string& name, const FieldView& view) {
  const auto space = simple_space(slowest_first(view.size));
  auto set = good<Hdf5Set>(H5Dcreate2(file_.get(), name.c_str(), file_type(view.element),
                                      space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                           kWrite);
  must(H5Dwrite(set.get(), memory_type(view.element), memory_space(view).get(), space.get(),
                H5P_DEFAULT, view.data),
       kWrite);
  if (!set.close()) fail(kWrite);
}

void Hdf5File::write_numbers(const std::string& name, const std::vector<double>& numbers) {
  FieldView view;
  view.data = const_cast<double*>(numbers.data());
  view.size = {static_cast<std::int64_t>(numbers.size())};
  view.strides = {1};
  write_field(name, view);
}

void Hdf5File::write_scalar(const std::string& name, om::Constant value) {
  const Hdf5Space space(H5Screate(H5S_SCALAR));
  const auto set = good<Hdf5Set>(H5Dcreate2(file_.get(), name.c_str(), file_type(value.element()),
                                            space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
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
  // Each step of the path must be there before the next may be asked for.
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
  return H5Tget_class(type.get()) == (om::is_float(element) ? H5T_FLOAT : H5T_INTEGER);
}

void Hdf5File::read_field(const std::string& name, const FieldView& view) const {
  must(H5Dread(open_set(name).get(), memory_type(view.element), memory_space(view).get(), H5S_ALL,
               H5P_DEFAULT, view.data),
       kRead);
}

std::optional<std::string> Hdf5File::text_attribute(const std::string& name) const {
  if (H5Aexists(file_.get(), name.c_str()) <= 0) return std::nullopt;
  const Hdf5Attribute attribute(H5Aopen(file_.get(), name.c_str(), H5P_DEFAULT));
  const Hdf5Type type(H5Aget_type(attribute.get()));
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) > 0)
    return std::nullopt;
  std::string text(H5Tget_size(type.get()), '\0');
  if (H5Aread(attribute.get(), type.get(), text.data()) < 0) return std::nullopt;
  return std::string(text.c_str());
}

std::optional<double> Hdf5File::number_attribute(const std::string& name) const {
  if (H5Aexists(file_.get(), name.c_str()) <= 0) return std::nullopt;
  const Hdf5Attribute attribute(H5Aopen(file_.get(), name.c_str(), H5P_DEFAULT));
  double number = 0;
  if (H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, &number) < 0) return std::nullopt;
  return number;
}

void Hdf5File::close() {
  if (!file_.close()) fail(kWrite);
  if (const int error = Hdf5Sink::error(); error != 0) fail_to_write(shown_, error);
}

}  // namespace paraiso::runtime
