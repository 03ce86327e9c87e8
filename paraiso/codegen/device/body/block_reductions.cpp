#include "paraiso/codegen/device/body/block_reductions.hpp"

#include <algorithm>

#include "paraiso/plan/device/fused_sums.hpp"
#include "paraiso/plan/device/on_chip.hpp"

namespace paraiso::codegen {

using namespace claris;
using om::Element;
using plan::kCellsOfChunk;
using plan::kLanesOfChunk;

BlockReductions::BlockReductions(const plan::Plan& plan, const plan::KernelPlan& kernel,
                                 const plan::Group& group, Names& names, ParameterList& parameters)
    : threads_(plan::block_of(group, plan.machine.dimension).threads), names_(names) {
  for (const plan::Stage& stage : group.stages)
    for (const plan::Reduction& reduction : stage.reductions) {
      if (reduction.array) continue;
      const Element element = kernel.kernel->graph.type(reduction.operand).element;
      const bool has_order = om::has_order(reduction.op, element);
      One one{&stage,
              reduction.root,
              {reduction.op, element, plan.machine.dimension},
              has_order,
              names.unique("item"),
              names.unique("items"),
              has_order ? names.unique("lanes") : "",
              names.unique("partials"),
              names.unique("places")};
      parameters.add(FunctionParameter::Kind::partials, element, one.partials,
                     PartialsArgument{all_.size()});
      parameters.add(FunctionParameter::Kind::places, element, one.places,
                     PlacesArgument{all_.size()});
      all_.push_back(std::move(one));
    }
  if (all_.empty()) return;
  lane_ = names.unique("lane");
  next_ = names.unique("n");
}

Block BlockReductions::declare() {
  Block block;
  const auto declare = [&](const std::string& variable, ExprPtr value) {
    block.push_back({Declare{Element::i32, variable, std::move(value)}});
    return variable;
  };
  if (columns_.empty())
    for (std::size_t t = 0; t < threads_.size(); ++t)
      columns_.push_back(declare(names_.unique(t == 0 ? "x" : "y"),
                                 make({DeviceExpr{ThreadOfBlock{static_cast<int>(t)}}})));
  if (std::ranges::any_of(all_, [](const One& one) { return !one.has_order; })) {
    ExprPtr number = name(columns_[0]);
    if (columns_.size() > 1) number = plus(number, times(name(columns_[1]), integer(threads_[0])));
    thread_ = declare(names_.unique("thread"), std::move(number));
  }
  for (const One& one : all_) {
    const Element element = one.reduction.element;
    const int rows = threads_.size() > 1 ? threads_[1] : 1;
    block.push_back(
        {DeviceStatement{DeclareVariable{element, one.item, literal(identity(one.reduction))}}});
    if (!one.has_order) {
      block.push_back({DeviceStatement{DeclareShared{element, one.items, {rows * threads_[0]}}}});
      continue;
    }
    std::vector<int> items, lanes;
    if (threads_.size() > 1) items.push_back(rows), lanes.push_back(rows);
    items.push_back(threads_[0]);
    lanes.push_back(threads_[0] / kCellsOfChunk * kLanesOfChunk);
    block.push_back({DeviceStatement{DeclareShared{element, one.items, items}}});
    block.push_back({DeviceStatement{DeclareShared{element, one.lanes, lanes}}});
  }
  return block;
}

std::vector<std::size_t> BlockReductions::of(const plan::Stage& stage) const {
  std::vector<std::size_t> numbers;
  for (std::size_t n = 0; n < all_.size(); ++n)
    if (all_[n].stage == &stage) numbers.push_back(n);
  return numbers;
}

Block BlockReductions::take(std::size_t number, const CellLowering& lowering) const {
  const One& one = all_[number];
  ExprPtr value = lowering.root(static_cast<std::size_t>(one.root));
  if (!one.has_order) value = combined(one, name(one.item), std::move(value));
  return {{Assign{name(one.item), std::move(value)}}};
}

ExprPtr BlockReductions::combined(const One& one, ExprPtr left, ExprPtr right) const {
  return call(combining_function(one.reduction), {std::move(left), std::move(right)});
}

/// Of a block's row that a thread has a place in.
ExprPtr BlockReductions::here(const std::string& array, ExprPtr column) const {
  ExprPtr row = name(array);
  if (columns_.size() > 1) row = subscript(row, name(columns_[1]));
  return subscript(row, std::move(column));
}

ExprPtr BlockReductions::in_chunk() const {
  return make({DeviceExpr{Remainder{name(columns_[0]), kCellsOfChunk}}});
}

ExprPtr BlockReductions::chunk() const {
  return make({DeviceExpr{Quotient{name(columns_[0]), kCellsOfChunk}}});
}

/// Every 16th item of a chunk, by one of its first 16 threads.
Block BlockReductions::lane_of(const One& one) const {
  const ExprPtr own = name(columns_[0]), lane = name(lane_);
  const ExprPtr item = here(one.items, plus(own, times(name(next_), integer(kLanesOfChunk))));
  return {
      {DeviceStatement{DeclareVariable{one.reduction.element, lane_, here(one.items, own)}}},
      {For{next_,
           integer(1),
           integer(kCellsOfChunk / kLanesOfChunk),
           {{Assign{lane, combined(one, lane, item)}}}}},
      {Assign{here(one.lanes, plus(times(chunk(), integer(kLanesOfChunk)), in_chunk())), lane}},
  };
}

/// The pair tree of a chunk's lanes.
ExprPtr BlockReductions::tree_of(const One& one, int first, int count) const {
  if (count == 1)
    return here(one.lanes, plus(times(chunk(), integer(kLanesOfChunk)), integer(first)));
  return combined(one, tree_of(one, first, count / 2), tree_of(one, first + count / 2, count / 2));
}

/// All chunks of a row by the same statements: of two branches that each store a chunk's result,
/// PoCL 3.1 loses one.
Block BlockReductions::finish_chunks(std::size_t number, const ExprPtr& inside,
                                     const std::vector<ExprPtr>& indices) const {
  const One& one = all_[number];
  Block block;
  if (!one.has_order) return block;
  block.push_back({Assign{here(one.items, name(columns_[0])), name(one.item)}});
  block.push_back({DeviceStatement{Barrier{}}});
  block.push_back(
      {If{make({Within{in_chunk(), integer(0), integer(kLanesOfChunk)}}), lane_of(one)}});
  block.push_back({DeviceStatement{Barrier{}}});
  std::vector<ExprPtr> place{plus(
      times(make({DeviceExpr{BlockOfLaunch{0}}}), integer(threads_[0] / kCellsOfChunk)), chunk())};
  place.insert(place.end(), indices.begin(), indices.end());
  const ExprPtr to = make({DeviceExpr{PlaceOfPartial{one.places, std::move(place)}}});
  block.push_back(
      {If{both(make({Within{in_chunk(), integer(0), integer(1)}}), inside),
          {{Assign{subscript(name(one.partials), to), tree_of(one, 0, kLanesOfChunk)}}}}});
  block.push_back({Assign{name(one.item), literal(identity(one.reduction))}});
  return block;
}

ExprPtr BlockReductions::result_of(const One& one) const {
  ExprPtr result = subscript(name(one.items), integer(0));
  if (!makes_zeros_positive(one.reduction)) return result;
  const Element element = one.reduction.element;
  return make({Operate{om::Op::add,
                       element,
                       element,
                       0,
                       false,
                       {result, literal(om::Constant::from_double(element, 0))}}});
}

/// One tree for all that has no order, so that a barrier serves for all.
Block BlockReductions::finish_blocks(int axes) const {
  int threads = 1;
  for (const int along : threads_) threads *= along;
  const auto first_threads = [&](int count, Block block) -> Statement {
    return {If{make({Within{name(thread_), integer(0), integer(count)}}), std::move(block)}};
  };
  std::vector<ExprPtr> place;
  for (int a = 0; a < axes; ++a) place.push_back(make({DeviceExpr{BlockOfLaunch{a}}}));
  Block block, results;
  for (const One& one : all_) {
    if (one.has_order) continue;
    block.push_back({Assign{subscript(name(one.items), name(thread_)), name(one.item)}});
    const ExprPtr to = make({DeviceExpr{PlaceOfPartial{one.places, place}}});
    results.push_back({Assign{subscript(name(one.partials), to), result_of(one)}});
  }
  if (results.empty()) return block;
  for (int apart = threads / 2; apart > 0; apart /= 2) {
    Block halves;
    for (const One& one : all_) {
      if (one.has_order) continue;
      const ExprPtr own = subscript(name(one.items), name(thread_));
      const ExprPtr other = subscript(name(one.items), plus(name(thread_), integer(apart)));
      halves.push_back({Assign{own, combined(one, own, other)}});
    }
    block.push_back({DeviceStatement{Barrier{}}});
    block.push_back(first_threads(apart, std::move(halves)));
  }
  block.push_back(first_threads(1, std::move(results)));
  return block;
}

}  // namespace paraiso::codegen
