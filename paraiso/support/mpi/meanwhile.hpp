// What MPI needs while a process computes: long messages move only when it is called.
// Gives: Meanwhile in paraiso_mpi. Needs: nothing.
#pragma once

#include <signal.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>

namespace paraiso_mpi {

/// Does a short piece of work every 100 microseconds while another thread computes, on a thread of
/// its own, which sleeps in between.
class Meanwhile {
 public:
  /// `work` gives whether it is to be done again; it ends, too, if it throws: whoever comes back to
  /// the messages meets the fault again.
  explicit Meanwhile(std::function<bool()> work) : work_(std::move(work)) {}
  ~Meanwhile() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      on_ = false;
      over_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  Meanwhile(const Meanwhile&) = delete;
  Meanwhile& operator=(const Meanwhile&) = delete;

  /// Where the system gives no more threads, messages wait as they would without this.
  void start() {
    if (!thread_.joinable() && !begins()) return;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      on_ = true;
    }
    changed_.notify_one();
  }
  /// From its return on nothing is being done.
  void stop() {
    if (!thread_.joinable()) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    on_ = false;
  }

 private:
  /// Signals are for the threads that were there.
  bool begins() {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      thread_ = std::thread([this] { serve(); });
    } catch (const std::system_error&) {
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return thread_.joinable();
  }
  void serve() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!over_) {
      if (on_)
        changed_.wait_for(lock, std::chrono::microseconds(100));
      else
        changed_.wait(lock);
      if (on_) on_ = is_to_go_on();
    }
  }
  bool is_to_go_on() const {
    try {
      return work_();
    } catch (const std::exception&) {
      return false;
    }
  }

  const std::function<bool()> work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool on_ = false, over_ = false;
  std::thread thread_;
};

}  // namespace paraiso_mpi
