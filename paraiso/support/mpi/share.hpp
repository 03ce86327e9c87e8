// A solver's part of a grid that the processes of MPI share: it sends and receives ghost cells,
// reduces over the whole grid with the bits of one process, and gives and takes state.
// Gives: PartField, PartScalar, PartKernel, PartRules, Part in paraiso_mpi.
// Needs: parts.hpp, wide.hpp, copy.hpp, mpi.hpp, sums.hpp, state.hpp.
#pragma once

#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "paraiso/support/mpi/copy.hpp"
#include "paraiso/support/mpi/state.hpp"
#include "paraiso/support/mpi/sums.hpp"
#include "paraiso/support/mpi/wide.hpp"

namespace paraiso_mpi {

template <class Solver>
struct PartField {
  void* (*cells)(Solver& solver);  // the address of core cell 0
  std::size_t bytes;               // of a cell
};
template <class Solver>
struct PartScalar {
  void* (*value)(Solver& solver);
  std::size_t bytes;
};
template <class Solver, int D>
struct PartKernel {
  void (Solver::*run)();
  bool receives;  // it computes while messages are under way, and then asks for them
  std::vector<Reading<D>> reads;
  std::vector<int> changes;  // the fields whose ghost cells are others when it has run
  // Scalars, by number: what it reads and stores; and those among the latter that are stored from
  // reductions which no cell waits for, by what `begin_late` gives, once the results are known.
  std::vector<int> loads, stores, late = {};
  using Finish = std::function<void(const std::vector<const void*>& results)>;
  Finish (*begin_late)(Solver& solver, paraiso_support::Place place) = nullptr;
};
/// What is the same in all parts of any grid.
template <class Solver, int D>
struct PartRules {
  std::vector<PartField<Solver>> fields;
  std::vector<FieldSides<D>> sides;  // of each field
  std::vector<PartScalar<Solver>> scalars;
  std::vector<int> statics;  // in the order of a file: a field's number, or -1 minus a scalar's
  std::vector<PartKernel<Solver, D>> kernels;
  // More than one: for so many steps there is one exchange, where Wide is possible. Then of each
  // kernel what that needs besides.
  int steps = 1;
  std::vector<WideKernel<D>> wide = {};
};

/// Each process makes one; all call the same functions in the same order, on the thread that has
/// initialised MPI. If that has granted MPI_THREAD_SERIALIZED, another thread calls MPI while a
/// kernel computes that is to hide its messages.
template <class SolverClass, int D>
class Part {
 public:
  using Solver = SolverClass;
  using Rules = PartRules<Solver, D>;

