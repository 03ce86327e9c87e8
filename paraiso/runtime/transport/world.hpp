// World: the processes that a launcher started as one run: how they begin, agree and end together.
// Gives: Identity, mpi_version, World. Needs: launch, MpiTransport.
//
//   start      every process prepares the same work on its own, on each host one first; what rank 0
//              has chosen, it may share
//   agree      rank 0 compares what they have; one that failed, or differs, ends all
//   work       rank 0 drives, the others serve (divided_instance)
//   leave      all at once; if one failed amid work, rank 0 ends the others
//
// Only rank 0 talks to the user: what happens to others before they agree is told to it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>

#include "paraiso/runtime/transport/launch.hpp"
#include "paraiso/runtime/transport/mpi_transport.hpp"

namespace paraiso::runtime {

/// What must be the same on all ranks: what it is called, and its value. Without a name, it need
/// not be the same.
using Identity = std::vector<std::pair<std::string, std::string>>;

/// What an MPI calls itself, by our library for it. Throws Error if that can't be loaded.
[[nodiscard]] std::string mpi_version(const std::filesystem::path& library);

/// Bytes of a message that MPI, which counts in int, carries at once.
inline constexpr std::size_t kPiece = 1 << 30;

class World {
 public:
  /// Starts MPI. Throws Error if our library for it is missing or can't be loaded, or if MPI knows
  /// of another number of processes than the launcher: then each would think that it is alone.
  explicit World(const Launch& launch, std::size_t piece = kPiece);
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  [[nodiscard]] int rank() const { return transport_->rank(); }
  [[nodiscard]] int ranks() const { return transport_->ranks(); }
  [[nodiscard]] Transport& transport() { return *transport_; }
  /// Those on this host, in order.
  [[nodiscard]] const std::vector<int>& ranks_here() const { return here_; }
  /// By default: of what the launcher left to this process, or to all of this host together.
  [[nodiscard]] int threads_of_a_rank() const;

  /// The first rank of each host works, then the others of that host. Where the first fails, the
  /// others throw, too, and have nothing to tell.
  void in_turns(const std::function<void()>& work);

  /// Once, before they agree: rank 0 tells the others what they are to have, too.
  void share(const std::string& text);
  /// That text, which a rank other than 0 waits for. Throws if rank 0 fails before it shares any.
  [[nodiscard]] const std::string& shared();

  /// Goes on if all ranks have the same; from then on rank 0 alone heeds SIGINT and SIGTERM, also
  /// those to others, which pass them on to it. Else throws, on rank 0 an Error that names a rank that
  /// failed or has something else.
  void agree(const Identity& own);
  /// On rank 0, once they have: hosts where something without a name is other than here.
  [[nodiscard]] const std::set<std::string>& unlike_hosts() const { return unlike_; }
  /// In a handler, on a rank that is not 0 and can't go on: tells rank 0 what was caught.
  void fail() noexcept;

  /// The last call. Gives `status` back, or ends all processes with it.
  int leave(int status);

 private:
  enum class Stage : std::uint8_t { before, working, over };

  void find_ranks_here(const std::vector<std::string>& hosts);
  [[nodiscard]] Bytes receive_word(int from);
  bool set_aside(const Bytes& told);
  void decide(bool go_on);
  void await_decision();

  const paraiso_mpi_functions* mpi_ = nullptr;
  std::unique_ptr<MpiTransport> transport_;
  std::vector<int> here_;
  std::optional<std::string> shared_;
  std::set<std::string> unlike_;
  Stage stage_ = Stage::before;
};

}  // namespace paraiso::runtime
