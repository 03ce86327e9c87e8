// Hdf5Sink: how HDF5 writes its files here: a failed write is remembered, and told to us only.
// Gives: Hdf5Sink. Needs: HDF5's virtual file layer. For this folder only.
//
// HDF5 1.10 does not survive a write that fails (it crashes when the file is closed, or at exit).
// So the driver here says that all is well whatever the system says, drops what comes after the
// first failure, and keeps the error; who made the file asks for it after closing, and throws the
// file away.
#pragma once

#include <hdf5.h>

namespace paraiso::runtime {

class Hdf5Sink {
 public:
  /// A file access list for H5Fcreate; the caller closes it. One file at a time in a thread.
  [[nodiscard]] static hid_t access_list();
  /// The error number of the first write that failed since H5Fcreate, or 0.
  [[nodiscard]] static int error();
};

}  // namespace paraiso::runtime
