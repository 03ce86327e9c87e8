#include "paraiso/runtime/ranks/divided_instance.hpp"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/ranks/rank.hpp"
#include "paraiso/runtime/ranks/team.hpp"
#include "paraiso/runtime/system/memory.hpp"

namespace paraiso::runtime {
namespace {

bool fuses_steps(const om::Graph& graph) {
  for (std::size_t n = 0; n < graph.node_count(); ++n)
    if (const auto* load = std::get_if<om::Load>(&graph.node(om::NodeId(n)).instruction))
      if (load->step > 0) return true;
  return false;
}

class DividedInstance : public Instance {
 public:
  DividedInstance(const Library& library, const om::Cell& size, const om::Orthotree& tree,
                  int threads, Library::Sharing sharing)
      : library_(library),
        messages_(library_.machine(), tree, size, library_.part_wants()),
        team_(static_cast<int>(messages_.boxes().size())),
        ranks_(messages_.boxes().size()) {
    team_.run([&](int rank) {
      ranks_[static_cast<std::size_t>(rank)] = std::make_unique<Rank>(
          library_, messages_.size(), messages_.boxes(), team_.transport(rank), threads, sharing);
    });
  }

  [[nodiscard]] const om::Machine& machine() const override { return library_.machine(); }
  [[nodiscard]] const std::vector<std::int64_t>& size() const override { return messages_.size(); }
  [[nodiscard]] bool is_divided() const override { return true; }

  void run(std::string_view name) override {
    const auto& kernel = find_kernel(machine(), name);
    if (fuses_steps(kernel.graph))
      throw Error(fmt::format("kernel `{}` fuses steps, which ranks don't yet", name));
    const auto number = static_cast<std::size_t>(&kernel - machine().kernels.data());
    const auto& messages = messages_.before(number);
    team_.run([&](int rank) {
      at(rank).exchange(messages[static_cast<std::size_t>(rank)]);
      at(rank).instance().run(name);
    });
    messages_.ran(number);
  }

  [[nodiscard]] FieldView field(om::StaticId) override {
    throw std::logic_error("no rank has a whole field");
  }
  [[nodiscard]] om::Constant scalar(om::StaticId id) const override {
    return at(0).instance().scalar(id);
  }
  void set_scalar(om::StaticId id, om::Constant value) override {
    for (const auto& rank : ranks_) rank->instance().set_scalar(id, value);
  }

  void each_part(const std::function<void(const Part& part)>& visit) override {
    mark_all();
    team_.run([&](int rank) { visit({at(rank).instance(), at(rank).box(), rank}); });
  }
  void read(om::StaticId id, const om::Box& box, void* cells) override {
    copy(id, box, static_cast<char*>(cells), Copying::from_field);
  }
  void write(om::StaticId id, const om::Box& box, const void* cells) override {
    copy(id, box, const_cast<char*>(static_cast<const char*>(cells)), Copying::to_field);
    messages_.changed(id);
  }

 private:
  [[nodiscard]] Rank& at(int rank) const { return *ranks_[static_cast<std::size_t>(rank)]; }

  void mark_all() {
    for (std::size_t s = 0; s < machine().statics.size(); ++s)
      if (machine().statics[s].type.is_local()) messages_.changed(om::StaticId(s));
  }

  void copy(om::StaticId id, const om::Box& box, char* cells, Copying way) const {
    const std::size_t bytes = om::size_of(machine().at(id).type.element);
    std::vector<char> piece;
    for (const auto& rank : ranks_) {
      const om::Box part = om::intersection(box, rank->box());
      if (part.empty()) continue;
      piece.resize(part.cell_count() * bytes);
      const om::Box own =
          om::moved(part, om::minus(om::Cell(part.lower.size(), 0), rank->box().lower));
      const FieldView field = rank->instance().field(id);
      if (way == Copying::from_field) copy_box(field, own, piece.data(), way);
      transfer(box, part, bytes, cells, piece.data(), way);
      if (way == Copying::to_field) copy_box(field, own, piece.data(), way);
    }
  }

  /// Between the cells of `box` and those of a part of it, row by row.
  static void transfer(const om::Box& box, const om::Box& part, std::size_t bytes, char* cells,
                       char* piece, Copying way) {
    om::Box rows = part;
    rows.upper[0] = rows.lower[0] + 1;
    const std::size_t length = static_cast<std::size_t>(part.upper[0] - part.lower[0]) * bytes;
    rows.for_each([&](const om::Cell& cell) {
      char* const row = cells + box.position(cell) * bytes;
      if (way == Copying::from_field)
        std::memcpy(row, piece, length);
      else
        std::memcpy(piece, row, length);
      piece += length;
    });
  }

  Library library_;
  MessagePlan messages_;
  Team team_;
  std::vector<std::unique_ptr<Rank>> ranks_;
};

}  // namespace

std::unique_ptr<Instance> divided_instance(const Library& library,
                                           const std::vector<std::int64_t>& size,
                                           const om::Orthotree& tree, int threads,
                                           Library::Sharing sharing) {
  check_size(library.machine().dimension, size);
  return std::make_unique<DividedInstance>(library, size, tree, threads, sharing);
}

}  // namespace paraiso::runtime
