#include "paraiso/runtime/transport/world.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "paraiso/base/error.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/runtime/system/host.hpp"
#include "paraiso/runtime/transport/mpi_functions.h"

namespace paraiso::runtime {
namespace {

constexpr std::size_t kName = 256;  // chars, in the table of functions
constexpr char kFailed = 'f', kReady = 'r';
constexpr char kShared = 's', kNothing = 'n';  // from rank 0, before its decision

/// Where the first rank of a host, or rank 0, has failed: it tells why.
struct Dismissed : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return "another rank has failed"; }
};

Bytes bytes_of(char kind, const std::string& text) {
  Bytes bytes(1, kind);
  bytes.insert(bytes.end(), text.begin(), text.end());
  return bytes;
}

/// One line each; names and values have no newline.
std::string text_of(const Identity& identity) {
  std::string text;
  for (const auto& [name, value] : identity) text += value + "\n";
  return text;
}

/// Why what a rank told ends all; empty if it doesn't.
std::string complaint(const Bytes& told, const Identity& own) {
  const std::string text(told.begin() + 1, told.end());
  if (told[0] == kFailed) return text;
  const auto values = split(text, '\n');
  for (std::size_t i = 0; i < own.size(); ++i)
    if (!own[i].first.empty() && (i >= values.size() || values[i] != own[i].second))
      return fmt::format("it has another {}: {}, and rank 0 {}", own[i].first,
                         i < values.size() ? values[i] : "", own[i].second);
  return {};
}

/// Whether something without a name is other there.
bool differs_unnamed(const Bytes& told, const Identity& own) {
  const auto values = split(std::string(told.begin() + 1, told.end()), '\n');
  for (std::size_t i = 0; i < std::min(own.size(), values.size()); ++i)
    if (own[i].first.empty() && values[i] != own[i].second) return true;
  return false;
}

Error missing(const Launch& launch) {
  if (launch.kind == nullptr)
    return Error(fmt::format("started as one of {} processes by {}, which connects them by no MPI",
                             launch.ranks, launch.launcher))
        .with_hint("`srun --mpi=pmix` or `--mpi=pmi2`, or an MPI's own mpirun");
  std::vector<std::string> folders;
  for (const auto& folder : mpi_folders())
    if (folder.filename() == "paraiso") folders.push_back(fmt::format("`{}`", folder.string()));
  return Error(fmt::format(
                   "started as one of {} processes by {}, but `libparaiso_mpi_{}.so` is not "
                   "in {}",
                   launch.ranks, launch.launcher, launch.kind->name, fmt::join(folders, ", ")))
      .with_hint(fmt::format("install {} and build Paraiso again; where it has been installed "
                             "elsewhere, set LD_LIBRARY_PATH to its `lib/paraiso`",
                             launch.kind->packages));
}

Error alone(const Launch& launch, int ranks) {
  return Error(fmt::format("started as one of {} processes by {}, but {} connects {}", launch.ranks,
                           launch.launcher, launch.kind->title,
                           ranks == 1 ? "none of them" : fmt::format("{}", ranks)))
      .with_hint("start it with the mpirun of the MPI that PARAISO_MPI names, or without that");
}

/// Stays loaded.
const paraiso_mpi_functions& load_mpi(const std::filesystem::path& file, int visibility) {
  void* handle = dlopen(file.c_str(), RTLD_NOW | visibility);
  void* table = handle == nullptr ? nullptr : dlsym(handle, "paraiso_mpi");
  if (table == nullptr) throw Error(fmt::format("can't load `{}`: {}", file.string(), dlerror()));
  return *static_cast<const paraiso_mpi_functions*>(table);
}

}  // namespace

std::string mpi_version(const std::filesystem::path& library) {
  char text[kName] = "";
  load_mpi(library, RTLD_LOCAL).version(text);  // there may be several, with the same symbols
  return text;
}

World::World(const Launch& launch, std::size_t piece) {
  const auto file = launch.kind == nullptr ? std::nullopt : mpi_library(*launch.kind);
  if (!file) throw missing(launch);
  // Parts of an MPI that it loads itself look for its symbols among those of all.
  mpi_ = &load_mpi(*file, RTLD_GLOBAL);
  int rank = 0, ranks = 0;
  if (mpi_->start(&rank, &ranks) != 0)
    throw Error(fmt::format("{} can't be used by programs with threads", launch.kind->title));
  if (ranks != launch.ranks) throw alone(launch, ranks);
  std::vector<char> names(static_cast<std::size_t>(ranks) * kName);
  mpi_->hosts(names.data());
  std::vector<std::string> hosts;
  for (int r = 0; r < ranks; ++r)
    hosts.emplace_back(names.data() + static_cast<std::size_t>(r) * kName);
  transport_ = std::make_unique<MpiTransport>(*mpi_, rank, hosts, piece);
  find_ranks_here(hosts);
}

