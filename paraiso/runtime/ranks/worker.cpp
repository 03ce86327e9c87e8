#include "paraiso/runtime/ranks/worker.hpp"

#include <time.h>

#include <new>

#include "paraiso/om/interpret.hpp"

namespace paraiso::runtime {
namespace {

/// Of this thread: waiting takes none.
double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

Worker::Worker(Division& division, Transport& transport)
    : division_(division),
      transport_(transport),
      rank_(division.library, division.messages.size(), division.messages.boxes(), transport,
            division.threads, division.sharing),
      sent_(division.messages.nothing_sent()) {}

Bytes Worker::obey(const Command& command) {
  const auto number = static_cast<std::size_t>(command.number);
  const om::StaticId id(number);
  switch (command.order) {
    case Order::run: return run(number), Bytes();
    case Order::set: return set(id, command.bits), Bytes();
    case Order::clear: return instance().clear(id), change(id), Bytes();
    case Order::look: return nan_of(id);
    case Order::read: return read(id, command.box);
    case Order::write: return write(id, command.box), Bytes();
    case Order::keep: return keep();
    case Order::go_back: return go_back(), Bytes();
    case Order::end: break;
  }
  return {};
}

void Worker::serve() noexcept {
  try {
    transport_.send(0, {});
    for (;;) {
      Bytes message = transport_.receive(0);
      const Command command = decode_command(message);
      transport_.release(std::move(message));
      if (command.order == Order::end) return;
      Bytes answer = obey(command);
      if (is_answered(command.order)) transport_.send(0, std::move(answer));
    }
  } catch (...) {
    transport_.abandon(failure_in_flight(transport_.rank()));
  }
}

void Worker::run(std::size_t kernel) {
  const auto& messages = division_.messages.before(kernel, sent_);
  rank_.send(messages.ranks[static_cast<std::size_t>(transport_.rank())]);
  halos_.add(messages.sent);
  if (!division_.library.receives(kernel)) rank_.receive();
  const double start = processor_seconds();
  instance().run(machine().kernels[kernel].name);
  if (division_.burden) division_.burden(transport_.rank());
  division_.busy[static_cast<std::size_t>(transport_.rank())] += processor_seconds() - start;
  rank_.receive();
  division_.messages.ran(kernel, sent_);
}

void Worker::set(om::StaticId id, std::uint64_t bits) {
  instance().set_scalar(id, om::Array{machine().at(id).type.element, {bits}}.at(0));
}

Bytes Worker::nan_of(om::StaticId id) const {
  const auto found = instance().first_nan(id);
  return found ? encode(om::plus(found->cell, box().lower)) : Bytes();
}

Bytes Worker::keep() const {
  try {
    instance().keep();
    return Bytes(1, 1);
  } catch (const std::bad_alloc&) {
    return Bytes(1, 0);
  }
}

void Worker::go_back() {
  instance().go_back();
  sent_ = division_.messages.nothing_sent();
}

om::Box Worker::in_field(const om::Box& box) const {
  return om::moved(box, om::minus(om::Cell(box.lower.size(), 0), this->box().lower));
}

Bytes Worker::read(om::StaticId id, const om::Box& box) const {
  const om::Box part = om::intersection(box, this->box());
  if (part.empty()) return {};
  const FieldView field = instance().field(id);
  Bytes cells = transport_.buffer(part.cell_count() * om::size_of(field.element));
  copy_box(field, in_field(part), cells.data(), Copying::from_field);
  return cells;
}

void Worker::write(om::StaticId id, const om::Box& box) {
  const om::Box part = om::intersection(box, this->box());
  change(id);
  if (part.empty()) return;
  Bytes cells = transport_.receive(0);
  store(id, part, cells.data());
  transport_.release(std::move(cells));
}

void Worker::store(om::StaticId id, const om::Box& box, const char* cells) {
  copy_box(instance().field(id), in_field(box), const_cast<char*>(cells), Copying::to_field);
}

}  // namespace paraiso::runtime
