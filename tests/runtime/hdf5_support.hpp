// Reads HDF5 files as a user's program would, with the library itself.
// Gives: dataset. Needs: libhdf5, GoogleTest.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <vector>

namespace paraiso::test {

/// The values of a dataset, and its extent.
template <class T>
std::vector<T> dataset(const std::filesystem::path& path, const char* name, hid_t type,
                       std::vector<hsize_t>& extent) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  const hid_t space = H5Dget_space(set);
  extent.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, extent.data(), nullptr);
  std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  EXPECT_GE(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Sclose(space);
  H5Dclose(set);
  H5Fclose(file);
  return values;
}

}  // namespace paraiso::test