  /// Throws std::invalid_argument, on all processes, if there are more of them than cells.
  Part(Rules rules, const std::int64_t (&whole)[D], int threads, MPI_Comm world)
      : rules_(std::move(rules)), peers_(world), threads_(threads) {
    std::copy(whole, whole + D, whole_.begin());
    divide_grid();
    widen();
    for (int a = 0; a < D; ++a) size_[a] = computed_.along(a);
    solver_ = std::make_unique<Solver>(place(), threads);
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  /// Which cells of the whole grid this part has; `part.u()` is the address of the first.
  const Cells<D>& core() const { return parts_[peers_.rank()]; }
  Cells<D> whole() const { return {{}, whole_}; }
  /// The distance of neighbours along `axis`, in elements of any array.
  std::int64_t stride(int axis) const { return solver_->stride(axis); }
  void set_threads(int threads) {
    threads_ = threads;
    solver_->set_threads(threads);
  }
  int rank() const { return peers_.rank(); }
  int ranks() const { return peers_.count(); }

  /// To be called by all when cells were written otherwise than by a kernel, `scatter` or `load`.
  void changed() {
    sent_.clear();
    if (wide_) right_ = wide_->nothing();
  }
  /// Whether any process says so: for decisions that all must take alike, as when to stop.
  bool any(bool here) const { return peers_.any(here); }

  /// Copies cells of a field to process `to`, axis 0 fastest; `cells` is this part's pointer, `all`
  /// is used there alone. Throws std::invalid_argument, on all, if not all lie in the grid.
  template <class T>
  void gather(const T* cells, const Cells<D>& box, T* all, int to = 0) const {
    require(box);
    state().gather(cells, sizeof(T), box, all, to);
  }
  /// The other way: what process `from` has.
  template <class T>
  void scatter(T* cells, const Cells<D>& box, const T* all, int from = 0) {
    require(box);
    state().scatter(cells, sizeof(T), box, all, from);
    changed();
  }

  /// The whole state to and from a file, which the first process writes and reads: the same bytes
  /// as of a solver that has the whole grid, and of any number of processes. Both throw
  /// std::runtime_error on all processes; a file that can't be written stays as it was.
  void save(const char* path) {
    settle();
    state().save(path, statics());
  }
  void load(const char* path) {
    state().load(path, statics());
    forget_late();
    changed();
  }
  /// 16 digits that tell whether two fields have the same bits, however their grid is divided.
  template <class T>
  std::string hash(const T* cells) const {
    std::uint64_t sum = 0;
    each_row(core(), [&](const Cell<D>& first, std::int64_t count) {
      std::uint64_t number = static_cast<std::uint64_t>(position<D>(first, whole_));
      const T* const row = cells + address(first, core());
      for (std::int64_t i = 0; i < count; ++i) sum += mixed(row[i], ++number);
    });
    sum = peers_.sum(sum);
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(sum));
    return text;
  }

 protected:
  /// Its fields have the cells of this part; a scalar is known after `settle`.
  Solver& solver() { return *solver_; }
  /// Of a field, this part's first cell; the solver may compute cells of others before it.
  template <class T>
  T* own(T* cells) const {
    return cells + address(core().begin, computed_);
  }
  /// Sets the scalars that the last kernel has stored from reductions, if this is one of them.
  void settle(int scalar) {
    if (has(late_, scalar)) settle();
  }

  void run(std::size_t number) {
    const auto& kernel = rules_.kernels[number];
    if (!replaces_late(kernel)) settle();
    forget_late();
    if (kernel.begin_late) finish_late_ = kernel.begin_late(*solver_, place());
    late_ = kernel.late;
    send(wide_ ? wide_->due(number, right_) : missing(kernel.reads));
    if (kernel.receives && !wide_)
      peers_.carry_on();
    else
      receive();
    ((*solver_).*kernel.run)();
    receive();
    if (wide_) return wide_->ran(number, right_);
    for (const int field : kernel.changes)
      for (auto sent = sent_.begin(); sent != sent_.end();)
        sent = sent->field == field ? sent_.erase(sent) : std::next(sent);
  }

 private:
  void settle() {
    if (finish_late_) finish_late_(sums_.take_late());
    forget_late();
  }

  struct Piece {
    int field;
    Cells<D> cells;
  };
  struct Message {
    std::vector<Piece> pieces;  // where this part has or keeps them
    std::vector<char> buffer;
  };
  /// By process, this one included.
  struct Messages {
    std::map<int, Message> sent, received;
  };

