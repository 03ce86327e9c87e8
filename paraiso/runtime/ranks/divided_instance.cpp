#include "paraiso/runtime/ranks/divided_instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "paraiso/base/error.hpp"
#include "paraiso/om/cells/fill_order.hpp"
#include "paraiso/om/cells/reads.hpp"
#include "paraiso/runtime/fields/step_clock.hpp"
#include "paraiso/runtime/ranks/driver.hpp"
#include "paraiso/runtime/system/memory.hpp"

namespace paraiso::runtime {
namespace {

/// The ranks of this process: all, those from 1 on as threads that serve until they are told the
/// end or one fails; or one that another process drives or is driven by.
class Crew {
 public:
  Crew(const Library& library, const om::Orthotree& tree, const om::Cell& size, int threads,
       Library::Sharing sharing, Division::Burden burden, int steps)
      : division(library, tree, size, threads, sharing, std::move(burden), steps) {}
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew() {
    for (std::thread& thread : threads_) thread.join();
  }

  /// Gives rank 0's end.
  Transport& start_all() {
    transports_ = in_process_ranks(static_cast<int>(division.tree.leaf_count()));
    try {
      for (std::size_t rank = 1; rank < transports_.size(); ++rank)
        threads_.emplace_back([this, rank] { serve(*transports_[rank]); });
    } catch (const std::system_error& error) {
      transports_.front()->abandon({});  // those that there are must not wait for the others
      throw Error(fmt::format("{} ranks need a thread each, and only {} can be had: {}",
                              transports_.size(), threads_.size() + 1, error.code().message()))
          .with_hint("take fewer ranks");
    }
    return *transports_.front();
  }

  Division division;

 private:
  void serve(Transport& transport) noexcept {
    try {
      Worker(division, transport).serve();
    } catch (...) {
      transport.abandon(failure_in_flight(transport.rank()));
    }
  }

  std::vector<std::unique_ptr<Transport>> transports_;
  std::vector<std::thread> threads_;
};

class DividedInstance : public RankedInstance {
 public:
  DividedInstance(std::unique_ptr<Crew> crew, std::unique_ptr<LateAnswers> transport,
                  std::unique_ptr<Worker> own)
      : crew_(std::move(crew)),
        division_(crew_->division),
        transport_(std::move(transport)),
        clock_(StepClock::of(division_.library.machine())),
        driver_(division_, *transport_, std::move(own)) {}

  [[nodiscard]] const om::Machine& machine() const override { return division_.library.machine(); }
  [[nodiscard]] const std::vector<std::int64_t>& size() const override { return division_.size; }
  [[nodiscard]] bool is_divided() const override { return true; }
  [[nodiscard]] MessageCount traffic() const override { return driver_.traffic(); }
  /// Of the first part.
  [[nodiscard]] std::string comparisons() override {
    return driver_.own().instance().comparisons();
  }
  [[nodiscard]] const om::Orthotree& tree() const override { return driver_.own().tree(); }
  [[nodiscard]] std::vector<BusySeconds> busy() override {
    std::vector<BusySeconds> seconds;
    driver_.ask({Order::busy, 0, 0, {}}, [&](int, const Bytes& answer) {
      std::memcpy(&seconds.emplace_back(), answer.data(), sizeof(BusySeconds));
    });
    return seconds;
  }
  [[nodiscard]] bool move_to(const om::Orthotree& tree) override {
    (void)tree.leaves(size());  // throws
    if (tree.leaf_count() != this->tree().leaf_count())
      throw Error(fmt::format("a division into {} parts, of {} ranks", tree.leaf_count(),
                              this->tree().leaf_count()));
    return driver_.move_to(tree);
  }

  void run(std::string_view name) override {
    const auto& kernel = find_kernel(machine(), name);
    if (!runs_on_ranks(kernel))
      throw Error(
          fmt::format("kernel `{}` fills sides between its steps, which ranks don't", name));
    driver_.run(number(kernel));
  }
  std::optional<StepsTaken> take_steps(std::string_view name, std::int64_t count,
                                       double until) override {
    const auto& kernel = find_kernel(machine(), name);
    const auto time = machine().find_role(om::StaticRole::time);
    if (&kernel != machine().step_kernel() || !driver_.repeats(number(kernel)) || (time && !clock_))
      return std::nullopt;
    const StepsTaken taken =
        time ? steps_to(until, scalar(*time).to_double(), count) : StepsTaken{count};
    driver_.run(number(kernel), taken.count);
    return taken;
  }

  void finish() override { driver_.finish(); }

  [[nodiscard]] FieldView field(om::StaticId) override {
    throw std::logic_error("no rank has a whole field");
  }
  [[nodiscard]] om::Constant scalar(om::StaticId id) const override { return driver_.scalar(id); }
  void set_scalar(om::StaticId id, om::Constant value) override {
    check_scalar(machine(), id, value);
    driver_.settle();
    driver_.ask({Order::set, number(id), value.bits(), {}});
  }

