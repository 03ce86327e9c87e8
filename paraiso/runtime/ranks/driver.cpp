#include "paraiso/runtime/ranks/driver.hpp"

#include <cstring>

namespace paraiso::runtime {
namespace {

/// Between the cells of `box` and those of a part of it, row by row.
void transfer(const om::Box& box, const om::Box& part, std::size_t bytes, char* cells, char* piece,
              Copying way) {
  const std::size_t length = static_cast<std::size_t>(part.upper[0] - part.lower[0]) * bytes;
  part.for_each_row([&](const om::Cell& cell) {
    char* const row = cells + box.position(cell) * bytes;
    if (way == Copying::from_field)
      std::memcpy(row, piece, length);
    else
      std::memcpy(piece, row, length);
    piece += length;
  });
}

}  // namespace

template <class F>
void Driver::guarded(F&& work) {
  if (!failure_) {
    try {
      return work();
    } catch (...) {
      failure_ = failure_in_flight(0);
    }
    transport_.abandon(*failure_);
  }
  throw error_of(*failure_, transport_);
}

Driver::Driver(Division& division, Transport& transport, std::unique_ptr<Worker> own)
    : division_(division), transport_(transport), worker_(std::move(own)) {
  guarded([&] { each_answer({}); });  // that it serves
}

Driver::~Driver() {
  if (failure_) return;
  for (int rank = 1; rank < transport_.ranks(); ++rank) tell(rank, {Order::end, 0, 0, {}});
}

void Driver::ask(const Command& command, const Answers& answers) {
  guarded([&] {
    for (int rank = 1; rank < transport_.ranks(); ++rank) tell(rank, command);
    const Bytes answer = worker_->obey(command);
    if (!is_answered(command.order)) return;
    if (answers) answers(0, answer);
    each_answer(answers);
  });
}

void Driver::each_answer(const Answers& answers) {
  for (int rank = 1; rank < transport_.ranks(); ++rank) {
    Bytes answer = transport_.receive(rank);
    if (answers) answers(rank, answer);
    transport_.release(std::move(answer));
  }
}

template <class F>
void Driver::each_part(const om::Box& box, F&& visit) const {
  const auto& boxes = division_.messages.boxes();
  for (std::size_t rank = 0; rank < boxes.size(); ++rank) {
    const om::Box part = om::intersection(box, boxes[rank]);
    if (!part.empty()) visit(static_cast<int>(rank), part);
  }
}

void Driver::read(om::StaticId id, const om::Box& box, char* cells) {
  const std::size_t bytes = om::size_of(division_.library.machine().at(id).type.element);
  const Command command = {Order::read, static_cast<std::int64_t>(id.index), 0, box};
  guarded([&] {
    each_part(box, [&](int rank, const om::Box&) {
      if (rank > 0) tell(rank, command);
    });
    each_part(box, [&](int rank, const om::Box& part) {
      Bytes piece = rank > 0 ? transport_.receive(rank) : worker_->obey(command);
      transfer(box, part, bytes, cells, piece.data(), Copying::from_field);
      transport_.release(std::move(piece));
    });
  });
}

void Driver::write(om::StaticId id, const om::Box& box, const char* cells) {
  const std::size_t bytes = om::size_of(division_.library.machine().at(id).type.element);
  const Command command = {Order::write, static_cast<std::int64_t>(id.index), 0, box};
  guarded([&] {
    for (int rank = 1; rank < transport_.ranks(); ++rank) tell(rank, command);
    worker_->change(id);
    each_part(box, [&](int rank, const om::Box& part) {
      Bytes piece = transport_.buffer(part.cell_count() * bytes);
      transfer(box, part, bytes, const_cast<char*>(cells), piece.data(), Copying::to_field);
      if (rank > 0) return transport_.send(rank, std::move(piece));
      worker_->store(id, part, piece.data());
      transport_.release(std::move(piece));
    });
  });
}

}  // namespace paraiso::runtime
