#include "paraiso/runtime/output/hdf5_sink.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include "paraiso/runtime/system/file.hpp"

namespace paraiso::runtime {
namespace {

thread_local int first_error = 0;

void note_error() {
  if (first_error == 0) first_error = errno;
}

/// HDF5 keeps what it knows of a file in the first member.
struct Sink {
  H5FD_t common;
  int descriptor;
  haddr_t end_of_addresses, end_of_file;
};

Sink& sink(H5FD_t* file) { return *reinterpret_cast<Sink*>(file); }
const Sink& sink(const H5FD_t* file) { return *reinterpret_cast<const Sink*>(file); }

H5FD_t* open_sink(const char* name, unsigned, hid_t, haddr_t) {
  first_error = 0;
  const int descriptor = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return nullptr;
  auto* made = new Sink{};
  made->descriptor = descriptor;
  return &made->common;
}

herr_t close_sink(H5FD_t* file) {
  if (close(sink(file).descriptor) != 0) note_error();
  delete &sink(file);
  return 0;
}

herr_t query(const H5FD_t*, unsigned long* features) {
  *features =
      H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t end_of_addresses(const H5FD_t* file, H5FD_mem_t) { return sink(file).end_of_addresses; }

herr_t set_end_of_addresses(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  sink(file).end_of_addresses = end;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) { return sink(file).end_of_file; }

herr_t read_sink(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, size_t bytes, void* data) {
  // Bytes never written read as zero.
  std::memset(data, 0, bytes);
  auto* next = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = pread(sink(file).descriptor, next, bytes, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    next += got;
    at += static_cast<haddr_t>(got);
    bytes -= static_cast<size_t>(got);
  }
  return 0;
}

herr_t write_sink(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, size_t bytes, const void* data) {
  sink(file).end_of_file = std::max(sink(file).end_of_file, at + bytes);
  if (first_error == 0)
    first_error = write_at(sink(file).descriptor, data, bytes, static_cast<std::int64_t>(at));
  return 0;
}

herr_t truncate_sink(H5FD_t* file, hid_t, hbool_t) {
  Sink& to = sink(file);
  if (to.end_of_file == to.end_of_addresses) return 0;
  if (first_error == 0 && ftruncate(to.descriptor, static_cast<off_t>(to.end_of_addresses)) != 0)
    note_error();
  to.end_of_file = to.end_of_addresses;
  return 0;
}

H5FD_class_t describe_driver() {
  H5FD_class_t driver = {};
#if H5_VERSION_GE(1, 13, 2)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(600);  // 512 and up are for drivers not in HDF5
#endif
  driver.name = "paraiso_sink";
  driver.maxaddr = HADDR_MAX / 2;
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.open = open_sink;
  driver.close = close_sink;
  driver.query = query;
  driver.get_eoa = end_of_addresses;
  driver.set_eoa = set_end_of_addresses;
  driver.get_eof = end_of_file;
  driver.read = read_sink;
  driver.write = write_sink;
  driver.truncate = truncate_sink;
  return driver;
}

}  // namespace

hid_t Hdf5Sink::access_list() {
  static const H5FD_class_t driver = describe_driver();
  static const hid_t id = H5FDregister(&driver);
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_driver(list, id, nullptr);
  return list;
}

int Hdf5Sink::error() { return first_error; }

}  // namespace paraiso::runtime
