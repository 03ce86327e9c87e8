#include "paraiso/hardware/simulate/step_work.hpp"

#include <algorithm>

#include "paraiso/hardware/simulate/shell_work.hpp"
#include "paraiso/om/divide/late_reductions.hpp"
#include "paraiso/om/divide/wide_halo.hpp"
#include "paraiso/passes/steps/extract_clock.hpp"

namespace paraiso::hardware {
namespace {

// Of a command of rank 0 (runtime/ranks/command.hpp), and of the answer that it was obeyed.
constexpr double kCommandBytes = 24, kAnswerBytes = 0;

class Writer {
 public:
  Writer(const StepWork& work, Collectives collectives)
      : work_(work),
        star_(collectives != Collectives::tree),
        commanded_(work.commanded && collectives != Collectives::emitted),
        programs_(work.seconds.size()) {}

  std::vector<RankProgram> run() {
    for (int call = 0; call < work_.calls; ++call) add_call(call == 0);
    return std::move(programs_);
  }

 private:
  void add_call(bool exchanges) {
    if (commanded_) give([](std::size_t) { return kCommandBytes; });
    if (exchanges) send_all();
    for (std::size_t r = 0; r < work_.ahead.size(); ++r)
      programs_[r].push_back(compute(work_.ahead[r]));
    if (exchanges) receive_all();
    for (std::size_t r = 0; r < ranks(); ++r)
      programs_[r].push_back(
          compute(work_.seconds[r] - (work_.ahead.empty() ? 0 : work_.ahead[r])));
    for (std::size_t i = 0; i < work_.reductions; ++i) {
      take([&](std::size_t r) { return work_.reduced[r]; });
      give([&](std::size_t) { return work_.results; });
    }
    // Otherwise rank 0 goes on without them.
    if (commanded_ && work_.takes_results) take([](std::size_t) { return kAnswerBytes; });
  }

  void send_all() {
    for (const StepWork::Message& message : work_.messages) {
      if (message.packing > 0) programs_[message.from].push_back(compute(message.packing));
      programs_[message.from].push_back(send(message.to, message.bytes));
    }
  }
  void receive_all() {
    for (const StepWork::Message& message : work_.messages) {
      programs_[message.to].push_back(receive(message.from));
      if (message.packing > 0) programs_[message.to].push_back(compute(message.packing));
    }
  }

  [[nodiscard]] std::size_t ranks() const { return programs_.size(); }

  /// From rank 0 to all.
  template <class Bytes>
  void give(const Bytes& bytes) {
    for (std::size_t r = 1; star_ && r < ranks(); ++r) pass(0, r, bytes(r));
    if (star_) return;
    // The farthest first, as each rank may then serve others.
    std::size_t distance = 1;
    while (distance < ranks()) distance *= 2;
    for (distance /= 2; distance > 0; distance /= 2)
      for (std::size_t r = 0; r + distance < ranks(); r += 2 * distance)
        pass(r, r + distance, bytes(r + distance));
  }

  /// From all to rank 0.
  template <class Bytes>
  void take(const Bytes& bytes) {
    for (std::size_t r = 1; star_ && r < ranks(); ++r) pass(r, 0, bytes(r));
    if (star_) return;
    for (std::size_t distance = 1; distance < ranks(); distance *= 2)
      for (std::size_t r = 0; r + distance < ranks(); r += 2 * distance)
        pass(r + distance, r, bytes(r + distance));
  }

  void pass(std::size_t from, std::size_t to, double bytes) {
    programs_[from].push_back(send(to, bytes));
    programs_[to].push_back(receive(from));
  }

