#include "paraiso/support/device/launch_queue.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "paraiso/support/device/cuda_driver.hpp"

namespace paraiso_cuda {
namespace {

// As many orders as arrays may be in, and how many new ones in turn say that no graph will do:
// arguments change from step to step.
constexpr std::size_t kMostKnown = 6;
constexpr int kMostMissed = 8;

bool wants_graphs() {
  const char* const text = std::getenv("PARAISO_GRAPHS");
  return (!text || std::strcmp(text, "0") != 0) && !paraiso_support::waits_for_each_kernel();
}

bool has_all_of_graphs(const CudaDriver& driver) {
  bool has = true;
#define PARAISO_HAS(name, parameters) has = has && driver.name;
  PARAISO_CUDA_GRAPHS(PARAISO_HAS)
#undef PARAISO_HAS
  return has;
}

}  // namespace

void Launch::add(std::size_t bytes, const void* value) {
  arguments.push_back(words.size());
  words.resize(words.size() + (bytes + 7) / 8);
  std::memcpy(words.data() + arguments.back(), value, bytes);
}

bool Launch::equals(const Launch& other) const {
  return function == other.function && blocks == other.blocks && block == other.block &&
         shared_bytes == other.shared_bytes && words == other.words;
}

int Launch::tell(const CudaDriver& driver, void* stream) const {
  std::vector<void*> places;
  for (const std::size_t first : arguments)
    places.push_back(const_cast<std::uint64_t*>(words.data() + first));
  const auto number = [](std::size_t n) { return static_cast<unsigned>(n); };
  return driver.LaunchKernel(function, number(blocks[0]), number(blocks[1]), number(blocks[2]),
                             number(block[0]), number(block[1]), number(block[2]),
                             number(shared_bytes), stream, places.data(), nullptr);
}

LaunchQueue::LaunchQueue(const CudaDriver& driver, Told told)
    : driver_(driver),
      told_(std::move(told)),
      has_graphs_(wants_graphs() && has_all_of_graphs(driver)) {}

LaunchQueue::~LaunchQueue() { forget_graphs(); }

void LaunchQueue::begin_call(bool collects) {
  collecting_ = collects && has_graphs_;
  if (!collecting_) flush();
}

void LaunchQueue::end_call() {
  if (!collecting_) return;
  collecting_ = false;
  if (++calls_ == paraiso_support::calls_of_graph) end_calls();
}

void LaunchQueue::add(const Launch& launch) {
  if (collecting_) {
    queue_.push_back(launch);
  } else {
    flush();
    tell(launch);
  }
}

void LaunchQueue::flush() {
  std::vector<Launch> left;
  left.swap(queue_);
  calls_ = 0;
  for (const Launch& launch : left) tell(launch);
}

void LaunchQueue::tell(const Launch& launch) { told_(launch, launch.tell(driver_, nullptr)); }

void LaunchQueue::end_calls() {
  if (!replay()) return flush();
  ++graphs_;
  std::vector<Launch> told;
  told.swap(queue_);
  calls_ = 0;
  for (const Launch& launch : told) told_(launch, 0);
}

/// Whether the driver was told by a graph.
bool LaunchQueue::replay() {
  Sequence* const known = find();
  if (!known) {
    has_graphs_ = ++missed_ < kMostMissed;
    if (known_.size() == kMostKnown) {
      if (known_.front().graph) driver_.GraphExecDestroy(known_.front().graph);
      known_.erase(known_.begin());
    }
    known_.push_back({queue_, nullptr});
    return false;
  }
  missed_ = 0;
  if (!known->graph) known->graph = capture();
  has_graphs_ = known->graph && driver_.GraphLaunch(known->graph, nullptr) == 0;
  return has_graphs_;
}

LaunchQueue::Sequence* LaunchQueue::find() {
  for (Sequence& one : known_)
    if (std::equal(queue_.begin(), queue_.end(), one.launches.begin(), one.launches.end(),
                   [](const Launch& a, const Launch& b) { return a.equals(b); }))
      return &one;
  return nullptr;
}

/// The graph of what is collected; nullptr where the driver refuses any part of it.
void* LaunchQueue::capture() const {
  constexpr unsigned apart = 1;      // CU_STREAM_NON_BLOCKING
  constexpr int of_this_thread = 1;  // CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
  void *stream = nullptr, *graph = nullptr, *made = nullptr;
  if (driver_.StreamCreate(&stream, apart) != 0) return nullptr;
  if (driver_.StreamBeginCapture_v2(stream, of_this_thread) == 0) {
    int status = 0;
    for (const Launch& launch : queue_)
      if (status == 0) status = launch.tell(driver_, stream);
    if (driver_.StreamEndCapture(stream, &graph) != 0) graph = nullptr;
    if (graph && status == 0 && driver_.GraphInstantiateWithFlags(&made, graph, 0) != 0)
      made = nullptr;
    if (graph) driver_.GraphDestroy(graph);
  }
  driver_.StreamDestroy_v2(stream);
  return made;
}

void LaunchQueue::forget_graphs() {
  for (const Sequence& one : known_)
    if (one.graph) driver_.GraphExecDestroy(one.graph);
  known_.clear();
}

}  // namespace paraiso_cuda
