#include "paraiso/runtime/ranks/worker.hpp"

#include <cstring>
#include <new>
#include <utility>

#include "paraiso/om/interpret/interpret.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "paraiso/runtime/transport/processor_time.hpp"

namespace paraiso::runtime {

using paraiso_mpi::ToOrFro;

Worker::Worker(Division& division, Transport& transport)
    : division_(division),
      transport_(transport),
      now_(std::make_unique<Part>(division, division.tree, transport)) {}

Bytes Worker::obey(const Command& command) {
  const auto number = static_cast<std::size_t>(command.number);
  const om::StaticId id(number);
  switch (command.order) {
    case Order::run: return run(number, command.bits);
    case Order::set: return set(id, command.bits), Bytes();
    case Order::set_all: return set_all(decode_numbers(transport_.receive(0))), Bytes();
    case Order::clear: return instance().clear(id), change(id), Bytes();
    case Order::look: return nan_of(id);
    case Order::read: return read(id, command.box);
    case Order::write: return write(id, command.box), Bytes();
    case Order::to_file:
      return write_to_file(id, SharedFile::parse(received_text()),
                           static_cast<std::int64_t>(command.bits));
    case Order::keep: return keep();
    case Order::go_back: return go_back(), Bytes();
    case Order::busy: return busy();
    case Order::prepare: return prepare(om::parse_orthotree(received_text()));
    case Order::move: return move(), Bytes();
    case Order::stay: return next_.reset(), Bytes();
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

double Worker::busy_seconds() const { return processor_seconds() - transport_.waited(); }

Bytes Worker::run(std::size_t kernel, std::uint64_t times) {
  Bytes items;
  for (std::uint64_t i = 0; i < times; ++i) {
    (void)now_->rank.take_late();
    run_once(kernel);
    items = now_->rank.take_late_items();
  }
  return items;
}

void Worker::run_once(std::size_t kernel) {
  const double start = busy_seconds();
  BusySeconds& busy = now_->busy;
  MessagePlan& plan = *now_->messages;
  const auto& messages = plan.before(kernel, now_->sent);
  const RankMessages& own = messages.ranks[static_cast<std::size_t>(transport_.rank())];
  now_->rank.send(own);
  now_->halos.add(messages.sent);
  if (division_.library.receives(kernel) && !now_->rank.is_wide())
    transport_.carry_on(!own.receives.empty());
  else
    now_->rank.receive();
  const double began = busy_seconds();
  instance().run(machine().kernels[kernel].name);
  if (division_.burden) division_.burden(transport_.rank());
  const double ended = busy_seconds();
  now_->rank.receive();
  plan.ran(kernel, now_->sent);
  busy.kernels += ended - began;
  busy.messages += began - start + busy_seconds() - ended;
}

void Worker::set(om::StaticId id, std::uint64_t bits) {
  instance().set_scalar(id, om::Array{machine().at(id).type.element, {bits}}.at(0));
}

void Worker::set_all(const std::vector<std::int64_t>& pairs) {
  for (std::size_t i = 0; i < pairs.size(); i += 2)
    set(om::StaticId(static_cast<std::size_t>(pairs[i])), static_cast<std::uint64_t>(pairs[i + 1]));
}

Bytes Worker::nan_of(om::StaticId id) const {
  const auto found = nan_cell(rank().own_field(id));
  return found ? encode(om::plus(*found, box().lower)) : Bytes();
}

Bytes Worker::keep() {
  if (kept_) earlier_.add(std::exchange(kept_, nullptr)->traffic());
  keeps_ = false;
  try {
    instance().keep();
    keeps_ = true;
    return Bytes(1, 1);
  } catch (const std::bad_alloc&) {
    return Bytes(1, 0);
  }
}

void Worker::go_back() {
  if (kept_) {
    earlier_.add(std::exchange(now_, std::move(kept_))->traffic());
  }
  instance().go_back();
  now_->sent = now_->messages->nothing_sent();
}

Bytes Worker::busy() const {
  Bytes answer(sizeof(BusySeconds));
  std::memcpy(answer.data(), &now_->busy, sizeof(BusySeconds));
  return answer;
}

std::string Worker::received_text() {
  const Bytes text = transport_.receive(0);
  return {text.begin(), text.end()};
}

Bytes Worker::write_to_file(om::StaticId id, const SharedFile& file, std::int64_t at) const {
  return encode(
      std::vector<std::int64_t>{file.write_cells(rank().own_field(id), box(), division_.size, at)});
}

Bytes Worker::prepare(const om::Orthotree& tree) {
  try {
    if (!has_room(division_, tree, transport_)) return Bytes(1, 0);
    next_ = std::make_unique<Part>(division_, tree, transport_);
    return Bytes(1, 1);
  } catch (const std::bad_alloc&) {
    return Bytes(1, 0);
  } catch (const Error&) {
    return Bytes(1, 0);
  }
}

void Worker::move() {
  move_state(*now_, *next_, transport_);
  if (keeps_ && !kept_)
    kept_ = std::exchange(now_, std::move(next_));
  else
    earlier_.add(std::exchange(now_, std::move(next_))->traffic());
}

Bytes Worker::read(om::StaticId id, const om::Box& box) const {
  const om::Box part = om::intersection(box, this->box());
  if (part.empty()) return {};
  Bytes cells = transport_.buffer(part.cell_count() * om::size_of(machine().at(id).type.element));
  rank().copy(id, {&part, 1}, cells.data(), ToOrFro::to_message);
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
  rank().copy(id, {&box, 1}, const_cast<char*>(cells), ToOrFro::from_message);
}

}  // namespace paraiso::runtime
