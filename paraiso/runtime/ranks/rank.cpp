#include "paraiso/runtime/ranks/rank.hpp"

#include <cstring>

#include "paraiso/support/mpi/own.hpp"

namespace paraiso::runtime {

using paraiso_mpi::RowsOfBox;
using paraiso_mpi::ToOrFro;

Rank::Rank(const Library& library, const MessagePlan& messages, Transport& transport, int threads,
           Library::Sharing sharing)
    : size_(messages.size()),
      boxes_(messages.boxes()),
      whole_(messages.reduction()),
      computed_(messages.computed()[static_cast<std::size_t>(transport.rank())]),
      transport_(transport),
      threads_(threads),
      least_copied_(sharing == Library::Sharing::always ? 0 : paraiso_mpi::least_copied) {
  exchange_ = {this,
               [](void* self, const Reducing* shares, int count) {
                 static_cast<Rank*>(self)->reduce({shares, static_cast<std::size_t>(count)});
               },
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

void Rank::copy_all(const Message& message, Bytes& buffer, ToOrFro way) const {
  char* next = buffer.data();
  std::vector<RowsOfBox> boxes;
  for (const Piece& piece : message.pieces) {
    const FieldView field = instance_->field(piece.what);
    boxes.push_back(rows_of(field, piece.cells, next));
    next += piece.cells.cell_count() * om::size_of(field.element);
  }
  copy(boxes, way);
}

void Rank::copy(om::StaticId id, std::span<const om::Box> boxes, char* cells, ToOrFro way) const {
  const FieldView field = instance_->field(id);
  std::vector<RowsOfBox> rows;
  for (const om::Box& box : boxes) {
    rows.push_back(rows_of(field, in_field(box), cells));
    cells += box.cell_count() * om::size_of(field.element);
  }
  copy(rows, way);
}

void Rank::copy(std::span<const RowsOfBox> boxes, ToOrFro way) const {
  const int parts = paraiso_mpi::threads_for(boxes, threads_, least_copied_);
  instance_->share(parts, [&](int part) {
    for (const RowsOfBox& box : boxes) copy_rows(box, way, part, parts);
  });
}

void Rank::send(const RankMessages& messages) {
  for (const Message& message : messages.sends) {
    Bytes buffer = transport_.buffer(message.bytes);
    copy_all(message, buffer, ToOrFro::to_message);
    transport_.send(message.peer, std::move(buffer));
  }
  awaited_ = &messages;
}

void Rank::receive() {
  if (awaited_ == nullptr) return;
  for (const Message& message : awaited_->receives) {
    Bytes buffer = transport_.receive(message.peer);
    copy_all(message, buffer, ToOrFro::from_message);
    transport_.release(std::move(buffer));
  }
  for (const auto& [piece, shift] : awaited_->copies) {
    const FieldView field = instance_->field(piece.what);
    Bytes buffer = transport_.buffer(piece.cells.cell_count() * om::size_of(field.element));
    const RowsOfBox from = rows_of(field, piece.cells, buffer.data());
    const RowsOfBox to = rows_of(field, om::moved(piece.cells, shift), buffer.data());
    copy({&from, 1}, ToOrFro::to_message);
    copy({&to, 1}, ToOrFro::from_message);
    transport_.release(std::move(buffer));
  }
  awaited_ = nullptr;
  transport_.carry_on(false);
}

/// Without the items of others' cells.
Rank::Reducing Rank::of_own_cells(Reducing share) {
  const auto* extents = share.extents;
  const om::Box all{om::Cell(size_.size()), om::Cell(extents, extents + size_.size())};
  om::Box own = in_field(box());
  if (!has_wide_rows()) own.upper[0] = all.upper[0];
  const auto row = static_cast<std::int64_t>(own.row_length());
  const bool as_they_are = !has_wide_rows() || (share.ordered && whole_->gives_cells(box()));
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

void Rank::reduce(std::span<const Reducing> all) {
  std::vector<Reducing> awaited;
  Bytes own;
  for (const Reducing& one : all) {
    const Reducing share = is_wide() ? of_own_cells(one) : one;
    const Bytes numbers = whole_->own(static_cast<std::size_t>(me()), share);
    (share.late >= 0 ? late_ : awaited).push_back(share);
    Bytes& kept = share.late >= 0 ? late_items_ : own;
    kept.insert(kept.end(), numbers.begin(), numbers.end());
  }
  if (!awaited.empty()) await(awaited, std::move(own));
}

void Rank::await(std::span<const Reducing> shares, Bytes own) {
  Bytes results;
  if (me() > 0) {
    transport_.send(0, std::move(own));
    results = transport_.receive(0);
  } else {
    std::vector<Bytes> sent{std::move(own)};
    for (int rank = 1; rank < transport_.ranks(); ++rank)
      count(sent.emplace_back(transport_.receive(rank)));
    results = joined(shares, sent);
    for (int rank = 1; rank < transport_.ranks(); ++rank) {
      count(results);
      transport_.send(rank, results);
    }
    for (Bytes& message : sent) transport_.release(std::move(message));
  }
  const char* next = results.data();
  for (const Reducing& share : shares) {
    std::memcpy(share.result, next, share.bytes);
    next += share.bytes;
  }
  transport_.release(std::move(results));
}

Bytes Rank::joined(std::span<const Reducing> shares, const std::vector<Bytes>& sent) const {
  std::vector<const char*> next;
  for (const Bytes& message : sent) next.push_back(message.data());
  Bytes results;
  for (const Reducing& share : shares) {
    results.resize(results.size() + share.bytes);
    whole_->finish(share, next, results.data() + results.size() - share.bytes);
    for (std::size_t rank = 0; rank < next.size(); ++rank) next[rank] += whole_->bytes(rank, share);
  }
  return results;
}

}  // namespace paraiso::runtime
