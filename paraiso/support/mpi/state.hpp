// The state of a grid that processes of MPI share: boxes of cells to and from one of them, and
// files. Gives: Held, State in paraiso_mpi. Needs: parts.hpp, mpi.hpp, state_file.hpp.
#pragma once

#include <cstring>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "paraiso/support/mpi/mpi.hpp"
#include "paraiso/support/mpi/parts.hpp"
#include "paraiso/support/state_file.hpp"

namespace paraiso_mpi {

/// A field's core cell 0, or a scalar; and the bytes of a cell, or of it.
struct Held {
  void* data;
  std::size_t bytes;
  bool is_field;
};

template <int D>
class State {
 public:
  State(const Peers& peers, const Cell<D>& whole, const std::vector<Cells<D>>& parts,
        const Cell<D>& strides)
      : peers_(peers), whole_(whole), parts_(parts), strides_(strides) {}

  /// Each part that has some of the box sends them, in one message.
  void gather(const void* cells, std::size_t bytes, const Cells<D>& box, void* all, int to) const {
    char* const field = static_cast<char*>(const_cast<void*>(cells));
    const auto receive_from = [&](int rank, const Cells<D>& part) {
      std::vector<char> message(bytes * static_cast<std::size_t>(part.count()));
      if (rank == to)
        copy(field, bytes, part, message, true);
      else
        peers_.receive(rank, message.data(), message.size());
      put(box, part, bytes, static_cast<char*>(all), message, true);
    };
    if (peers_.rank() == to) return each_part(box, receive_from);
    const Cells<D> part = box.common(core());
    if (part.count() == 0) return;
    std::vector<char> message(bytes * static_cast<std::size_t>(part.count()));
    copy(field, bytes, part, message, true);
    peers_.send(to, message.data(), message.size());
  }

  void scatter(void* cells, std::size_t bytes, const Cells<D>& box, const void* all,
               int from) const {
    char* const field = static_cast<char*>(cells);
    const auto send_to = [&](int rank, const Cells<D>& part) {
      std::vector<char> message(bytes * static_cast<std::size_t>(part.count()));
      put(box, part, bytes, static_cast<char*>(const_cast<void*>(all)), message, false);
      if (rank == from)
        copy(field, bytes, part, message, false);
      else
        peers_.send(rank, message.data(), message.size());
    };
    if (peers_.rank() == from) return each_part(box, send_to);
    const Cells<D> part = box.common(core());
    if (part.count() == 0) return;
    std::vector<char> message(bytes * static_cast<std::size_t>(part.count()));
    peers_.receive(from, message.data(), message.size());
    copy(field, bytes, part, message, false);
  }

  void save(const char* path, const std::vector<Held>& statics) const {
    std::optional<paraiso_support::StateWriter> file;
    if (first()) {
      file.emplace(path);
      file->write(whole_.data(), D);
    }
    for (const Held& one : statics) {
      if (one.is_field)
        each_slab([&](const Cells<D>& slab, std::vector<char>& cells) {
          gather(one.data, one.bytes, slab, cells.data(), 0);
          if (first()) file->write(cells.data(), size_of(slab, one));
        });
      else if (first())
        file->write(static_cast<const char*>(one.data), static_cast<std::int64_t>(one.bytes));
    }
    bool failed = false;
    try {
      if (first()) file->finish();
    } catch (const std::runtime_error&) {
      failed = true;
    }
    if (peers_.any(failed)) throw std::runtime_error("cannot write `" + std::string(path) + "`");
  }

