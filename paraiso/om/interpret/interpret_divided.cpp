#include "paraiso/om/interpret/interpret_divided.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/om/interpret/partial_reduction.hpp"

namespace paraiso::om {
namespace {

/// Without the uppermost cells of the last axis on which more than the cell itself is read.
void narrow(Offsets& offsets) {
  if (offsets.empty()) return;
  for (std::size_t a = offsets.begin()->size(); a-- > 0;) {
    std::int64_t most = 0;
    for (const Cell& offset : offsets) most = std::max(most, offset[a]);
    if (most == 0) continue;
    std::erase_if(offsets, [&](const Cell& offset) { return offset[a] == most; });
    return;
  }
}

bool has_all(const Patch& patch, const Box& cells, const Cell& shift) {
  bool all = true;
  cells.for_each([&](const Cell& cell) { all &= patch.find(plus(cell, shift)) != nullptr; });
  return all;
}

}  // namespace

DividedState::DividedState(const Machine& machine, const Orthotree& tree, const State& whole,
                           Flaw flaw)
    : machine_(machine), size_(whole.size), flaw_(flaw) {
  for (const auto& kernel : machine.boundary_kernels)
    boundary_reads_.push_back(reads_of(kernel.graph, kernel.result));
  make_leaves(tree);
  const Box grid = {Cell(size_.size(), 0), size_};
  for (LeafMemory& leaf : leaves_)
    for (std::size_t s = 0; s < machine.statics.size(); ++s) {
      const Array& array = whole.arrays[s];
      const bool local = machine.statics[s].type.is_local();
      const Box cells = local ? leaf.core() : Box{};
      leaf.entry(StaticId(s)).make_room(cells);
      cells.for_each([&](const Cell& cell) {
        leaf.entry(StaticId(s)).put(cell, array.at(local ? grid.position(cell) : 0));
      });
    }
}

void DividedState::make_leaves(const Orthotree& tree) {
  tree_ = with_warps(machine_, tree);
  leaves_.clear();
  for (Box& core : tree_.leaves(size_))
    leaves_.emplace_back(machine_, size_, std::move(core), flaw_);
}

void DividedState::redivide(const Orthotree& tree) {
  const Orthotree before = tree_;
  auto old = std::move(leaves_);
  make_leaves(tree);
  for (const Move& move : om::redivide(before, tree_, size_))
    for (std::size_t s = 0; s < machine_.statics.size(); ++s) {
      const bool local = machine_.statics[s].type.is_local();
      const Box cells = local ? move.cells : Box{};
      Patch& from = old[move.from].entry(StaticId(s));
      Patch& to = leaves_[move.to].entry(StaticId(s));
      to.make_room(cells);
      cells.for_each([&](const Cell& cell) { to.put(cell, *from.find(cell)); });
    }
}

State DividedState::gather() const {
  State whole = initial_state(machine_, size_);
  const Box grid = {Cell(size_.size(), 0), size_};
  for (std::size_t s = 0; s < machine_.statics.size(); ++s) {
    const bool local = machine_.statics[s].type.is_local();
    Array& array = whole.arrays[s];
    for (const LeafMemory& leaf : leaves_) {
      const Patch& patch = leaf.entry(StaticId(s));
      const Box cells = local ? leaf.core() : Box{};
      cells.for_each([&](const Cell& cell) {
        const Constant value = *patch.find(cell);
        if (!local && &leaf != &leaves_.front() && array.at(0) != value)
          throw std::logic_error(
              fmt::format("the leaves differ in `{}`", machine_.statics[s].name));
        array.set(local ? grid.position(cell) : 0, value);
      });
    }
  }
  return whole;
}

void DividedState::run(const Kernel& kernel) {
  sent_ = {};
  const Reads reads = reads_of(kernel.graph);
  std::vector<PartAccess> parts;
  for (LeafMemory& leaf : leaves_) {
    leaf.expect(&reads, &boundary_reads_);
    parts.push_back({leaf.core(),
                     [&leaf](const Load& load, const Cell& cell) { return leaf.load(load, cell); },
                     [&leaf](const Store& store, const Values& values) {
                       leaf.store(store.target, store.step, values);
                     },
                     flaw_ == Flaw::local_index ? leaf.core().lower : Cell{}});
  }
  evaluate_parts(
      kernel.graph, parts, size_,
      [&](const Reduce& i, std::span<const Values* const> operands) { return reduce(i, operands); },
      [&](int step) { exchange(reads, step); });
  for (LeafMemory& leaf : leaves_) leaf.commit();
}

void DividedState::exchange(const Reads& reads, int step) {
  const auto found = reads.find(step);
  if (found == reads.end()) return;
  auto of_step = found->second;
  if (flaw_ == Flaw::narrow_halo)
    for (auto& [what, offsets] : of_step) narrow(offsets);
  const Exchange exchange = communicate(machine_, tree_, size_, exact_wants(of_step));
  const Transfer* previous = nullptr;
  for (const Transfer& transfer : exchange.transfers) {
    const Patch& from = leaves_[transfer.from].at(transfer.what, step);
    Patch& to = leaves_[transfer.to].at(transfer.what, step);
    // What an earlier kernel was sent is still good: a store would have replaced it.
    if (has_all(to, transfer.cells, transfer.shift)) continue;
    to.make_room(moved(transfer.cells, transfer.shift));
    transfer.cells.for_each(
        [&](const Cell& cell) { to.put(plus(cell, transfer.shift), *from.find(cell)); });
    sent_.cells += transfer.cells.cell_count();
    if (!previous || previous->from != transfer.from || previous->to != transfer.to)
      ++sent_.messages;
    previous = &transfer;
  }
  for (const Image& image : exchange.images) {
    Patch& patch = leaves_[image.leaf].at(image.what, step);
    patch.make_room(moved(image.cells, image.shift));
    image.cells.for_each([&](const Cell& cell) {
      patch.put(plus(cell, image.shift), *patch.find(plus(cell, image.known)));
    });
  }
}

Constant DividedState::reduce(const Reduce& reduce, std::span<const Values* const> operands) {
  const Element element = operands[0]->constants.front().element();
  PartialReduction all(reduce.op, element, size_);
  std::vector<std::uint64_t> totals;
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const Box& core = leaves_[i].core();
    std::vector<Constant> cells;
    core.for_each([&](const Cell& cell) { cells.push_back(operands[i]->at(cell)); });
    if (flaw_ == Flaw::local_sum) {
      std::vector<std::uint64_t> bits;
      for (const Constant cell : cells) bits.push_back(cell.bits());
      totals.push_back(reduce_tree(reduce.op, element, bits, minus(core.upper, core.lower)).bits());
      continue;
    }
    PartialReduction part(reduce.op, element, size_);
    part.add(core, cells);
    sent_.numbers += part.count();
    all.merge(part);
  }
  if (flaw_ == Flaw::local_sum)
    return reduce_tree(reduce.op, element, totals,
                       std::array{static_cast<std::int64_t>(totals.size())});
  return *all.result();
}

void interpret_divided(const Machine& machine, const Kernel& kernel, const Orthotree& tree,
                       State& state) {
  DividedState divided(machine, tree, state);
  divided.run(kernel);
  state = divided.gather();
}

}  // namespace paraiso::om
