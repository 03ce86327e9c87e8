#include "paraiso/hardware/simulate/step_work.hpp"

#include <algorithm>

namespace paraiso::hardware {
namespace {

// Of a command of rank 0 (runtime/ranks/command.hpp), and of the answer that it was obeyed.
constexpr double kCommandBytes = 24, kAnswerBytes = 0;

class Writer {
 public:
  Writer(const StepWork& work, Collectives collectives)
      : work_(work),
        star_(collectives != Collectives::tree),
        commanded_(collectives != Collectives::emitted),
        programs_(work.seconds.size()) {}

  std::vector<RankProgram> run() {
    if (commanded_) give([](std::size_t) { return kCommandBytes; });
    for (const StepWork::Message& message : work_.messages) {
      if (message.packing > 0) programs_[message.from].push_back(compute(message.packing));
      programs_[message.from].push_back(send(message.to, message.bytes));
    }
    for (const StepWork::Message& message : work_.messages) {
      programs_[message.to].push_back(receive(message.from));
      if (message.packing > 0) programs_[message.to].push_back(compute(message.packing));
    }
    for (std::size_t r = 0; r < ranks(); ++r) programs_[r].push_back(compute(work_.seconds[r]));
    for (std::size_t i = 0; i < work_.reductions; ++i) {
      take([&](std::size_t r) { return work_.reduced[r]; });
      give([](std::size_t) { return 8.0; });
    }
    if (commanded_) take([](std::size_t) { return kAnswerBytes; });
    return std::move(programs_);
  }

 private:
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

}  // namespace

StepWork step_work(const om::Machine& machine, const om::Kernel& kernel, const om::Orthotree& tree,
                   const om::Cell& size, const PartCost& cost) {
  const om::Orthotree warped = om::with_warps(machine, tree);
  const std::set<om::StaticId> changed = plan::ghosts_changed_by(machine, kernel);
  const plan::KernelExchanges exchanges =
      plan::exchanges_of(machine, kernel, warped, size, &changed);
  StepWork work;
  const auto boxes = warped.leaves(size);
  for (std::size_t part = 0; part < boxes.size(); ++part)
    work.seconds.push_back(cost.computing(part, om::minus(boxes[part].upper, boxes[part].lower)));
  for (const auto& step : exchanges.steps)
    for (const om::Transfer& t : step.exchange.transfers) {
      if (t.from == t.to) continue;
      auto& all = work.messages;
      if (all.empty() || all.back().from != t.from || all.back().to != t.to)
        all.push_back({t.from, t.to, 0, 0});
      const auto cells = static_cast<double>(t.cells.cell_count());
      const double bytes =
          cells * static_cast<double>(om::size_of(machine.at(t.what).type.element));
      all.back().bytes += bytes;
      all.back().packing +=
          cost.per_row * cells / static_cast<double>(t.cells.upper[0] - t.cells.lower[0]) +
          cost.per_byte * bytes;
    }
  work.reductions = exchanges.reductions;
  work.reduced = exchanges.reduced;
  for (double& bytes : work.reduced)
    if (work.reductions > 0) bytes /= static_cast<double>(work.reductions);
  return work;
}

std::vector<RankProgram> programs_of(const StepWork& work, Collectives collectives) {
  return Writer(work, collectives).run();
}

}  // namespace paraiso::hardware