void World::find_ranks_here(const std::vector<std::string>& hosts) {
  for (int r = 0; r < ranks(); ++r)
    if (hosts[static_cast<std::size_t>(r)] == hosts[static_cast<std::size_t>(rank())])
      here_.push_back(r);
}

int World::threads_of_a_rank() const {
  const auto allowed = [](pid_t process) {
    cpu_set_t set;
    return sched_getaffinity(process, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
  };
  const int mine = host().threads, others = static_cast<int>(here_.size());
  const int launcher = allowed(getppid());
  // Who is not bound shares with all ranks of the host; who is, perhaps with some.
  if (allowed(0) >= launcher) return std::max(1, mine / others);
  return std::max(1, std::min(mine, launcher / others));
}

/// Whether it is what rank 0 shares, and not yet what is awaited.
bool World::set_aside(const Bytes& told) {
  if (told[0] != kShared && told[0] != kNothing) return false;
  if (told[0] == kShared) shared_ = std::string(told.begin() + 1, told.end());
  return true;
}

Bytes World::receive_word(int from) {
  for (;;)
    if (Bytes told = transport_->receive(from); !set_aside(told)) return told;
}

void World::share(const std::string& text) {
  shared_ = text;
  for (int other = 1; other < ranks(); ++other) transport_->send(other, bytes_of(kShared, text));
}

const std::string& World::shared() {
  if (!shared_ && (!set_aside(transport_->receive(0)) || !shared_)) throw Dismissed();
  return *shared_;
}

void World::in_turns(const std::function<void()>& work) {
  if (rank() != here_.front()) {
    const Bytes told = receive_word(here_.front());
    if (told[0] != kReady) throw Dismissed();
    return work();
  }
  const auto tell_others = [&](char kind) {
    for (const int other : here_)
      if (other != rank()) transport_->send(other, Bytes(1, kind));
  };
  try {
    work();
  } catch (...) {
    tell_others(kFailed);
    throw;
  }
  tell_others(kReady);
}

void World::decide(bool go_on) {
  for (int other = 1; other < ranks(); ++other)
    transport_->send(other, Bytes(1, go_on ? kReady : kFailed));
  stage_ = go_on ? Stage::working : Stage::over;
}

void World::await_decision() {
  const Bytes decision = receive_word(0);
  stage_ = decision[0] == kReady ? Stage::working : Stage::over;
}

void World::agree(const Identity& own) {
  if (rank() > 0) {
    transport_->send(0, bytes_of(kReady, text_of(own)));
    await_decision();
    if (stage_ == Stage::over) throw Dismissed();
    transport_->pass_signals_on();
    return;
  }
  Failure first;
  for (int other = 1; other < ranks(); ++other) {
    const Bytes told = transport_->receive(other);
    const std::string why = complaint(told, own);
    if (differs_unnamed(told, own)) unlike_.insert(transport_->host(other));
    if (first.message.empty() && !why.empty()) first = {other, why, ""};
  }
  decide(first.message.empty());
  if (!first.message.empty()) throw error_of(first, *transport_);
}

void World::fail() noexcept {
  if (stage_ != Stage::before) return;
  std::string text;
  try {
    throw;
  } catch (const Dismissed&) {
    // whoever failed tells it
  } catch (...) {
    const Failure why = failure_in_flight(rank());
    text = why.message + (why.hint.empty() ? "" : "\nhint: " + why.hint);
  }
  transport_->send(0, bytes_of(kFailed, text));
  await_decision();
}

int World::leave(int status) {
  if (stage_ == Stage::before && rank() == 0) {
    for (int other = 1; other < ranks() && !shared_; ++other)
      transport_->send(other, Bytes(1, kNothing));
    for (int other = 1; other < ranks(); ++other) (void)transport_->receive(other);
    decide(false);
  } else if (stage_ == Stage::before) {
    transport_->send(0, bytes_of(kReady, ""));
    await_decision();
  }
  if (transport_->is_abandoned()) {
    // Rank 0 ends all, when it has told why. A launcher that is told to end all may drop what it
    // has not read yet.
    std::this_thread::sleep_for(std::chrono::seconds(rank() > 0 ? 20 : 1));
    mpi_->abort(status);
  }
  transport_->flush();
  mpi_->finish();
  return status;
}

}  // namespace paraiso::runtime
