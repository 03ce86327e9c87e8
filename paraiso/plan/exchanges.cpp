#include "paraiso/plan/exchanges.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "paraiso/om/cells/fill_order.hpp"
#include "paraiso/om/divide/late_reductions.hpp"
#include "paraiso/om/divide/wide_halo.hpp"
#include "paraiso/om/interpret/partial_reduction.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

/// One message: the transfers from one part to another.
struct ExchangeMessage {
  std::size_t from, to;
  std::span<const Transfer> transfers;
};

std::vector<ExchangeMessage> messages_of(const Exchange& exchange) {
  std::vector<ExchangeMessage> messages;
  const std::span all(exchange.transfers);
  for (std::size_t i = 0; i < all.size();) {
    std::size_t end = i;
    while (end < all.size() && all[end].from == all[i].from && all[end].to == all[i].to) ++end;
    messages.push_back({all[i].from, all[i].to, all.subspan(i, end - i)});
    i = end;
  }
  return messages;
}

double bytes_of(const Machine& machine, std::span<const Transfer> transfers) {
  double bytes = 0;
  for (const Transfer& t : transfers)
    bytes += static_cast<double>(t.cells.cell_count() * size_of(machine.at(t.what).type.element));
  return bytes;
}

std::string box_text(const Box& box) {
  std::string text;
  for (std::size_t a = 0; a < box.lower.size(); ++a)
    text += fmt::format("{}[{}, {})", a ? " x " : "", box.lower[a], box.upper[a]);
  return text;
}

/// "`u` [0, 64) x [15, 16), `v` in 3 boxes"
std::string contents(const Machine& machine, std::span<const Transfer> transfers) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < transfers.size();) {
    const StaticId what = transfers[i].what;
    const auto count =
        static_cast<std::size_t>(std::ranges::count(transfers, what, &Transfer::what));
    parts.push_back(
        fmt::format("`{}` {}", machine.at(what).name,
                    count == 1 ? box_text(transfers[i].cells) : fmt::format("in {} boxes", count)));
    i += count;
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

constexpr std::size_t kMostListed = 32;

/// The first of `all`, and how many there are more.
std::string listed(const std::vector<std::string>& all) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kMostListed, all.size()); ++i)
    text += "    " + all[i] + "\n";
  if (all.size() > kMostListed) text += fmt::format("    and {} more\n", all.size() - kMostListed);
  return text;
}

std::string plural(std::size_t count, const std::string& word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string describe(const Machine& machine, const std::string& name,
                     const KernelExchanges::Step& step, std::size_t parts) {
  std::vector<std::string> all;
  std::vector<double> received(parts);
  double bytes = 0;
  for (const ExchangeMessage& message : messages_of(step.exchange)) {
    const double of_message = bytes_of(machine, message.transfers);
    bytes += of_message;
    received[message.to] += of_message;
    all.push_back(fmt::format("{} to {}: {} bytes, {}", message.from, message.to, of_message,
                              contents(machine, message.transfers)));
  }
  const std::string when = step.step == 0 ? "" : fmt::format(", its step {}", step.step + 1);
  return fmt::format("  before `{}`{}: {}, {} bytes, at most {} to one part\n", name, when,
                     plural(all.size(), "message"), bytes,
                     *std::max_element(received.begin(), received.end())) +
         listed(all);
}

}  // namespace

KernelExchanges exchanges_of(const Machine& machine, const Kernel& kernel, const Orthotree& tree,
                             const Cell& size, const std::set<StaticId>* changed) {
  KernelExchanges all;
  for (const auto& [step, reads] : reads_of(kernel.graph)) {
    std::vector<Want> wants = exact_wants(reads);
    if (changed)
      std::erase_if(wants, [&](const Want& want) { return !changed->contains(want.what); });
    Exchange exchange = communicate(machine, tree, size, wants);
    if (!exchange.transfers.empty()) all.steps.push_back({step, std::move(exchange)});
  }
  const auto leaves = tree.leaves(size);
  const auto late = om::late_reductions(kernel.graph).results;
  all.reduced.resize(leaves.size());
  all.late_reduced.resize(leaves.size());
  for (const NodeId id : canonical_order(kernel.graph)) {
    const Node& node = kernel.graph.node(id);
    const auto* reduce = std::get_if<Reduce>(&node.instruction);
    if (!reduce) continue;
    const bool is_late = std::ranges::find(late, node.first_result) != late.end();
    ++(is_late ? all.late_reductions : all.reductions);
    auto& bytes = is_late ? all.late_reduced : all.reduced;
    const Element element = kernel.graph.type(node.first_result).element;
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
      bytes[leaf] += static_cast<double>(size_of(element)) *
                     PartialReduction::count_of(reduce->op, element, leaves[leaf], size);
  }
  return all;
}

