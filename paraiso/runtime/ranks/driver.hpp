// Driver: rank 0's view of a divided program: what it asks of all ranks, and their answers.
// Gives: Driver. Needs: Worker, LateAnswers.
#pragma once

#include <functional>
#include <optional>
#include <set>

#include "paraiso/runtime/ranks/answers.hpp"
#include "paraiso/runtime/ranks/worker.hpp"
#include "paraiso/runtime/reductions/late_results.hpp"

namespace paraiso::runtime {

/// Invariant: between two calls the other ranks wait for a command or run kernels which they were
/// told to run, or one has failed and nothing runs any more. So whatever is decided between two
/// calls is decided once.
class Driver {
 public:
  using Answers = std::function<void(int rank, const Bytes& answer)>;

  /// Of rank 0, with its own worker, which has that transport, too. Waits until the other ranks
  /// serve; errors as in `ask`.
  Driver(Division& division, LateAnswers& transport, std::unique_ptr<Worker> own);
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  /// Asks nothing more.
  ~Driver();

  [[nodiscard]] const Worker& own() const { return *worker_; }
  [[nodiscard]] const Transport& transport() const { return transport_; }

  /// All ranks obey; `answers` gets each one's answer, if the order has any. The first failure of a
  /// rank is thrown as an Error that names it, now and in each later call.
  void ask(const Command& command, const Answers& answers = {});
  /// Runs a kernel, and does not wait until the other ranks have: a later call throws what goes
  /// wrong there. What is stored from late reductions is computed when `scalar` asks for it, and
  /// the others are told when they need it: before a kernel that reads it, or in `settle`.
  /// Several times in turn, of which ranks are told once, only where `repeats` says so.
  void run(std::size_t kernel, std::int64_t times = 1);
  /// Whether a kernel reads nothing that its own late reductions give.
  [[nodiscard]] bool repeats(std::size_t kernel) const;
  /// Waits until all have run what they were told to.
  void finish();
  void settle() {
    tell_late([](om::StaticId) { return true; });
  }
  /// As `ask`, where all is forgotten that late reductions give.
  void go_back();
  [[nodiscard]] om::Constant scalar(om::StaticId id);
  /// Of all ranks, late reductions included; errors as in `ask`.
  [[nodiscard]] MessageCount traffic();
  /// Cells of a box of a Local, axis 0 fastest; errors as in `ask`.
  void read(om::StaticId id, const om::Box& box, char* cells);
  void write(om::StaticId id, const om::Box& box, const char* cells);
  /// As Instance's; errors as in `ask`.
  [[nodiscard]] std::optional<SharedWrite> write_to_file(om::StaticId id, const SharedFile& file,
                                                         std::int64_t at);
  /// Moves all cells to the parts of another division of as many parts. False, and nothing has
  /// changed, if a rank has no memory for it; errors as in `ask`.
  [[nodiscard]] bool move_to(const om::Orthotree& tree);

 private:
  template <class F>
  void guarded(F&& work);
  void each_answer(const Answers& answers);
  /// An order that a text follows.
  void tell(int rank, const Command& command, const std::string& text) {
    tell(rank, command);
    transport_.send(rank, Bytes(text.begin(), text.end()));
  }
  void tell(int rank, const Command& command) { transport_.send(rank, encode(command)); }
  /// Calls visit(rank, part) for the parts of a box that there are.
  template <class F>
  void each_part(const om::Box& box, F&& visit) const;

  [[nodiscard]] std::vector<om::Constant> globals() const;
  /// Then no late reductions are left.
  void tell_late(const std::function<bool(om::StaticId)>& is_needed);

  struct KernelGlobals {
    om::LateReductions late;
    std::set<om::StaticId> loaded, stored;
  };

  Division& division_;
  LateAnswers& transport_;
  std::unique_ptr<Worker> worker_;
  std::vector<KernelGlobals> kernels_;
  std::shared_ptr<LateResults> late_;  // of the last kernel, until all know what it gives
  MessageCount late_sent_;
  std::optional<Failure> failure_;
};

}  // namespace paraiso::runtime
