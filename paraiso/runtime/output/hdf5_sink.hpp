// Hdf5Sink: how HDF5 writes its files here: a failed write is remembered and hidden from HDF5.
// Gives: Hdf5Sink. Needs: HDF5's virtual file layer. For this folder only.
//
// HDF5 1.10 does not survive a failed write (it crashes when the file is closed, or at exit). So
// this driver reports success whatever the system says, drops everything after the first failure,
// and keeps the error; the creator of the file asks for it after closing, and removes the file.
#pragma once

#include <hdf5.h>

namespace paraiso::runtime {

class Hdf5Sink {
 public:
  /// A file access list for H5Fcreate; the caller closes it. One file at a time per thread.
  [[nodiscard]] static hid_t access_list();
  /// The error number of the first write that failed since H5Fcreate, or 0.
  [[nodiscard]] static int error();
};

}  // namespace paraiso::runtime
