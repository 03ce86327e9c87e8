#include "tests/differential/sent_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <thread>

#include "paraiso/plan/exchanges.hpp"
#include "paraiso/runtime/ranks/divided_instance.hpp"
#include "paraiso/runtime/ranks/rank.hpp"
#include "tests/support/cells_read.hpp"

namespace paraiso::test {
namespace {

using runtime::Bytes;
using Count = std::pair<std::int64_t, std::size_t>;  // messages and bytes
using Counts = std::map<std::pair<std::size_t, std::size_t>, Count>;

/// Passes messages on and counts those that this rank sends.
class Counting : public runtime::Transport {
 public:
  explicit Counting(runtime::Transport& end) : end_(end) {}
  [[nodiscard]] int rank() const override { return end_.rank(); }
  [[nodiscard]] int ranks() const override { return end_.ranks(); }
  [[nodiscard]] std::string host(int rank) const override { return end_.host(rank); }
  [[nodiscard]] Bytes buffer(std::size_t bytes) override { return end_.buffer(bytes); }
  void send(int to, Bytes message) override {
    auto& [messages, bytes] =
        sent[{static_cast<std::size_t>(rank()), static_cast<std::size_t>(to)}];
    ++messages;
    bytes += message.size();
    end_.send(to, std::move(message));
  }
  [[nodiscard]] Bytes receive(int from) override { return end_.receive(from); }
  void release(Bytes buffer) override { end_.release(std::move(buffer)); }
  void abandon(const runtime::Failure& why) noexcept override { end_.abandon(why); }

  Counts sent;

 private:
  runtime::Transport& end_;
};

Counts really_sent(const runtime::Library& library, runtime::MessagePlan& plan,
                   std::size_t kernel) {
  runtime::Sent nothing = plan.nothing_sent();
  const auto& messages = plan.before(kernel, nothing);
  const auto ends = runtime::in_process_ranks(static_cast<int>(plan.boxes().size()));
  std::vector<Counts> counts(ends.size());
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < ends.size(); ++rank)
    threads.emplace_back([&, rank] {
      Counting transport(*ends[rank]);
      runtime::Rank one(library, plan, transport, 1, runtime::Library::Sharing::worthwhile);
      one.send(messages.ranks[rank]);
      one.receive();
      counts[rank] = transport.sent;
    });
  for (std::thread& thread : threads) thread.join();
  Counts all;
  for (Counts& of_rank : counts) all.merge(of_rank);
  return all;
}

/// Of what `needs` holds for.
template <class Needs>
Counts least(const om::Machine& machine, const om::Kernel& kernel, const om::Cell& size,
             const std::vector<om::Box>& boxes, const Needs& needs) {
  CellsRead oracle(machine, size, 0);
  Counts counts;
  for (std::size_t to = 0; to < boxes.size(); ++to)
    for (const auto& [what, cell] : oracle.reads(kernel, boxes[to]))
      for (std::size_t from = 0; from < boxes.size(); ++from)
        if (needs(what) && boxes[from].holds(cell)) {
          auto& [messages, bytes] = counts[{from, to}];
          messages = 1;
          bytes += om::size_of(machine.at(what).type.element);
        }
  return counts;
}

Counts told(const om::Machine& machine, const om::Kernel& kernel, const om::Orthotree& tree,
            const om::Cell& size) {
  Counts counts;
  for (const auto& step : plan::exchanges_of(machine, kernel, tree, size).steps)
    for (const om::Transfer& t : step.exchange.transfers) {
      auto& [messages, bytes] = counts[{t.from, t.to}];
      messages = 1;
      bytes += t.cells.cell_count() * om::size_of(machine.at(t.what).type.element);
    }
  return counts;
}

/// Of `counts`, together.
Count sum(const Counts& counts) {
  Count all;
  for (const auto& [pair, count] : counts) {
    all.first += count.first;
    all.second += count.second;
  }
  return all;
}

std::string text(const Counts& counts) {
  std::string text;
  for (const auto& [pair, count] : counts)
    text += fmt::format(" {}>{}:{}x{}", pair.first, pair.second, count.first, count.second);
  return text;
}

/// What is wrong with what is sent before a kernel runs again: nothing if it has not run, what it
/// stored if it has. Where boundary kernels make ghost cells of that from other fields, those, too.
std::string wrongly_sent_again(runtime::MessagePlan& plan, const om::Machine& machine,
                               std::size_t k) {
  const om::Kernel& kernel = machine.kernels[k];
  runtime::Sent sent = plan.nothing_sent();
  const auto next = [&] {
    const auto count = plan.before(k, sent).sent;
    return Count(count.messages, static_cast<std::size_t>(count.bytes));
  };
  const Count first = next(), unchanged = next();
  if (unchanged != Count(0, 0)) return fmt::format("{} bytes are sent twice", unchanged.second);
  plan.ran(k, sent);
  const Count again = next();
  const auto stored = om::stored_by(machine, kernel);
  const Count changed = sum(least(machine, kernel, plan.size(), plan.boxes(), [&](om::StaticId id) {
    return std::ranges::find(stored, id) != stored.end();
  }));
  if (again == changed || (!machine.boundary_kernels.empty() && again > changed && again <= first))
    return {};
  return fmt::format("{} messages, {} bytes when it has run, of which {}, {} changed", again.first,
                     again.second, changed.first, changed.second);
}

}  // namespace

std::string unlike_minimum(const runtime::Library& library, const om::Cell& size,
                           const om::Orthotree& tree) {
  const om::Machine& machine = library.machine();
  const om::Orthotree warped = om::with_warps(machine, tree);
  runtime::MessagePlan plan(machine, tree, size, library.part_wants());
  for (std::size_t k = 0; k < machine.kernels.size(); ++k) {
    const om::Kernel& kernel = machine.kernels[k];
    if (!runtime::runs_on_ranks(kernel)) continue;
    const Counts sent = really_sent(library, plan, k);
    const Counts needed = least(machine, kernel, size, plan.boxes(), [](auto) { return true; });
    const Counts shown = told(machine, kernel, warped, size);
    if (sent != needed || shown != needed)
      return fmt::format("before `{}`\nsent:  {}\nneeded:{}\nshown: {}", kernel.name, text(sent),
                         text(needed), text(shown));
    if (const auto why = wrongly_sent_again(plan, machine, k); !why.empty())
      return fmt::format("before `{}`: {}", kernel.name, why);
  }
  return {};
}

}  // namespace paraiso::test