  const StepWork& work_;
  const bool star_, commanded_;
  std::vector<RankProgram> programs_;
};

/// In order of senders and receivers.
void add_messages(const om::Machine& machine, const om::Exchange& exchange, const PartCost& cost,
                  std::vector<StepWork::Message>& all) {
  for (const om::Transfer& t : exchange.transfers) {
    if (t.from == t.to) continue;
    if (all.empty() || all.back().from != t.from || all.back().to != t.to)
      all.push_back({t.from, t.to});
    const auto cells = static_cast<double>(t.cells.cell_count());
    const double bytes = cells * static_cast<double>(om::size_of(machine.at(t.what).type.element));
    all.back().bytes += bytes;
    all.back().rows += cells / static_cast<double>(t.cells.row_length());
  }
  if (!cost.packing) return;
  for (StepWork::Message& message : all)
    message.packing = cost.packing(message.from, message.rows, message.bytes);
}

/// What is sent for so many calls, when what never changes has been.
om::Exchange exchange_for(const om::WideHalo& wide, std::size_t kernel, int calls) {
  om::Depths right = wide.none();
  (void)wide.due(kernel, right);
  for (int call = 0; call < calls; ++call) wide.ran(kernel, right);
  om::Exchange exchange = wide.exchange(wide.due(kernel, right));
  std::ranges::stable_sort(exchange.transfers, {},
                           [](const om::Transfer& t) { return std::pair(t.from, t.to); });
  return exchange;
}

}  // namespace

StepWork step_work(const om::Machine& machine, const om::Kernel& kernel, const om::Orthotree& tree,
                   const om::Cell& size, const PartCost& cost, int calls, std::size_t reducing) {
  const om::Orthotree warped = om::with_warps(machine, tree);
  const std::set<om::StaticId> changed = plan::ghosts_changed_by(machine, kernel);
  const plan::KernelExchanges exchanges =
      plan::exchanges_of(machine, kernel, warped, size, &changed);
  std::optional<om::WideHalo> wide;
  if (calls > 1) wide = om::WideHalo::of(machine, warped, size, first_wants(machine), calls);
  StepWork work;
  const auto boxes = wide ? wide->computed() : warped.leaves(size);
  for (std::size_t part = 0; part < boxes.size(); ++part) {
    work.seconds.push_back(cost.computing(part, om::minus(boxes[part].upper, boxes[part].lower)));
    if (cost.ahead && !wide)
      work.ahead.push_back(work.seconds.back() *
                           cost.ahead(boxes[part], received_sides(warped, size, boxes[part])));
  }
  if (wide) {
    work.calls = calls;
    const auto number = static_cast<std::size_t>(&kernel - machine.kernels.data());
    add_messages(machine, exchange_for(*wide, number, calls), cost, work.messages);
  } else {
    for (const auto& step : exchanges.steps)
      add_messages(machine, step.exchange, cost, work.messages);
  }
  work.takes_results = om::reads_own_late(machine, kernel);
  const bool is_step = kernel.role == om::KernelRole::step;
  const bool knows_times =
      !machine.find_role(om::StaticRole::time) || passes::extract_clock(machine, {});
  work.commanded = !is_step || !knows_times || work.takes_results;
  work.reductions = std::min(exchanges.reductions, reducing);
  work.reduced = exchanges.reduced;
  if (work.reductions == 0) return work;
  for (double& bytes : work.reduced) bytes /= static_cast<double>(work.reductions);
  work.results *= static_cast<double>(exchanges.reductions) / static_cast<double>(work.reductions);
  return work;
}

std::size_t reducing_groups(const plan::KernelPlan& kernel) {
  const std::vector<om::ValueId> late = om::late_reductions(kernel.kernel->graph).results;
  const auto is_awaited = [&](const plan::Reduction& one) {
    return std::ranges::find(late, one.result) == late.end();
  };
  return static_cast<std::size_t>(std::ranges::count_if(kernel.groups, [&](const auto& group) {
    return std::ranges::any_of(group.stages, [&](const plan::Stage& stage) {
      return std::ranges::any_of(stage.reductions, is_awaited);
    });
  }));
}

std::vector<RankProgram> programs_of(const StepWork& work, Collectives collectives) {
  return Writer(work, collectives).run();
}

}  // namespace paraiso::hardware
