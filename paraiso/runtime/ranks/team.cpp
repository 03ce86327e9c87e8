#include "paraiso/runtime/ranks/team.hpp"

#include <fmt/format.h>

#include <new>

#include "paraiso/base/error.hpp"

namespace paraiso::runtime {

Team::Team(int ranks) : transports_(in_process_ranks(ranks)) {
  for (int rank = 1; rank < ranks; ++rank)
    threads_.emplace_back([this, rank] { wait_for_work(rank); });
}

Team::~Team() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  begun_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Team::run(const std::function<void(int rank)>& work) {
  if (begin(work)) {
    begun_.notify_all();
    do_work(0);
  }
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [&] { return working_ == 0; });
  if (failed_rank_ < 0) return;
  const Error error(fmt::format("rank {} of {}: {}", failed_rank_, ranks(), failure_));
  throw hint_.empty() ? error : error.with_hint(hint_);
}

bool Team::begin(const std::function<void(int rank)>& work) {
  const std::lock_guard lock(mutex_);
  if (failed_rank_ >= 0) return false;
  work_ = &work;
  working_ = ranks();
  ++calls_;
  return true;
}

void Team::wait_for_work(int rank) {
  for (std::uint64_t done = 0;; ++done) {
    {
      std::unique_lock lock(mutex_);
      begun_.wait(lock, [&] { return over_ || calls_ > done; });
      if (over_) return;
    }
    do_work(rank);
  }
}

void Team::do_work(int rank) noexcept {
  try {
    (*work_)(rank);
  } catch (const Abandoned&) {
    // the rank that failed tells why
  } catch (const Error& error) {
    const auto& told = error.diagnostics();
    note(rank, told.front().message, told.size() > 1 ? told.back().message : "");
  } catch (const std::bad_alloc&) {
    note(rank, "there is not enough memory", "");
  } catch (const std::exception& error) {
    note(rank, error.what(), "");
  }
  const std::lock_guard lock(mutex_);
  if (--working_ == 0) ended_.notify_one();
}

void Team::note(int rank, const std::string& message, const std::string& hint) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (failed_rank_ < 0) {
      failed_rank_ = rank;
      failure_ = message;
      hint_ = hint;
    }
  }
  transport(rank).abandon();
}

}  // namespace paraiso::runtime