  void clear(om::StaticId id) override { driver_.ask({Order::clear, number(id), 0, {}}); }
  [[nodiscard]] std::optional<FoundCell> first_nan(om::StaticId id) override {
    const auto order = [](const om::Cell& cell) { return om::Cell(cell.rbegin(), cell.rend()); };
    std::optional<FoundCell> first;
    driver_.ask({Order::look, number(id), 0, {}}, [&](int rank, const Bytes& answer) {
      if (answer.empty()) return;
      om::Cell cell = decode_numbers(answer);
      if (!first || order(cell) < order(first->cell)) first = FoundCell{std::move(cell), rank};
    });
    return first;
  }
  void keep() override {
    driver_.settle();
    bool kept = true;
    driver_.ask({Order::keep, 0, 0, {}},
                [&](int, const Bytes& answer) { kept = kept && answer[0] != 0; });
    if (!kept) throw std::bad_alloc();
  }
  void go_back() override { driver_.go_back(); }
  void read(om::StaticId id, const om::Box& box, void* cells) override {
    driver_.read(id, box, static_cast<char*>(cells));
  }
  void write(om::StaticId id, const om::Box& box, const void* cells) override {
    driver_.write(id, box, static_cast<const char*>(cells));
  }
  std::optional<SharedWrite> write_to_file(om::StaticId id, const std::filesystem::path& file,
                                           std::int64_t at) override {
    const auto shared = SharedFile::of(file);
    return shared ? driver_.write_to_file(id, *shared, at) : std::nullopt;
  }
  [[nodiscard]] std::string process_of(int rank) const override {
    const Transport& transport = driver_.transport();
    return transport.host(rank).empty() ? "" : rank_name(rank, transport);
  }

 private:
  static std::int64_t number(om::StaticId id) { return static_cast<std::int64_t>(id.index); }
  [[nodiscard]] std::size_t number(const om::Kernel& kernel) const {
    return static_cast<std::size_t>(&kernel - machine().kernels.data());
  }
  /// What take_steps is to do, as far as times tell.
  [[nodiscard]] StepsTaken steps_to(double until, double time, std::int64_t most) {
    clock_->set(*this);
    StepsTaken steps;
    do {
      const double before = std::exchange(time, clock_->step());
      steps.stands_still = time <= before;
      ++steps.count;
    } while (steps.count < most && time < until && !steps.stands_still);
    return steps;
  }

  std::unique_ptr<Crew> crew_;  // outlives the driver, which tells it the end
  Division& division_;
  std::unique_ptr<LateAnswers> transport_;
  std::optional<StepClock> clock_;
  mutable Driver driver_;  // computes scalars when they are asked for
};

std::unique_ptr<Crew> crew_of(const Library& library, const om::Cell& size,
                              const om::Orthotree& tree, int threads, Library::Sharing sharing,
                              Division::Burden burden, int steps) {
  check_size(library.machine().dimension, size);
  if (tree.leaf_count() > 1) om::check_fills_in_parts(library.machine());
  return std::make_unique<Crew>(library, tree, size, threads, sharing, std::move(burden), steps);
}

/// Rank 0's, where the others are threads that must not wait for it in vain.
std::unique_ptr<Worker> first_worker(Division& division, Transport& transport) {
  try {
    return std::make_unique<Worker>(division, transport);
  } catch (...) {
    const Failure failure = failure_in_flight(0);
    transport.abandon(failure);
    throw error_of(failure, transport);
  }
}

}  // namespace

bool runs_on_ranks(const om::Kernel& kernel) { return !om::reads_between_steps(kernel.graph); }

int steps_for_one_exchange(const om::Machine& program, const passes::Fusion& fusion) {
  const om::Kernel* const fused = program.find_kernel(fusion.kernel);
  return fused == nullptr || runs_on_ranks(*fused) ? 1 : fusion.steps;
}

std::unique_ptr<RankedInstance> divided_instance(const Library& library,
                                                 const std::vector<std::int64_t>& size,
                                                 const om::Orthotree& tree, int threads,
                                                 Library::Sharing sharing, Division::Burden burden,
                                                 int steps) {
  auto crew = crew_of(library, size, tree, threads, sharing, std::move(burden), steps);
  auto first = std::make_unique<LateAnswers>(crew->start_all());
  auto own = first_worker(crew->division, *first);
  return std::make_unique<DividedInstance>(std::move(crew), std::move(first), std::move(own));
}

std::unique_ptr<RankedInstance> divided_instance(const Library& library,
                                                 const std::vector<std::int64_t>& size,
                                                 const om::Orthotree& tree, int threads,
                                                 Transport& transport,
                                                 const std::function<void()>& agree, int steps) {
  auto crew = crew_of(library, size, tree, threads, Library::Sharing::worthwhile, {}, steps);
  auto late = std::make_unique<LateAnswers>(transport);
  auto own = std::make_unique<Worker>(crew->division, *late);
  agree();
  if (transport.rank() == 0)
    return std::make_unique<DividedInstance>(std::move(crew), std::move(late), std::move(own));
  own->serve();
  return nullptr;
}

}  // namespace paraiso::runtime
