#include "paraiso/runtime/ranks/rank.hpp"

#include <cstring>

#include "paraiso/runtime/reductions/whole_reduction.hpp"
#include "paraiso/support/mpi/own.hpp"

namespace paraiso::runtime {

Rank::Rank(const Library& library, const MessagePlan& messages, Transport& transport, int threads,
           Library::Sharing sharing)
    : size_(messages.size()),
      boxes_(messages.boxes()),
      computed_(messages.computed()[static_cast<std::size_t>(transport.rank())]),
      transport_(transport) {
  exchange_ = {this,
               [](void* self, const Reducing& share) { static_cast<Rank*>(self)->reduce(share); },
               [](void* self) { static_cast<Rank*>(self)->receive(); }};
  const om::Cell cells = om::minus(computed_.upper, computed_.lower);
  const bool alone = transport.ranks() == 1;
  int beside = 0;
  for (int rank = 0; rank < transport.ranks(); ++rank)
    beside += transport.host(rank) == transport.host(transport.rank());
  instance_ = library.part({cells.data(), computed_.lower.data(), size_.data(),
                            alone ? nullptr : &exchange_, has_wide_rows(), beside},
                           threads, sharing);
}

FieldView Rank::own_field(om::StaticId id) const {
  FieldView field = instance_->field(id);
  const om::Box own = in_field(box());
  std::int64_t first = 0;
  for (std::size_t a = 0; a < own.lower.size(); ++a) first += own.lower[a] * field.strides[a];
  field.data = static_cast<char*>(field.data) +
               first * static_cast<std::int64_t>(om::size_of(field.element));
  field.size = om::minus(own.upper, own.lower);
  return field;
}

void Rank::copy_all(const Message& message, Bytes& buffer, Copying way) const {
  char* next = buffer.data();
  for (const Piece& piece : message.pieces) {
    const FieldView field = instance_->field(piece.what);
    copy_box(field, piece.cells, next, way);
    next += piece.cells.cell_count() * om::size_of(field.element);
  }
}

void Rank::send(const RankMessages& messages) {
  for (const Message& message : messages.sends) {
    Bytes buffer = transport_.buffer(message.bytes);
    copy_all(message, buffer, Copying::from_field);
    transport_.send(message.peer, std::move(buffer));
  }
  awaited_ = &messages;
}

void Rank::receive() {
  if (awaited_ == nullptr) return;
  for (const Message& message : awaited_->receives) {
    Bytes buffer = transport_.receive(message.peer);
    copy_all(message, buffer, Copying::to_field);
    transport_.release(std::move(buffer));
  }
  for (const auto& [piece, shift] : awaited_->copies) {
    const FieldView field = instance_->field(piece.what);
    Bytes buffer = transport_.buffer(piece.cells.cell_count() * om::size_of(field.element));
    copy_box(field, piece.cells, buffer.data(), Copying::from_field);
    copy_box(field, om::moved(piece.cells, shift), buffer.data(), Copying::to_field);
    transport_.release(std::move(buffer));
  }
  awaited_ = nullptr;
}

void Rank::keep_late(const Reducing& share) {
  late_.push_back(share);
  std::size_t bytes = share.bytes;
  const void* items = share.items;
  if (share.ordered) {
    bytes *= WholeReduction::item_count(size_, box());
  } else {
    share.tree(share.items, share.extents, share.axes, share.result);
    items = share.result;
  }
  const auto* first = static_cast<const char*>(items);
  late_items_.insert(late_items_.end(), first, first + bytes);
}

/// Without the items of others' cells.
Rank::Reducing Rank::of_own_cells(Reducing share) {
  const auto* extents = share.extents;
  const om::Box all{om::Cell(size_.size()), om::Cell(extents, extents + size_.size())};
  om::Box own = in_field(box());
  if (!has_wide_rows()) own.upper[0] = all.upper[0];
  const std::int64_t row = own.upper[0] - own.lower[0];
  const bool as_they_are =
      !has_wide_rows() || (share.ordered && WholeReduction::gives_cells(size_, box()));
  own_items_.clear();
  own.for_each_row([&](const om::Cell& cell) {
    const char* const items =
        static_cast<const char*>(share.items) + all.position(cell) * share.bytes;
    paraiso_mpi::append_own(share, items, box().lower[0], row, as_they_are, own_items_);
  });
  own_extents_ = om::minus(own.upper, own.lower);
  const auto rows = static_cast<std::int64_t>(own.cell_count()) / row;
  own_extents_[0] = std::ssize(own_items_) / static_cast<std::int64_t>(share.bytes) / rows;
  share.items = own_items_.data();
  share.extents = own_extents_.data();
  return share;
}

void Rank::reduce(const Reducing& all) {
  const Reducing share = is_wide() ? of_own_cells(all) : all;
  if (share.late >= 0) return keep_late(share);
  if (share.ordered)
    reduce_ordered(share);
  else
    reduce_unordered(share);
  share_result(share);
}

Bytes Rank::copy_of(const void* data, std::size_t bytes) const {
  Bytes copy = transport_.buffer(bytes);
  std::memcpy(copy.data(), data, bytes);
  return copy;
}

void Rank::reduce_unordered(const Reducing& share) {
  share.tree(share.items, share.extents, share.axes, share.result);
  if (me() > 0) return transport_.send(0, copy_of(share.result, share.bytes));
  Bytes items = copy_of(share.result, share.bytes);
  for (int rank = 1; rank < transport_.ranks(); ++rank) {
    Bytes item = transport_.receive(rank);
    count(item);
    items.insert(items.end(), item.begin(), item.end());
    transport_.release(std::move(item));
  }
  const std::int64_t count = transport_.ranks();
  share.tree(items.data(), &count, 1, share.result);
  transport_.release(std::move(items));
}

void Rank::reduce_ordered(const Reducing& share) {
  const auto bytes = WholeReduction::item_count(size_, box()) * share.bytes;
  if (me() > 0) return transport_.send(0, copy_of(share.items, bytes));
  WholeReduction whole(size_, share);
  whole.add(box(), static_cast<const char*>(share.items));
  for (int rank = 1; rank < transport_.ranks(); ++rank) {
    Bytes items = transport_.receive(rank);
    count(items);
    whole.add(boxes_[static_cast<std::size_t>(rank)], items.data());
    transport_.release(std::move(items));
  }
  whole.finish(share.result);
}

void Rank::share_result(const Reducing& share) {
  if (me() > 0) {
    Bytes result = transport_.receive(0);
    std::memcpy(share.result, result.data(), share.bytes);
    return transport_.release(std::move(result));
  }
  for (int rank = 1; rank < transport_.ranks(); ++rank) {
    Bytes result = copy_of(share.result, share.bytes);
    count(result);
    transport_.send(rank, std::move(result));
  }
}

}  // namespace paraiso::runtime
