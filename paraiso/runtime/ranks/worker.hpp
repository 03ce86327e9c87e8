// Worker: one rank of a divided program, which does what the driver, on rank 0, asks of all.
// Gives: Division, Worker. Needs: part, command.
#pragma once

#include "paraiso/runtime/fields/shared_file.hpp"
#include "paraiso/runtime/ranks/command.hpp"
#include "paraiso/runtime/ranks/part.hpp"

namespace paraiso::runtime {

/// To be made and used on one thread: that of its transport.
class Worker {
 public:
  /// Throws Error if memory does not suffice.
  Worker(Division& division, Transport& transport);

  /// Does this rank's share of a command and gives its answer, empty where there is none. A `write`
  /// awaits the cells of this rank, which only others than rank 0 can; see `store`.
  [[nodiscard]] Bytes obey(const Command& command);
  /// Rank 0's answer to `prepare`: whether it has memory for its part of that division.
  [[nodiscard]] Bytes prepare(const om::Orthotree& tree);
  /// Says that it does, and obeys the driver until nothing more is asked, or this rank or another
  /// fails.
  void serve() noexcept;
  /// That cells of a Local are changed from outside, on this rank or another.
  void change(om::StaticId id) { now_->messages->change(id, now_->sent); }
  void set(om::StaticId id, std::uint64_t bits);
  /// Statics and bits in turn.
  void set_all(const std::vector<std::int64_t>& pairs);
  /// Cells of a box within this rank's own, in the whole grid.
  void store(om::StaticId id, const om::Box& box, const char* cells);

  /// This rank's cells of a Local; `at`: the first byte of the whole grid's. Gives what write_cells
  /// does.
  [[nodiscard]] Bytes write_to_file(om::StaticId id, const SharedFile& file, std::int64_t at) const;

  /// Of all ranks; complete on rank 0.
  [[nodiscard]] MessageCount traffic() const {
    MessageCount all = earlier_;
    all.add(now_->traffic());
    if (kept_) all.add(kept_->traffic());
    return all;
  }
  [[nodiscard]] Instance& instance() const { return now_->rank.instance(); }
  [[nodiscard]] Rank& rank() const { return now_->rank; }
  [[nodiscard]] const om::Box& box() const { return now_->rank.box(); }
  /// Of all ranks at present.
  [[nodiscard]] const std::vector<om::Box>& boxes() const { return now_->messages->boxes(); }
  [[nodiscard]] const om::Orthotree& tree() const { return now_->tree; }

 private:
  [[nodiscard]] const om::Machine& machine() const { return division_.library.machine(); }
  /// So many times in turn; gives this rank's items of late reductions, of the last.
  [[nodiscard]] Bytes run(std::size_t kernel, std::uint64_t times);
  void run_once(std::size_t kernel);
  [[nodiscard]] Bytes nan_of(om::StaticId id) const;
  [[nodiscard]] Bytes keep();
  void go_back();
  [[nodiscard]] Bytes busy() const;
  /// Of this thread's processor, but for those of waiting.
  [[nodiscard]] double busy_seconds() const;
  [[nodiscard]] std::string received_text();
  void move();
  [[nodiscard]] Bytes read(om::StaticId id, const om::Box& box) const;
  void write(om::StaticId id, const om::Box& box);

  Division& division_;
  Transport& transport_;
  std::unique_ptr<Part> now_;
  std::unique_ptr<Part> next_;  // between `prepare` and `move`
  std::unique_ptr<Part> kept_;  // with the state to go back to, if cuts moved since then
  bool keeps_ = false;
  MessageCount earlier_;  // with parts that are no more
};

}  // namespace paraiso::runtime
