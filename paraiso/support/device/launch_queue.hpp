// LaunchQueue: what a device of CUDA's or HIP's is still to be told. Calls of a solver's kernel
// that repeat are collected; when calls_of_graph of them have launched the same as so many before,
// with the same arguments, they are told at once, as a graph.
// Gives: Launch, LaunchQueue in paraiso_cuda. Needs: graphs, report, cuda_driver.
//
// What was collected is told one by one where it differs from what was before, where somebody
// waits, and where the driver has no graphs or refuses one. So a graph never changes what runs, or
// in which order. $PARAISO_GRAPHS=0 has none; nor has $PARAISO_SYNC=1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "paraiso/support/device/graphs.hpp"
#include "paraiso/support/device/report.hpp"

namespace paraiso_cuda {

struct CudaDriver;

/// A kernel that is to run.
struct Launch {
  void* function = nullptr;
  std::string kernel;
  paraiso_support::Extent blocks{}, block{};
  std::size_t shared_bytes = 0;
  std::vector<std::uint64_t> words;    // of all arguments, each in whole words
  std::vector<std::size_t> arguments;  // where each begins

  void add(std::size_t bytes, const void* value);
  bool equals(const Launch& other) const;
  /// Gives the driver's status.
  int tell(const CudaDriver& driver, void* stream) const;
};

/// Invariant: launches happen in the order in which they are added, and all of them before anything
/// that is told after `flush`.
class LaunchQueue {
 public:
  /// `told(launches, status)` checks what the driver said of launches that it was told of.
  using Told = std::function<void(const Launch&, int status)>;
  LaunchQueue(const CudaDriver& driver, Told told);
  ~LaunchQueue();
  LaunchQueue(const LaunchQueue&) = delete;
  LaunchQueue& operator=(const LaunchQueue&) = delete;

  /// A call of a kernel begins that may come again; `collects`: whether that is worth a graph.
  void begin_call(bool collects);
  void end_call();
  void add(const Launch& launch);
  void flush();
  /// Before kernels are unloaded, which graphs have.
  void forget_graphs();
  /// Graphs that were launched.
  std::int64_t graphs() const { return graphs_; }

 private:
  struct Sequence {
    std::vector<Launch> launches;
    void* graph;  // nullptr: seen once
  };
  void tell(const Launch& launch);
  void end_calls();
  bool replay();
  Sequence* find();
  void* capture() const;

  const CudaDriver& driver_;
  Told told_;
  bool has_graphs_, collecting_ = false;
  int calls_ = 0, missed_ = 0;  // calls collected; sequences in turn that were new
  std::vector<Launch> queue_;
  std::vector<Sequence> known_;
  std::int64_t graphs_ = 0;
};

}  // namespace paraiso_cuda
