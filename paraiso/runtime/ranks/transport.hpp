// Transport: messages between the ranks of a divided run, whatever carries them.
// Gives: Bytes, Transport, Abandoned, in_process_ranks. Needs: nothing.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <vector>

namespace paraiso::runtime {

using Bytes = std::vector<char>;

/// Thrown where a rank waits for one that has failed; the failure itself is told elsewhere.
struct Abandoned : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return "another rank has failed"; }
};

/// One rank's end. Messages from one rank to another arrive in the order in which they were sent.
class Transport {
 public:
  virtual ~Transport() = default;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int ranks() const = 0;
  /// A buffer to be filled and sent, of so many bytes.
  [[nodiscard]] virtual Bytes buffer(std::size_t bytes) = 0;
  /// Does not wait.
  virtual void send(int to, Bytes message) = 0;
  /// Waits. Throws Abandoned once any rank has failed.
  [[nodiscard]] virtual Bytes receive(int from) = 0;
  /// Gives a received buffer back.
  virtual void release(Bytes buffer) = 0;
  /// Ends all waiting, now and later, of all ranks.
  virtual void abandon() noexcept = 0;
};

/// The ends of so many ranks, which are threads of this process.
[[nodiscard]] std::vector<std::unique_ptr<Transport>> in_process_ranks(int ranks);

}  // namespace paraiso::runtime