  void divide_grid() {
    double cells = 1;
    for (const std::int64_t n : whole_) cells *= n < 1 ? 0 : static_cast<double>(n);
    if (cells < 1 || cells > 0x1p62) throw std::invalid_argument("a grid has 1 to 2^62 cells");
    if (whole().count() < ranks())
      throw std::invalid_argument("a grid of " + std::to_string(whole().count()) +
                                  " cells can't be divided among " + std::to_string(ranks()) +
                                  " processes");
    parts_ = divide<D>(whole_, ranks());
  }
  void widen() {
    computed_ = core();
    if (rules_.steps < 2) return;
    for (std::size_t k = 0; k < rules_.wide.size(); ++k)
      rules_.wide[k].reads = rules_.kernels[k].reads;
    auto wide = std::make_unique<Wide<D>>(rules_.sides, rules_.wide, whole_, parts_, rules_.steps);
    if (!wide->is_possible()) return;
    wide_ = std::move(wide);
    right_ = wide_->nothing();
    computed_ = wide_->computed(rank());
  }
  paraiso_support::Place place() const {
    const bool others = computed_.along(0) > core().along(0);
    return {size_.data(), computed_.begin.data(), whole_.data(), &exchange_,
            others,       peers_.count_here()};
  }
  void require(const Cells<D>& box) const {
    bool inside = true;
    for (int a = 0; a < D; ++a)
      inside &= 0 <= box.begin[a] && box.begin[a] < box.end[a] && box.end[a] <= whole_[a];
    if (!inside) throw std::invalid_argument("cells outside the grid");
  }
  /// Of a cell, where that of the first of `cells` is 0.
  std::int64_t address(const Cell<D>& cell, const Cells<D>& cells) const {
    std::int64_t elements = 0;
    for (int a = 0; a < D; ++a) elements += (cell[a] - cells.begin[a]) * solver_->stride(a);
    return elements;
  }
  State<D> state() const {
    Cell<D> strides;
    for (int a = 0; a < D; ++a) strides[a] = solver_->stride(a);
    return {peers_, whole_, parts_, strides};
  }
  std::vector<Held> statics() {
    std::vector<Held> list;
    for (const int number : rules_.statics) {
      const bool is_field = number >= 0;
      const auto n = static_cast<std::size_t>(is_field ? number : -1 - number);
      if (is_field) {
        const std::size_t bytes = rules_.fields[n].bytes;
        char* const cells = static_cast<char*>(rules_.fields[n].cells(*solver_));
        const std::int64_t first = address(core().begin, computed_);
        list.push_back({cells + first * static_cast<std::int64_t>(bytes), bytes, true});
      } else {
        list.push_back({rules_.scalars[n].value(*solver_), rules_.scalars[n].bytes, false});
      }
    }
    return list;
  }

  // Late scalars.

  static bool has(const std::vector<int>& list, int scalar) {
    return std::find(list.begin(), list.end(), scalar) != list.end();
  }
  void forget_late() {
    sums_.forget_late();
    finish_late_ = nullptr;
    late_.clear();
  }
  /// Whether a kernel reads none of those that are late, and stores all of them.
  bool replaces_late(const PartKernel<Solver, D>& kernel) const {
    for (const int scalar : late_)
      if (has(kernel.loads, scalar) || !has(kernel.stores, scalar)) return false;
    return true;
  }

