#include "paraiso/runtime/ranks/part.hpp"

#include "paraiso/runtime/system/memory.hpp"

namespace paraiso::runtime {

using paraiso_mpi::ToOrFro;

namespace {

/// What goes from this rank to each, or from each to this, and to itself.
using CellsOf = std::vector<std::vector<om::Box>>;

/// The cells of one field, a message for each peer.
class FieldMove {
 public:
  FieldMove(const Part& from, const Part& to, om::StaticId id, Transport& transport)
      : from_(from), to_(to), id_(id), transport_(transport) {}

  void send(int peer, const std::vector<om::Box>& boxes) {
    transport_.send(peer, copy(from_, boxes, transport_.buffer(bytes(boxes)), ToOrFro::to_message));
  }
  void receive(int peer, const std::vector<om::Box>& boxes) {
    transport_.release(copy(to_, boxes, transport_.receive(peer), ToOrFro::from_message));
  }
  void keep(const std::vector<om::Box>& boxes) {
    Bytes cells = copy(from_, boxes, transport_.buffer(bytes(boxes)), ToOrFro::to_message);
    transport_.release(copy(to_, boxes, std::move(cells), ToOrFro::from_message));
  }

 private:
  [[nodiscard]] std::size_t bytes(const std::vector<om::Box>& boxes) const {
    std::size_t cells = 0;
    for (const om::Box& box : boxes) cells += box.cell_count();
    return cells * om::size_of(from_.rank.instance().machine().at(id_).type.element);
  }
  [[nodiscard]] Bytes copy(const Part& part, const std::vector<om::Box>& boxes, Bytes cells,
                           ToOrFro way) const {
    part.rank.copy(id_, boxes, cells.data(), way);
    return cells;
  }

  const Part &from_, &to_;
  om::StaticId id_;
  Transport& transport_;
};

}  // namespace

std::shared_ptr<MessagePlan> Division::messages_on(const om::Orthotree& other) {
  const std::lock_guard lock(mutex_);
  if (last_ == nullptr || last_tree_ != other) {
    last_ =
        std::make_shared<MessagePlan>(library.machine(), other, size, library.part_wants(), steps);
    last_tree_ = other;
  }
  return last_;
}

Part::Part(Division& division, const om::Orthotree& its_tree, Transport& transport)
    : tree(its_tree),
      messages(division.messages_on(tree)),
      rank(division.library, *messages, transport, division.threads, division.sharing),
      sent(messages->nothing_sent()) {}

bool has_room(const Division& division, const om::Orthotree& tree, const Transport& transport) {
  double bytes_of_cell = 0, cells = 0;
  for (const om::Static& one : division.library.machine().statics)
    if (one.type.is_local()) bytes_of_cell += static_cast<double>(om::size_of(one.type.element));
  const std::vector<om::Box> boxes = tree.leaves(division.size);
  for (int rank = 0; rank < transport.ranks(); ++rank)
    if (transport.host(rank) == transport.host(transport.rank()))
      cells += static_cast<double>(boxes[static_cast<std::size_t>(rank)].cell_count());
  return available_memory().bytes > 2 * bytes_of_cell * cells;
}

void move_state(const Part& from, const Part& to, Transport& transport) {
  const auto me = static_cast<std::size_t>(transport.rank());
  CellsOf sends(from.messages->boxes().size()), receives(sends.size());
  for (const om::Move& move : om::redivide(from.tree, to.tree, from.messages->size())) {
    if (move.from == me) sends[move.to].push_back(move.cells);
    if (move.to == me) receives[move.from].push_back(move.cells);
  }
  const om::Machine& machine = from.rank.instance().machine();
  for (std::size_t s = 0; s < machine.statics.size(); ++s) {
    const om::StaticId id(s);
    if (!machine.at(id).type.is_local()) {
      to.rank.instance().set_scalar(id, from.rank.instance().scalar(id));
      continue;
    }
    FieldMove field(from, to, id, transport);
    for (std::size_t peer = 0; peer < sends.size(); ++peer)
      if (peer != me && !sends[peer].empty()) field.send(static_cast<int>(peer), sends[peer]);
    field.keep(sends[me]);
    for (std::size_t peer = 0; peer < receives.size(); ++peer)
      if (peer != me && !receives[peer].empty())
        field.receive(static_cast<int>(peer), receives[peer]);
  }
}

}  // namespace paraiso::runtime
