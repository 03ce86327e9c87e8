// The OpenCL device that tests use, or why there is none: then they are skipped.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "paraiso/support/device/opencl_layer.hpp"

namespace paraiso {

struct Opened {
  std::optional<paraiso_opencl::Device> device;
  std::string why;  // there is none
};

/// PoCL there uses two threads at most and a cache of its own, which goes when the tests end.
const Opened& opened();

}  // namespace paraiso

#define PARAISO_NEEDS_DEVICE() \
  if (!paraiso::opened().device) GTEST_SKIP() << "SKIP: " << paraiso::opened().why