  /// SplitMix64's finaliser of a cell's bits (all NaNs are one) and its number, counted from 1.
  template <class T>
  static std::uint64_t mixed(T value, std::uint64_t number) {
    if constexpr (std::is_floating_point_v<T>)
      if (value != value) value = std::numeric_limits<T>::quiet_NaN();
    std::uint64_t z = 0;
    std::memcpy(&z, &value, sizeof value);
    z += number * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // Ghost cells.

  Messages plan(const std::vector<Reading<D>>& readings) const {
    Messages messages;
    for (int to = 0; to < ranks(); ++to) {
      for (const Need<D>& need : needs(parts_[to], readings)) {
        if (const Cells<D> cells = need.cells.common(core()); cells.count() > 0)
          append(messages.sent[to], {need.field, cells});
        for (int from = 0; to == rank() && from < ranks(); ++from)
          if (const Cells<D> cells = need.cells.common(parts_[from]); cells.count() > 0)
            append(messages.received[from], {need.field, cells.moved(need.shift, need.shift)});
      }
    }
    return messages;
  }
  std::vector<Need<D>> needs(const Cells<D>& part, const std::vector<Reading<D>>& readings) const {
    if (wide_) return wide_->needs(part, readings);
    Needs<D> needs(rules_.sides, whole_, part);
    for (const Reading<D>& reading : readings) needs.add(reading);
    return needs.all();
  }
  void append(Message& message, const Piece& piece) const {
    const auto cells = static_cast<std::size_t>(piece.cells.count());
    message.buffer.resize(message.buffer.size() + cells * rules_.fields[piece.field].bytes);
    message.pieces.push_back(piece);
  }

  /// Between the solver's fields and a message, by as many threads as it is worth.
  void copy_all(Message& message, ToOrFro way) {
    char* next = message.buffer.data();
    std::vector<RowsOfBox> boxes;
    for (const Piece& piece : message.pieces) {
      boxes.push_back(rows_of(piece, next));
      next += piece.cells.count() * static_cast<std::int64_t>(rules_.fields[piece.field].bytes);
    }
    const int parts = threads_for(boxes, threads_);
#ifdef _OPENMP
#pragma omp parallel for num_threads(parts) schedule(static) if (parts > 1)
#endif
    for (int part = 0; part < parts; ++part)
      for (const RowsOfBox& box : boxes) copy_rows(box, way, part, parts);
  }
  RowsOfBox rows_of(const Piece& piece, char* message) {
    const auto bytes = static_cast<std::int64_t>(rules_.fields[piece.field].bytes);
    char* const cells = static_cast<char*>(rules_.fields[piece.field].cells(*solver_));
    RowsOfBox rows{};
    rows.cells = cells + address(piece.cells.begin, computed_) * bytes;
    rows.message = message;
    rows.axes = D;
    rows.row_bytes = static_cast<std::size_t>(piece.cells.along(0) * bytes);
    for (int a = 1; a < D; ++a) {
      rows.extents[a] = piece.cells.along(a);
      rows.strides[a] = solver_->stride(a) * bytes;
    }
    return rows;
  }
  /// What is read and has changed since it was sent.
  std::vector<Reading<D>> missing(const std::vector<Reading<D>>& reads) {
    std::vector<Reading<D>> list;
    for (const Reading<D>& reading : reads)
      if (sent_.insert(reading).second) list.push_back(reading);
    return list;
  }
  /// Starts to send and to receive it.
  void send(const std::vector<Reading<D>>& missing) {
    auto known = messages_.find(missing);
    if (known == messages_.end()) known = messages_.emplace(missing, plan(missing)).first;
    awaited_ = &known->second;
    for (auto& [from, message] : awaited_->received) peers_.start_receiving(from, message.buffer);
    for (auto& [to, message] : awaited_->sent) {
      copy_all(message, ToOrFro::to_message);
      peers_.start_sending(to, message.buffer);
    }
  }
  /// Waits for it, if that has not been done.
  void receive() {
    if (awaited_ == nullptr) return;
    peers_.wait();
    for (auto& [from, message] : awaited_->received) copy_all(message, ToOrFro::from_message);
    awaited_ = nullptr;
  }

  Rules rules_;
  Peers peers_;
  int threads_;
  Cell<D> whole_{}, size_{};
  std::vector<Cells<D>> parts_;  // by process
  Cells<D> computed_;            // by this one
  std::unique_ptr<Wide<D>> wide_;
  typename Wide<D>::Right right_;
  std::set<Reading<D>> sent_;                             // since what is read has changed
  std::map<std::vector<Reading<D>>, Messages> messages_;  // by what is sent
  Messages* awaited_ = nullptr;
  Sums<D> sums_{peers_, whole_, parts_, computed_};
  std::vector<int> late_;  // scalars that are not known yet
  typename PartKernel<Solver, D>::Finish finish_late_;
  paraiso_support::Exchange exchange_{this,
                                      [](void* self, const Reducing* shares, int count) {
                                        static_cast<Part*>(self)->sums_.reduce(shares, count);
                                      },
                                      [](void* self) { static_cast<Part*>(self)->receive(); }};
  std::unique_ptr<Solver> solver_;
};

}  // namespace paraiso_mpi
