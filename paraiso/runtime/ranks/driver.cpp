#include "paraiso/runtime/ranks/driver.hpp"

#include <algorithm>
#include <cstring>

namespace paraiso::runtime {

using paraiso_mpi::ToOrFro;

namespace {

/// Between the cells of `box` and those of a part of it, row by row.
void transfer(const om::Box& box, const om::Box& part, std::size_t bytes, char* cells, char* piece,
              ToOrFro way) {
  const std::size_t length = part.row_length() * bytes;
  part.for_each_row([&](const om::Cell& cell) {
    char* const row = cells + box.position(cell) * bytes;
    if (way == ToOrFro::from_message)
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

Driver::Driver(Division& division, LateAnswers& transport, std::unique_ptr<Worker> own)
    : division_(division), transport_(transport), worker_(std::move(own)) {
  const om::Machine& machine = division_.library.machine();
  for (const auto& kernel : machine.kernels) {
    KernelGlobals& globals = kernels_.emplace_back();
    globals.late = om::late_reductions(kernel.graph);
    globals.loaded = om::globals_read(machine, kernel);
    for (const om::NodeId id : kernel.graph.stores())
      globals.stored.insert(std::get<om::Store>(kernel.graph.node(id).instruction).target);
  }
  guarded([&] { each_answer({}); });  // that it serves
}

Driver::~Driver() {
  try {
    finish();
  } catch (const Error&) {
    return;
  }
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
  const auto& boxes = worker_->boxes();
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
      transfer(box, part, bytes, cells, piece.data(), ToOrFro::from_message);
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
      transfer(box, part, bytes, const_cast<char*>(cells), piece.data(), ToOrFro::to_message);
      if (rank > 0) return transport_.send(rank, std::move(piece));
      worker_->store(id, part, piece.data());
      transport_.release(std::move(piece));
    });
  });
}

std::vector<om::Constant> Driver::globals() const {
  const om::Machine& machine = division_.library.machine();
  std::vector<om::Constant> values(machine.statics.size());
  for (std::size_t s = 0; s < values.size(); ++s)
    if (!machine.at(om::StaticId(s)).type.is_local())
      values[s] = worker_->instance().scalar(om::StaticId(s));
  return values;
}

bool Driver::repeats(std::size_t kernel) const {
  const om::Machine& machine = division_.library.machine();
  return !om::reads_own_late(machine, machine.kernels[kernel]);
}

void Driver::run(std::size_t kernel, std::int64_t times) {
  const om::LateReductions& late = kernels_[kernel].late;
  tell_late([&globals = kernels_[kernel]](om::StaticId id) {
    return globals.loaded.contains(id) || !globals.stored.contains(id);
  });
  const auto run = [kernel](std::int64_t times) {
    return Command{
        Order::run, static_cast<std::int64_t>(kernel), static_cast<std::uint64_t>(times), {}};
  };
  guarded([&] {
    for (int rank = 1; rank < transport_.ranks(); ++rank) tell(rank, run(times));
    (void)worker_->obey(run(times - 1));
  });
  std::shared_ptr<LateResults> results;
  if (!late.results.empty() && transport_.ranks() > 1)
    results = std::make_shared<LateResults>(division_.library.machine().kernels[kernel].graph, late,
                                            division_.size, worker_->rank().whole(),
                                            worker_->boxes().size(), globals());
  LateAnswers::Taken taken;
  if (results)
    taken = [this, results](int rank, const Bytes& items) {
      results->add(rank, items);
      late_sent_.add({1, static_cast<std::int64_t>(items.size())});
    };
  guarded([&] {
    const Bytes own = worker_->obey(run(1));
    transport_.expect(std::move(taken));
    if (!results) return;
    results->add(0, own);
    results->describe(worker_->rank().take_late());
  });
  late_ = std::move(results);
}

void Driver::finish() {
  guarded([&] { transport_.take_all(); });
}

void Driver::tell_late(const std::function<bool(om::StaticId)>& is_needed) {
  if (!late_) return;
  const auto late = std::exchange(late_, nullptr);
  if (std::ranges::none_of(late->targets(), is_needed)) return;
  finish();
  std::vector<std::int64_t> pairs;
  for (std::size_t i = 0; i < late->targets().size(); ++i)
    if (is_needed(late->targets()[i]))
      pairs.insert(pairs.end(), {static_cast<std::int64_t>(late->targets()[i].index),
                                 static_cast<std::int64_t>(late->values()[i].bits())});
  guarded([&] {
    for (int rank = 1; rank < transport_.ranks(); ++rank) {
      tell(rank, {Order::set_all, 0, 0, {}});
      transport_.send(rank, encode(pairs));
      late_sent_.add({1, static_cast<std::int64_t>(pairs.size() / 2 * sizeof(std::int64_t))});
    }
    worker_->set_all(pairs);
  });
}

void Driver::go_back() {
  late_.reset();
  ask({Order::go_back, 0, 0, {}});
}

om::Constant Driver::scalar(om::StaticId id) {
  if (!late_ || std::ranges::find(late_->targets(), id) == late_->targets().end())
    return worker_->instance().scalar(id);
  finish();
  return *late_->value_of(id);
}

MessageCount Driver::traffic() {
  finish();
  MessageCount all = worker_->traffic();
  all.add(late_sent_);
  return all;
}

std::optional<SharedWrite> Driver::write_to_file(om::StaticId id, const SharedFile& file,
                                                 std::int64_t at) {
  SharedWrite first;
  bool unseen = false;
  const auto note = [&](int rank, const Bytes& answer) {
    const std::int64_t one = decode_numbers(answer).front();
    unseen = unseen || one == SharedFile::kUnseen;
    if (first.error == 0) first = {static_cast<int>(one), rank};
  };
  const Command command{
      Order::to_file, static_cast<std::int64_t>(id.index), static_cast<std::uint64_t>(at), {}};
  guarded([&] {
    for (int rank = 1; rank < transport_.ranks(); ++rank) tell(rank, command, file.text());
    note(0, worker_->write_to_file(id, file, at));
    each_answer(note);
  });
  return unseen ? std::nullopt : std::optional(first);
}

bool Driver::move_to(const om::Orthotree& tree) {
  settle();
  const std::string text = om::print(tree);
  bool all = true;
  guarded([&] {
    for (int rank = 1; rank < transport_.ranks(); ++rank)
      tell(rank, {Order::prepare, 0, 0, {}}, text);
    all = worker_->prepare(tree)[0] != 0;
    each_answer([&](int, const Bytes& answer) { all = all && answer[0] != 0; });
  });
  ask({all ? Order::move : Order::stay, 0, 0, {}});
  return all;
}

}  // namespace paraiso::runtime