std::set<StaticId> ghosts_changed_by(const Machine& machine, const Kernel& kernel) {
  const auto list = stored_by(machine, kernel);
  const std::set<StaticId> stored(list.begin(), list.end());
  std::set<StaticId> changed = stored;
  for (std::size_t s = 0; s < machine.statics.size(); ++s)
    for (const StaticId read : read_by_sides(machine, machine.statics[s]))
      if (stored.contains(read)) changed.insert(StaticId(s));
  Reads reads = reads_of(kernel.graph);
  for (const auto& [filled, offsets] : reads[0])
    for (std::size_t s = 0; s < machine.statics.size(); ++s)
      if (overwrites_sides(machine, filled, StaticId(s))) changed.insert(StaticId(s));
  return changed;
}

namespace {

/// Of a kernel of several steps with sides between them, which ranks take one by one.
std::string describe_single_steps(const Machine& machine, const std::string& name, int count,
                                  const KernelExchanges& exchanges, const Orthotree& tree,
                                  const Cell& size) {
  const std::string text = fmt::format("  ranks take the steps of `{}` one by one", name);
  const std::size_t parts = tree.leaf_count();
  std::vector<std::vector<Want>> wants;
  for (const Kernel& kernel : machine.kernels)
    wants.push_back(exact_wants(reads_of(kernel.graph)[0]));
  std::string why;
  const auto wide = WideHalo::of(machine, tree, size, wants, count, &why);
  if (!wide) {
    std::string all = fmt::format("{}, with an exchange before each: {}\n", text,
                                  why.empty() ? "there is only one part" : why);
    for (const auto& step : exchanges.steps) all += describe(machine, name, step, parts);
    return all;
  }
  const auto own = tree.leaves(size);
  std::size_t most = 0;
  for (std::size_t leaf = 0; leaf < own.size(); ++leaf)
    most = std::max(most, wide->computed()[leaf].cell_count() - own[leaf].cell_count());
  Depths right = wide->none();
  const Kernel& step = *machine.step_kernel();
  const auto due = wide->due(static_cast<std::size_t>(&step - machine.kernels.data()), right);
  return fmt::format("{}, with one exchange for {}: a part computes at most {} of others\n", text,
                     count, plural(most, "cell")) +
         describe(machine, step.name, {0, wide->exchange(due)}, parts);
}

}  // namespace

std::string describe_division(const Machine& machine, const Kernel& kernel, const Orthotree& tree,
                              const Cell& size) {
  const Orthotree warped = with_warps(machine, tree);
  std::vector<std::string> parts;
  for (const Box& leaf : warped.leaves(size))
    parts.push_back(
        fmt::format("{}: {}, {}", parts.size(), box_text(leaf), plural(leaf.cell_count(), "cell")));
  std::string text = fmt::format("division of {} cells into {}\n", fmt::join(size, "x"),
                                 plural(parts.size(), "part")) +
                     listed(parts);
  const KernelExchanges exchanges = exchanges_of(machine, kernel, warped, size);
  if (exchanges.steps.empty()) text += fmt::format("  before `{}`: no messages\n", kernel.name);
  int steps = 1;
  for (const auto& step : exchanges.steps) steps = std::max(steps, step.step + 1);
  if (steps > 1)
    text += describe_single_steps(machine, kernel.name, steps, exchanges, warped, size);
  else
    for (const auto& step : exchanges.steps)
      text += describe(machine, kernel.name, step, parts.size());
  const auto tell = [&](std::size_t count, const char* word, const std::vector<double>& bytes) {
    if (count > 0)
      text += fmt::format("  {}: at most {} bytes from one part\n", plural(count, word),
                          *std::ranges::max_element(bytes));
  };
  tell(exchanges.reductions, "reduction", exchanges.reduced);
  tell(exchanges.late_reductions, "late reduction", exchanges.late_reduced);
  return text;
}

}  // namespace paraiso::plan
