// Driver: rank 0's view of a divided program: what it asks of all ranks, and their answers.
// Gives: Driver. Needs: Worker, Transport.
#pragma once

#include <functional>
#include <optional>

#include "paraiso/runtime/ranks/worker.hpp"

namespace paraiso::runtime {

/// Invariant: between two calls the other ranks wait for a command, or one has failed and nothing
/// runs any more. So whatever is decided between two calls is decided once.
class Driver {
 public:
  using Answers = std::function<void(int rank, const Bytes& answer)>;

  /// Of rank 0, with its own worker. Waits until the other ranks serve; errors as in `ask`.
  Driver(Division& division, Transport& transport, std::unique_ptr<Worker> own);
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  /// Asks nothing more.
  ~Driver();

  [[nodiscard]] const Worker& own() const { return *worker_; }

  /// All ranks obey; `answers` gets each one's answer, if the order has any. The first failure of a
  /// rank is thrown as an Error that names it, now and in each later call.
  void ask(const Command& command, const Answers& answers = {});
  /// Cells of a box of a Local, axis 0 fastest; errors as in `ask`.
  void read(om::StaticId id, const om::Box& box, char* cells);
  void write(om::StaticId id, const om::Box& box, const char* cells);

 private:
  template <class F>
  void guarded(F&& work);
  void each_answer(const Answers& answers);
  void tell(int rank, const Command& command) { transport_.send(rank, encode(command)); }
  /// Calls visit(rank, part) for the parts of a box that there are.
  template <class F>
  void each_part(const om::Box& box, F&& visit) const;

  Division& division_;
  Transport& transport_;
  std::unique_ptr<Worker> worker_;
  std::optional<Failure> failure_;
};

}  // namespace paraiso::runtime
