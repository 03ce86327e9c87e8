// Team: ranks as threads, which all do the same work and end it together.
// Gives: Team. Needs: transport, Error.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "paraiso/runtime/ranks/transport.hpp"

namespace paraiso::runtime {

/// Invariant: outside of `run` all threads but the caller's, which is rank 0, wait for work. So
/// whatever is decided between two calls is decided once.
class Team {
 public:
  explicit Team(int ranks);
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team();

  [[nodiscard]] int ranks() const { return static_cast<int>(transports_.size()); }
  [[nodiscard]] Transport& transport(int rank) const {
    return *transports_[static_cast<std::size_t>(rank)];
  }
  /// Calls work(rank) on every rank's thread. If one fails, the others stop waiting for it, and the
  /// first failure is thrown as an Error that names its rank; nothing may be run after that.
  void run(const std::function<void(int rank)>& work);

 private:
  /// False, and nothing begins, after a failure.
  bool begin(const std::function<void(int rank)>& work);
  void wait_for_work(int rank);
  void do_work(int rank) noexcept;
  void note(int rank, const std::string& message, const std::string& hint) noexcept;

  std::vector<std::unique_ptr<Transport>> transports_;
  std::mutex mutex_;
  std::condition_variable begun_, ended_;
  const std::function<void(int)>* work_ = nullptr;
  std::uint64_t calls_ = 0;
  int working_ = 0;
  bool over_ = false;
  int failed_rank_ = -1;
  std::string failure_, hint_;
  std::vector<std::thread> threads_;  // of ranks from 1 on
};

}  // namespace paraiso::runtime