  void load(const char* path, const std::vector<Held>& statics) const {
    const std::string text(path);
    std::fstream file;
    bool unreadable = false, other = false;
    if (first()) {
      file.open(text, std::ios::in | std::ios::binary | std::ios::ate);
      const std::streamoff length = file ? static_cast<std::streamoff>(file.tellg()) : 0;
      Cell<D> size{};
      file.seekg(0);
      file.read(reinterpret_cast<char*>(size.data()), sizeof size);
      unreadable = !file;
      other = size != whole_ || length != length_of(statics);
    }
    if (peers_.any(unreadable)) throw std::runtime_error("cannot read `" + text + "`");
    if (peers_.any(other))
      throw std::runtime_error("`" + text + "` holds a grid of another size, or another program's");
    for (const Held& one : statics) {
      if (one.is_field) {
        each_slab([&](const Cells<D>& slab, std::vector<char>& cells) {
          if (first()) file.read(cells.data(), size_of(slab, one));
          scatter(one.data, one.bytes, slab, cells.data(), 0);
        });
        continue;
      }
      if (first()) file.read(static_cast<char*>(one.data), static_cast<std::streamsize>(one.bytes));
      peers_.broadcast(one.data, one.bytes);
    }
    if (peers_.any(first() && !file)) throw std::runtime_error("cannot read `" + text + "`");
  }

 private:
  bool first() const { return peers_.rank() == 0; }
  const Cells<D>& core() const { return parts_[peers_.rank()]; }
  static std::streamsize size_of(const Cells<D>& slab, const Held& field) {
    return static_cast<std::streamsize>(field.bytes) * slab.count();
  }
  std::streamoff length_of(const std::vector<Held>& statics) const {
    std::streamoff length = sizeof whole_;
    for (const Held& one : statics)
      length += size_of(one.is_field ? Cells<D>{{}, whole_} : Cells<D>{{}, ones()}, one);
    return length;
  }
  static Cell<D> ones() {
    Cell<D> cell;
    cell.fill(1);
    return cell;
  }

  /// Calls visit(process, cells) for all that have some of the box.
  template <class Visit>
  void each_part(const Cells<D>& box, const Visit& visit) const {
    for (int rank = 0; rank < peers_.count(); ++rank)
      if (const Cells<D> part = box.common(parts_[rank]); part.count() > 0) visit(rank, part);
  }
  /// Calls visit(slab, room) for pieces of the grid in a file's order, of half a million cells at
  /// most. So no process holds a whole field, unless it is small.
  template <class Visit>
  void each_slab(const Visit& visit) const {
    std::vector<char> room(first() ? most_ * 8 : 0);
    halve({{}, whole_}, [&](const Cells<D>& slab) { visit(slab, room); });
  }
  template <class Visit>
  static void halve(const Cells<D>& cells, const Visit& visit) {
    if (cells.count() <= most_) return visit(cells);
    int axis = D - 1;
    while (cells.along(axis) == 1) --axis;
    Cells<D> lower = cells, upper = cells;
    lower.end[axis] = upper.begin[axis] = cells.begin[axis] + cells.along(axis) / 2;
    halve(lower, visit);
    halve(upper, visit);
  }

  /// Between this part's field and a message.
  void copy(char* field, std::size_t bytes, const Cells<D>& cells, std::vector<char>& message,
            bool to_message) const {
    char* next = message.data();
    each_row(cells, [&](const Cell<D>& first, std::int64_t count) {
      std::int64_t elements = 0;
      for (int a = 0; a < D; ++a) elements += (first[a] - core().begin[a]) * strides_[a];
      move(field + elements * static_cast<std::int64_t>(bytes), next, bytes, count, !to_message);
    });
  }
  /// Between a box and a part's message.
  static void put(const Cells<D>& box, const Cells<D>& part, std::size_t bytes, char* all,
                  std::vector<char>& message, bool to_box) {
    Cell<D> extents;
    for (int a = 0; a < D; ++a) extents[a] = box.along(a);
    char* next = message.data();
    each_row(part, [&](Cell<D> first, std::int64_t count) {
      for (int a = 0; a < D; ++a) first[a] -= box.begin[a];
      move(all + position<D>(first, extents) * static_cast<std::int64_t>(bytes), next, bytes, count,
           to_box);
    });
  }
  static void move(char* row, char*& next, std::size_t bytes, std::int64_t count, bool to_row) {
    const std::size_t length = bytes * static_cast<std::size_t>(count);
    std::memcpy(to_row ? row : next, to_row ? next : row, length);
    next += length;
  }

  static constexpr std::int64_t most_ = std::int64_t{1} << 19;  // cells of a slab

  const Peers& peers_;
  Cell<D> whole_;
  const std::vector<Cells<D>>& parts_;
  Cell<D> strides_;
};

}  // namespace paraiso_mpi
