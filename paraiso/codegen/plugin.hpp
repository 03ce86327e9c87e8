// The C entry points of a generated library built with `plugin = true`: what the runtime loads.
// Gives: kPluginVersion, Plugin, kDevicePluginVersion, DevicePlugin. Needs: place.hpp. The
// generated code declares the same, on its own.
#pragma once

#include <cstdint>

#include "paraiso/support/place.hpp"

namespace paraiso::codegen {

inline constexpr int kPluginVersion = 6;

/// Returned by `extern "C" const void* paraiso_plugin()` (for class NAME: `paraiso_plugin_NAME`).
/// Sizes have one entry per axis; kernels and statics are numbered as in the machine.
struct Plugin {
  int version;
  double (*bytes)(const std::int64_t* size);
  // nullptr if memory does not suffice; work of less than `least_shared` ns runs on one thread
  void* (*create)(const std::int64_t* size, int threads, double least_shared);
  // the same for a part of a grid; nullptr where the back end has none
  void* (*create_part)(const paraiso_support::Place* place, int threads, double least_shared);
  void (*destroy)(void* self);
  void (*run)(void* self, int kernel);
  void* (*field)(void* self, int static_index);        // Local: address of core cell (0, 0, ...)
  void* (*scalar)(void* self, int static_index);       // Global: address of its value
  void (*strides)(void* self, std::int64_t* strides);  // in elements, the same for every field
  // Of a program with thresholds, else nullptr. The threshold is one that there is; the text is
  // valid until this thread asks again.
  void (*set_threshold)(void* self, const char* name, std::int64_t value);
  const char* (*comparisons)(void* self);
  // Calls work(context, part) for so many parts, each by a thread; nullptr where the back end has
  // no parts of grids.
  void (*share)(int parts, void (*work)(void* context, int part), void* context);
};

inline constexpr int kDevicePluginVersion = 4;

/// Of a back end of devices besides, by `paraiso_device_NAME`: there `run` does not wait.
struct DevicePlugin {
  int version;
  void (*finish)(void* self);  // waits for all kernels
  // As the class's `take_steps`, -1 for other kernels; nullptr where scalars are the host's.
  std::int64_t (*take_steps)(void* self, int kernel, std::int64_t count, double until, int* stop);
  const void* (*look)(void* self, int static_index);  // as `field`, to read only
  // As the class's methods: found, kept and restored on the device.
  bool (*has_nan)(void* self, int static_index);
  void (*free_copy)(void* self, int static_index);  // the host's
  bool (*keep_fields)(void* self);
  void (*restore_fields)(void* self);
  std::int64_t (*graph_launches)(void* self);  // so far; nullptr where there are none
};

}  // namespace paraiso::codegen
