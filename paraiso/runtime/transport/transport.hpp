// Transport: messages between the ranks of a divided run, whatever carries them.
// Gives: Bytes, Failure, failure_in_flight, rank_name, error_of, Abandoned, Transport,
// in_process_ranks. Needs: Error.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "paraiso/base/error.hpp"

namespace paraiso::runtime {

using Bytes = std::vector<char>;

/// Why a rank can't go on.
struct Failure {
  int rank = 0;
  std::string message, hint;  // no hint: empty
};
/// That of the rank in whose handler it is called: what was caught there.
[[nodiscard]] Failure failure_in_flight(int rank);

/// Thrown where a rank waits after another has failed.
struct Abandoned : std::exception {
  explicit Abandoned(Failure why) : failure(std::move(why)) {}
  [[nodiscard]] const char* what() const noexcept override { return "another rank has failed"; }
  Failure failure;
};

class Transport;
/// `rank 3 of 8 on node7`
[[nodiscard]] std::string rank_name(int rank, const Transport& transport);
/// `rank 3 of 8 on node7: ...`
[[nodiscard]] Error error_of(const Failure& failure, const Transport& transport);

/// One rank's end. Messages from one rank to another arrive in the order in which they were sent.
class Transport {
 public:
  virtual ~Transport() = default;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int ranks() const = 0;
  /// Where a rank runs; empty: in this process.
  [[nodiscard]] virtual std::string host(int rank) const = 0;
  /// A buffer to be filled and sent, of so many bytes.
  [[nodiscard]] virtual Bytes buffer(std::size_t bytes) = 0;
  /// Does not wait.
  virtual void send(int to, Bytes message) = 0;
  /// This rank is about to compute, and won't call for long. What it has sent and, if it `awaits`
  /// messages, what others send it may move on meanwhile.
  virtual void carry_on(bool awaits) { static_cast<void>(awaits); }
  /// Waits. Throws Abandoned once any rank has failed; of several failures, all ranks of a process
  /// are told the same one.
  [[nodiscard]] virtual Bytes receive(int from) = 0;
  /// The processor seconds that waiting has taken; none where it sleeps.
  [[nodiscard]] virtual double waited() const { return 0; }
  /// Gives a received buffer back.
  virtual void release(Bytes buffer) = 0;
  /// That this rank has failed: ends rank 0's waiting, now and later, and that of all ranks of this
  /// process.
  virtual void abandon(const Failure& why) noexcept = 0;
};

/// The ends of so many ranks, which are threads of this process.
[[nodiscard]] std::vector<std::unique_ptr<Transport>> in_process_ranks(int ranks);

}  // namespace paraiso::runtime
