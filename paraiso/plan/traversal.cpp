#include "paraiso/plan/traversal.hpp"

#include <algorithm>
#include <climits>
#include <set>

#include "paraiso/om/reduction.hpp"
#include "paraiso/passes/cost.hpp"
#include "paraiso/passes/step_flow.hpp"
#include "paraiso/plan/inner_states.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

/// One thing that a loop of the group makes: a buffer, an array, or a Reduce.
struct Item {
  ValueId value;
  int made = -1;  // in Outputs::list; -1: a buffer
  Expansion expansion = {};
  Extent box = {};                    // cells on which it is needed, were there one tile
  Extent reach = {};                  // cells beyond a tile on which it is needed
  const InnerState* state = nullptr;  // if it is one that a thread keeps
  bool kept = false;                  // others read it where it lies
  std::vector<Wanted> reads = {};     // of other items
  int earliest = 0;                   // the level that its reads allow
  int level = 0;                      // loops run in the order of their levels
  Offset lag = {};
  std::int32_t slope = 0;  // of a split group
  bool consumed = false;   // by another item
};

class TraversalFinder {
 public:
  TraversalFinder(const Machine& machine, const Kernel& kernel, const Choices& choices,
                  const Outputs& outputs, const std::vector<int>& members, std::size_t limit)
      : machine_(machine),
        graph_(kernel.graph),
        choices_(choices),
        outputs_(outputs),
        members_(members),
        limit_(limit),
        dimension_(kernel.graph.dimension()),
        ranges_(passes::value_ranges(kernel.graph)),
        stored_(passes::statics_stored(kernel.graph)) {}

  Traversal run() {
    group_.box = outputs_.list[members_[0]].box;
    list_items();
    if (!expand_items()) return std::move(result_);
    find_boxes();
    find_levels(std::vector<int>(items_.size(), INT_MAX));
    if (choices_.gather_divides) gather_divides();
    if (split())
      find_slopes();
    else
      find_lags();
    make_stages();
    drop_unread_buffers();
    if (split()) drop_unread_outputs();
    count_lines();
    widen_buffers();
    measure_memory();
    set_options(graph_, group_, choices_);
    result_.group = std::move(group_);
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool swept() const { return group_.form == Form::swept; }
  [[nodiscard]] bool split() const { return group_.form == Form::split; }
  /// Whether a loop and what it reads may lie apart along an axis.
  [[nodiscard]] bool is_sweep(int axis) const { return swept() && axis > 0; }

  /// The members, and every value kept by a thread that they need; producers first.
  void list_items() {
    sources_.kept.assign(graph_.value_count(), Kept::nowhere);
    sources_.inner = outputs_.chain.read();
    std::set<std::pair<int, ValueId>, std::greater<>> pending;  // users before operands
    const auto ask = [&](ValueId value) { pending.emplace(outputs_.chain.rank(value), value); };
    for (int m : members_) ask(outputs_.list[m].value);
    std::vector<ValueId> buffers;
    while (!pending.empty()) {
      const ValueId value = pending.begin()->second;
      pending.erase(pending.begin());
      if (!is_materialisable(graph_, value)) {
        // read, or computed, where it is used
      } else if (choices_.storage[value.index] == Storage::array) {
        sources_.kept[value.index] = Kept::array;
        if (!is_member(value)) continue;
      } else if (choices_.storage[value.index] != Storage::inlined) {
        sources_.kept[value.index] = Kept::buffer;
        buffers.push_back(value);
        if (choices_.storage[value.index] == Storage::rolling && dimension_ > 1)
          group_.form = Form::swept;
      }
      const Node& node = graph_.producer(value);
      if (!std::holds_alternative<Broadcast>(node.instruction))
        std::ranges::for_each(outputs_.chain.operands(value), ask);
    }
    choose_form(buffers);
    order_items(buffers);
  }

  /// A split group keeps in arrays what a thread would keep otherwise: tiles read what others made.
  void choose_form(const std::vector<ValueId>& buffers) {
    if (choices_.split && dimension_ > 1 && !buffers.empty()) {
      group_.form = Form::split;
      group_.cut = choices_.sweep.back();
      group_.sweep.assign(choices_.sweep.begin(), choices_.sweep.end() - 1);
      for (ValueId v : buffers) sources_.kept[v.index] = Kept::array;
    } else if (swept()) {
      group_.sweep = choices_.sweep;
    }
  }

  [[nodiscard]] bool is_member(ValueId value) const {
    return std::ranges::any_of(members_, [&](int m) {
      return outputs_.list[m].stored && outputs_.list[m].value == value;
    });
  }
  [[nodiscard]] bool becomes_static(ValueId value) const {
    return std::ranges::any_of(members_, [&](int m) {
      return !outputs_.list[m].reduce && outputs_.list[m].value == value;
    });
  }

  void order_items(const std::vector<ValueId>& buffers) {
    for (ValueId v : buffers)
      if (!split() || !becomes_static(v)) items_.push_back({.value = v, .state = state_of(v)});
    for (int m : members_) items_.push_back({.value = outputs_.list[m].value, .made = m});
    // of one value: its buffer or array first, then what reads it
    auto key = [&](const Item& item) {
      const Made* made = item.made < 0 ? nullptr : &outputs_.list[item.made];
      return std::tuple(outputs_.chain.rank(item.value), made && !made->stored, item.made);
    };
    std::ranges::sort(items_, {}, key);
    item_of_.assign(graph_.value_count(), -1);
    for (int i = 0; i < static_cast<int>(items_.size()); ++i) {
      int& place = item_of_[items_[i].value.index];
      items_[i].kept = place < 0 && is_kept(items_[i]);
      if (items_[i].kept) place = i;
    }
  }

  [[nodiscard]] const InnerState* state_of(ValueId value) const {
    const auto state = choices_.states.find(value);
    return state == choices_.states.end() ? nullptr : &state->second;
  }

  /// True for buffers and for arrays that others may read.
  [[nodiscard]] bool is_kept(const Item& item) const {
    if (item.made < 0 || outputs_.list[item.made].stored) return true;
    return split() && !outputs_.list[item.made].reduce &&
           sources_.kept[item.value.index] == Kept::array;
  }

  bool expand_items() {
    const Offset zero(dimension_, 0);
    for (Item& item : items_) {
      sources_.own.clear();
      if (item.kept) sources_.own[item.value] = zero;
      const Wanted root{item.value, zero};
      item.expansion = expand(graph_, std::span(&root, 1), sources_, limit_);
      if (!item.expansion.complete) {
        result_.too_large = std::move(item.expansion);
        return false;
      }
      for (const Term& term : item.expansion.terms) {
        if (term.kind != Term::Kind::read_array && term.kind != Term::Kind::read_buffer) continue;
        const int read = item_of_[term.value.index];
        if (read < 0) continue;  // an array of an earlier group
        item.reads.push_back({term.value, term.offset});
        items_[read].consumed = true;
      }
    }
    return true;
  }

  void find_boxes() {
    for (Item& item : items_) {
      item.box = item.made < 0 ? Extent(dimension_) : group_.box;
      item.reach = Extent(dimension_);
    }
    widen_boxes();
  }

  /// What is read on a box is made there.
  void widen_boxes() {
    for (auto item = items_.rbegin(); item != items_.rend(); ++item) {
      if (item->state) reach_sources(*item);
      for (const Wanted& read : item->reads) {
        producer(read).box.include(made(*item), read.offset);
        producer(read).reach.include(item->reach, read.offset);
      }
    }
  }

  /// The cells that a loop makes of it, were there one tile.
  [[nodiscard]] Extent made(const Item& item) const {
    return item.state ? made_box(*item.state, item.box) : item.box;
  }

  /// A tile at the grid's edge holds all cells that those beyond it are filled from.
  void reach_sources(Item& item) const {
    for (int a = 0; a < dimension_; ++a) {
      if (!item.state->filled[a]) continue;
      item.reach.upper[a] = std::max(item.reach.upper[a], farthest_source(item, a, false));
      item.reach.lower[a] = std::max(item.reach.lower[a], farthest_source(item, a, true));
    }
  }
  /// How many cells within the edge the one lies that the outermost needed cell is filled from.
  [[nodiscard]] std::int32_t farthest_source(const Item& item, int axis, bool upper) const {
    const std::int32_t width = upper ? item.box.upper[axis] : item.box.lower[axis];
    return width > 0 && reflects(item, axis, upper) ? width - 1 : 0;
  }
  [[nodiscard]] const Boundary& side(const Item& item, int axis, bool upper) const {
    const StaticId id = graph_.producer_as<Load>(item.value)->source;
    return machine_.at(id).boundary[axis][upper];
  }
  [[nodiscard]] bool reflects(const Item& item, int axis, bool upper) const {
    return std::holds_alternative<Reflect>(side(item, axis, upper));
  }

  /// The box and reach without the sweep's axes: what items of one loop have in common.
  using Section = std::pair<Extent, Extent>;
  [[nodiscard]] Section section(const Item& item) const {
    Section section{made(item), item.reach};
    if (split()) return section;
    for (int axis : group_.sweep) {
      section.first.lower[axis] = section.first.upper[axis] = 0;
      section.second.lower[axis] = section.second.upper[axis] = 0;
    }
    return section;
  }

  using Loop = std::pair<int, Section>;  // its level and what its items have in common
  [[nodiscard]] Loop loop_of(const Item& item) const { return {item.level, section(item)}; }

  /// Whether a loop that makes both may hold this read. Cells beyond the grid are filled after the
  /// loop.
  [[nodiscard]] bool may_share(const Item& item, const Wanted& read) const {
    const Item& made = items_[item_of_[read.value.index]];
    if (made.state && made.box != this->made(made)) return false;
    for (int a = 0; a < dimension_; ++a)
      if (!is_sweep(a) && read.offset[a] != 0) return false;
    return section(item) == section(made);
  }

  /// As early as possible first; then as late as its readers and `latest` allow, so that a value
  /// and its reader meet in one loop. What nothing reads joins the last loop of its kind.
  void find_levels(const std::vector<int>& latest) {
    for (Item& item : items_) {
      item.earliest = 0;
      for (const Wanted& read : item.reads)
        item.earliest = std::max(item.earliest, producer(read).earliest + distance(item, read));
    }
    int last = 0;
    for (const Item& item : items_)
      if (!item.consumed) last = std::max(last, item.earliest);
    for (std::size_t i = 0; i < items_.size(); ++i)
      items_[i].level = items_[i].consumed ? latest[i] : last;
    for (auto item = items_.rbegin(); item != items_.rend(); ++item)
      for (const Wanted& read : item->reads)
        producer(read).level = std::min(producer(read).level, item->level - distance(*item, read));
  }

  /// A loop that divides and goes on with the quotient waits for the divider; two values that
  /// divide can wait at the same time. So what divides leaves its readers' loop for the last loop
  /// before that also divides, and is made on as many cells.
  void gather_divides() {
    const std::vector<Item> ungathered = items_;
    std::map<int, const Item*> by_level;  // one that divides
    for (const Item& item : ungathered)
      if (divides(item)) by_level.try_emplace(item.level, &item);
    const std::vector<bool> shares = shares_loop_with_reader();
    std::vector<int> latest(items_.size(), INT_MAX);
    std::vector<Loop> home(items_.size());
    std::map<Loop, Section> widened;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (!shares[i] || !divides(items_[i])) continue;
      auto mate = by_level.lower_bound(items_[i].level);
      if (mate == by_level.begin() || (--mate)->first < items_[i].earliest) continue;
      latest[i] = mate->first;
      home[i] = loop_of(*mate->second);
      auto& [box, reach] = widened.try_emplace(home[i], home[i].second).first->second;
      box.include(section(items_[i]).first);
      reach.include(section(items_[i]).second);
    }
    for (std::size_t i = 0; i < items_.size(); ++i) {
      auto loop = widened.find(latest[i] < INT_MAX ? home[i] : loop_of(ungathered[i]));
      if (loop == widened.end()) continue;
      items_[i].box.include(loop->second.first);
      items_[i].reach.include(loop->second.second);
    }
    widen_boxes();
    find_levels(latest);
    if (std::ranges::any_of(items_, [](const Item& i) { return i.level < i.earliest; }))
      items_ = ungathered;
  }

  [[nodiscard]] bool divides(const Item& item) const {
    return item.made < 0 && !item.state &&
           std::ranges::any_of(item.expansion.terms, [&](const Term& term) {
             const auto* arith = graph_.producer_as<Arith>(term.value);
             return term.kind == Term::Kind::compute && arith && passes::divides(arith->op);
           });
  }

  [[nodiscard]] std::vector<bool> shares_loop_with_reader() const {
    std::vector<bool> shares(items_.size());
    for (const Item& item : items_)
      for (const Wanted& read : item.reads) {
        const int p = item_of_[read.value.index];
        if (loop_of(items_[p]) == loop_of(item)) shares[p] = true;
      }
    return shares;
  }

  Item& producer(const Wanted& read) { return items_[item_of_[read.value.index]]; }
  [[nodiscard]] int distance(const Item& item, const Wanted& read) const {
    return may_share(item, read) ? 0 : 1;
  }

  /// Whether row `a` comes before row `b` in the sweep.
  [[nodiscard]] bool before(const Offset& a, const Offset& b) const {
    for (int axis : group_.sweep)
      if (a[axis] != b[axis]) return a[axis] < b[axis];
    return false;
  }
  [[nodiscard]] Offset plus(const Offset& lag, const Offset& offset, int sign) const {
    Offset sum(dimension_, 0);
    for (int axis : group_.sweep) sum[axis] = lag[axis] + sign * offset[axis];
    return sum;
  }

  void find_lags() {
    const Offset none(dimension_, 0);
    Offset last = none;  // of what nothing reads
    for (Item& item : items_) {
      bool first = true;
      item.lag = none;
      for (const Wanted& read : item.reads) {
        const Offset least = plus(producer(read).lag, needed_at(item, read), 1);
        if (first || before(item.lag, least)) item.lag = least;
        first = false;
      }
      if (!item.consumed && before(last, item.lag)) last = item.lag;
    }
    // What is read is made as late as its readers allow, so that little of it is kept.
    std::vector<bool> bounded(items_.size());
    for (Item& item : items_)
      if (!item.consumed && item.reads.empty()) item.lag = last;
    for (auto item = items_.rbegin(); item != items_.rend(); ++item)
      for (const Wanted& read : item->reads) {
        const int p = item_of_[read.value.index];
        const Offset most = plus(item->lag, needed_at(*item, read), -1);
        if (!bounded[p] || before(most, items_[p].lag)) items_[p].lag = most;
        bounded[p] = true;
      }
  }

  /// The row, seen from the reader's, after which a row that is read has been made or filled. Rows
  /// below the grid are filled as soon as their sources are there.
  [[nodiscard]] Offset needed_at(const Item& reader, const Wanted& read) const {
    Offset offset = read.offset;
    const Item& item = items_[item_of_[read.value.index]];
    if (!item.state) return offset;
    for (int axis : group_.sweep) {
      const std::int32_t first = made(reader).lower[axis];  // the reader's first row is -first
      if (!item.state->filled[axis] || first - offset[axis] <= 0) continue;
      if (reflects(item, axis, false))
        offset[axis] = std::max(offset[axis], 2 * first - offset[axis] - 1);
      else if (std::holds_alternative<Outflow>(side(item, axis, false)))
        offset[axis] = std::max(offset[axis], first);
    }
    return offset;
  }

  /// A loop lies as far behind an earlier one as what it reads of it; and as what that one reads,
  /// which may be overwritten from here on. Along the cut that moves the ends of tiles, along the
  /// sweep it is the lag.
  void find_slopes() {
    std::map<Loop, std::vector<Item*>> loops;
    for (Item& item : items_) loops[loop_of(item)].push_back(&item);
    std::map<Loop, Offset> behind;
    Offset clear(dimension_, 0);  // of all that was read before
    for (const auto& [loop, members] : loops) {
      Offset& at = behind[loop] = clear;
      for (const Item* item : members)
        for (const Wanted& read : item->reads)
          if (const auto& other = loop_of(producer(read)); other != loop)
            keep_clear(at, behind.at(other), read.offset, needed_at(*item, read));
      for (Item* item : members) {
        item->lag = plus(Offset(dimension_, 0), at, 1);
        item->slope = at[group_.cut];
        for (const Term& term : item->expansion.terms)
          if (may_be_overwritten(term)) keep_clear(clear, at, term.offset, term.offset);
      }
    }
  }

  /// Behind what is at `offset` on either side, and at `needed`.
  void keep_clear(Offset& clear, const Offset& from, const Offset& offset,
                  const Offset& needed) const {
    for (int a = 0; a < dimension_; ++a)
      clear[a] = std::max(clear[a], from[a] + std::max(std::abs(offset[a]), needed[a]));
  }

  [[nodiscard]] bool may_be_overwritten(const Term& term) const {
    if (term.kind == Term::Kind::read_array) return item_of_[term.value.index] >= 0;
    return term.kind == Term::Kind::read_static &&
           stored_.contains(graph_.producer_as<Load>(term.value)->source);
  }

  void make_stages() {
    std::map<Loop, std::vector<const Item*>> loops;
    for (const Item& item : items_) loops[loop_of(item)].push_back(&item);
    for (const auto& [key, members] : loops) make_stage(members);
  }

  void make_stage(const std::vector<const Item*>& members) {
    Stage stage;
    std::vector<Wanted> roots;
    sources_.own.clear();
    for (const Item* item : members) {
      const Offset at = plus(Offset(dimension_, 0), item->lag, -1);
      if (item->kept) sources_.own[item->value] = at;
      add_root(stage, *item, static_cast<int>(roots.size()));
      roots.push_back({item->value, at});
      stage.lags.push_back(item->lag);
    }
    stage.slope = members[0]->slope;
    stage.reach = in_rows(members, [](const Item& item) { return item.reach; });
    stage.limit = in_rows(members, [&](const Item& item) { return made(item); });
    stage.expansion = expand(graph_, roots, sources_, SIZE_MAX);
    stage.vectors = vector_form(graph_, ranges_, stage.expansion);
    group_.stages.push_back(std::move(stage));
  }

  void add_root(Stage& stage, const Item& item, int root) {
    if (item.made < 0 && split()) {
      stage.outputs.push_back({item.value, {}, std::nullopt, root});
      if (item.state && item.box != made(item))
        stage.row_fills.push_back(
            {item.value, rules_of(item), item.box, filled_width(item), item.lag});
      return;
    }
    if (item.made < 0) {
      stage.keeps.push_back({static_cast<int>(group_.buffers.size()), root});
      group_.buffers.push_back({item.value, graph_.type(item.value).element, lane_of(item.value),
                                item.reach, std::vector<int>(dimension_, 0)});
      if (item.state && item.box != made(item)) add_fill(stage, item);
      return;
    }
    const Made& made = outputs_.list[item.made];
    if (made.reduce) {
      const Node& node = graph_.node(*made.reduce);
      stage.reductions.push_back({node.first_result, std::get<Reduce>(node.instruction).op,
                                  item.value, lane_of(item.value), root});
      return;
    }
    for (StaticId target : made.targets) stage.outputs.push_back({item.value, {}, target, root});
    if (made.targets.empty()) stage.outputs.push_back({item.value, {}, std::nullopt, root});
  }

  [[nodiscard]] Lane lane_of(ValueId value) const {
    return passes::storage_lane(graph_.type(value).element, ranges_[value.index]);
  }

  void add_fill(Stage& stage, const Item& item) {
    stage.fills.push_back({static_cast<int>(group_.buffers.size()) - 1, rules_of(item), item.reach,
                           filled_width(item), item.lag});
  }
  [[nodiscard]] StaticId rules_of(const Item& item) const {
    return graph_.producer_as<Load>(item.value)->source;
  }
  /// Of the cells of a state that are needed beyond the grid, those that are filled.
  [[nodiscard]] Extent filled_width(const Item& item) const {
    Extent width = item.box;
    for (int a = 0; a < dimension_; ++a)
      if (!item.state->filled[a]) width.lower[a] = width.upper[a] = 0;
    return width;
  }

  /// An extent that all items of a loop have, counted in the loop's own rows.
  template <class ExtentOf>
  [[nodiscard]] Extent in_rows(const std::vector<const Item*>& members,
                               ExtentOf&& extent_of) const {
    Extent extent = extent_of(*members[0]);
    for (int axis : group_.sweep) {
      extent.lower[axis] = extent.upper[axis] = INT_MIN;
      for (const Item* item : members) {
        const Extent own = extent_of(*item);
        extent.lower[axis] = std::max(extent.lower[axis], own.lower[axis] - item->lag[axis]);
        extent.upper[axis] = std::max(extent.upper[axis], own.upper[axis] + item->lag[axis]);
      }
    }
    return extent;
  }

  /// A value that only its own loop reads, as it makes it, needs no memory.
  void drop_unread_buffers() {
    std::set<ValueId> read;
    for (const Stage& stage : group_.stages)
      for (const Term& term : stage.expansion.terms)
        if (term.kind == Term::Kind::read_buffer) read.insert(term.value);
    std::vector<Buffer> needed;
    for (Stage& stage : group_.stages) {
      std::vector<Keep> keeps;
      for (const Keep& keep : stage.keeps) {
        const Buffer& buffer = group_.buffers[keep.buffer];
        if (!read.contains(buffer.value)) continue;
        for (BufferFill& fill : stage.fills)
          if (fill.buffer == keep.buffer) fill.buffer = static_cast<int>(needed.size());
        keeps.push_back({static_cast<int>(needed.size()), keep.root});
        needed.push_back(buffer);
      }
      stage.keeps = std::move(keeps);
    }
    group_.buffers = std::move(needed);
  }

  /// The same in a split group.
  void drop_unread_outputs() {
    std::set<ValueId> needed;
    for (const Item& item : items_)
      if (item.made >= 0) needed.insert(item.value);
    for (const Stage& stage : group_.stages)
      for (const Term& term : stage.expansion.terms)
        if (term.kind == Term::Kind::read_array) needed.insert(term.value);
    for (Stage& stage : group_.stages)
      std::erase_if(stage.outputs, [&](const Output& o) { return !needed.contains(o.value); });
    for (Stage& stage : group_.stages)
      std::erase_if(stage.row_fills, [&](const RowFill& f) { return !needed.contains(f.value); });
  }

  /// How old a row that is read is, along each axis of the sweep.
  struct Age {
    std::vector<int> along;
    bool same_loop;  // read just before the newest row is written; else after
  };

  /// Per buffer.
  [[nodiscard]] std::vector<std::vector<Age>> ages() const {
    const auto buffer_of = buffers_by_value();
    std::vector<std::vector<Age>> list;
    for (const Buffer& buffer : group_.buffers) list.push_back(ages_of_sources(buffer.value));
    for (const Stage& stage : group_.stages) {
      std::set<int> made;
      for (const Keep& keep : stage.keeps) made.insert(keep.buffer);
      for (const Term& term : stage.expansion.terms) {
        if (term.kind != Term::Kind::read_buffer) continue;
        const int b = buffer_of[term.value.index];
        const Offset& newest = items_[item_of_[term.value.index]].lag;
        Age age{{}, made.contains(b)};
        for (int axis : group_.sweep) age.along.push_back(-term.offset[axis] - newest[axis]);
        list[b].push_back(std::move(age));
      }
    }
    return list;
  }

  [[nodiscard]] std::vector<int> buffers_by_value() const {
    std::vector<int> buffer_of(graph_.value_count(), -1);
    for (std::size_t b = 0; b < group_.buffers.size(); ++b)
      buffer_of[group_.buffers[b].value.index] = static_cast<int>(b);
    return buffer_of;
  }

  /// Between the row that a row beyond the grid is filled from and the latest of the two.
  [[nodiscard]] std::vector<Age> ages_of_sources(ValueId value) const {
    std::vector<Age> list;
    const Item& item = items_[item_of_[value.index]];
    if (!item.state) return list;
    for (std::size_t i = 0; i < group_.sweep.size(); ++i) {
      const int axis = group_.sweep[i];
      if (!item.state->filled[axis]) continue;
      for (const bool upper : {false, true}) {
        const std::int32_t width = upper ? item.box.upper[axis] : item.box.lower[axis];
        Age age{std::vector<int>(group_.sweep.size(), 0), false};
        age.along[i] = width + farthest_source(item, axis, upper);
        list.push_back(std::move(age));
      }
    }
    return list;
  }

  /// Along axes where only the newest is read one line is kept, along the first other one as many
  /// as are read, along the rest all. The oldest needs no line of its own where it is read before
  /// the newest, which takes its place, gets as far.
  void count_lines() {
    const auto all_ages = ages();
    for (std::size_t b = 0; b < group_.buffers.size(); ++b) {
      const auto& list = all_ages[b];
      for (std::size_t i = 0; i < group_.sweep.size(); ++i) {
        int oldest = 0;
        for (const Age& age : list) oldest = std::max(oldest, age.along[i]);
        int& lines = group_.buffers[b].lines[group_.sweep[i]];
        lines = std::max(1, oldest);
        for (const Age& age : list)
          if (age.along[i] == oldest && !read_in_time(age, i + 1)) lines = oldest + 1;
        if (oldest > 0) break;
      }
    }
  }

  [[nodiscard]] static bool read_in_time(const Age& age, std::size_t from) {
    for (std::size_t i = from; i < age.along.size(); ++i)
      if (age.along[i] != 0) return age.along[i] < 0;
    return age.same_loop;
  }

  /// A loop may run at rows where not all of its values are needed: these have their place too.
  void widen_buffers() {
    const auto buffer_of = buffers_by_value();
    std::vector<Extent> touched;
    for (const Buffer& buffer : group_.buffers) touched.push_back(buffer.reach);
    for (const Stage& stage : group_.stages) {
      for (const Keep& keep : stage.keeps)
        touched[keep.buffer].include(stage.reach,
                                     plus(Offset(dimension_, 0), stage.lags[keep.root], -1));
      for (const Term& term : stage.expansion.terms)
        if (term.kind == Term::Kind::read_buffer)
          touched[buffer_of[term.value.index]].include(stage.reach, term.offset);
    }
    for (std::size_t b = 0; b < group_.buffers.size(); ++b)
      for (int axis : group_.sweep) {
        group_.buffers[b].reach.lower[axis] = touched[b].lower[axis];
        group_.buffers[b].reach.upper[axis] = touched[b].upper[axis];
      }
  }

  /// Statics by what their readers need; memory by what loops touch, garbage included.
  void measure_memory() {
    result_.statics.assign(graph_.signature().statics.size(), Extent(dimension_));
    for (const Item& item : items_)
      for (const Term& term : item.expansion.terms)
        if (term.kind == Term::Kind::read_static)
          result_.statics[graph_.producer_as<Load>(term.value)->source.index].include(made(item),
                                                                                      term.offset);
    result_.touched = group_.box;
    for (const Stage& stage : group_.stages) {
      Extent loops = stage.reach;
      for (int a = 0; a < dimension_; ++a) {
        loops.lower[a] = std::min(loops.lower[a] + group_.box.lower[a], stage.limit.lower[a]);
        loops.upper[a] = std::min(loops.upper[a] + group_.box.upper[a], stage.limit.upper[a]);
      }
      const int cells = vector_cells(graph_, stage);
      loops.lower[0] = (loops.lower[0] + cells - 1) / cells * cells;
      result_.touched.include(loops);
      for (const Term& term : stage.expansion.terms)
        if (term.kind == Term::Kind::read_static || term.kind == Term::Kind::read_array)
          result_.touched.include(loops, term.offset);
    }
  }

  const Machine& machine_;
  const Graph& graph_;
  const Choices& choices_;
  const Outputs& outputs_;
  const std::vector<int>& members_;
  std::size_t limit_;
  int dimension_;
  Ranges ranges_;
  passes::StaticSet stored_;
  Group group_;
  Sources sources_;
  std::vector<Item> items_;   // producers before consumers
  std::vector<int> item_of_;  // per value
  Traversal result_;
};

}  // namespace

Traversal find_traversal(const Machine& machine, const Kernel& kernel, const Choices& choices,
                         const Outputs& outputs, const std::vector<int>& members,
                         std::size_t limit) {
  Traversal found = TraversalFinder(machine, kernel, choices, outputs, members, limit).run();
  if (found.group.form != Form::split || found.group.steepest() > 0) return found;
  Choices whole = choices;  // tiles that share nothing need no gaps
  whole.split = false;
  return TraversalFinder(machine, kernel, whole, outputs, members, limit).run();
}

int vector_cells(const Graph& graph, const Stage& stage) {
  constexpr int longest_vector = 64;  // bytes
  if (stage.vectors) return longest_vector / static_cast<int>(size_of(stage.vectors->unit));
  const auto is_small = [&](const Term& term) {
    return size_of(graph.type(term.value).element) < 8;
  };
  // Truths are as wide as what is compared, but for those in memory.
  for (const Term& term : stage.expansion.terms)
    if (is_small(term) &&
        (term.kind != Term::Kind::compute || graph.type(term.value).element != Element::boolean))
      return kVectorCells;
  for (int root : stage.expansion.roots)
    if (is_small(stage.expansion.terms[root])) return kVectorCells;
  return kVectorCells / 2;
}

/// Along axis 0 tiles are whole vectors, and whole chunks of the reduction tree where there is a
/// Reduce.
void set_options(const Graph& graph, Group& group, const Choices& choices) {
  group.tile = choices.tile;
  group.vectors = choices.vectors;
  group.streaming = choices.streaming;
  group.prefetch = choices.prefetch;
  group.row_unit = kVectorCells;
  for (const Stage& stage : group.stages)
    group.row_unit = std::max<std::int64_t>(group.row_unit, vector_cells(graph, stage));
  group.granule = group.row_unit;
  for (const Stage& stage : group.stages)
    if (!stage.reductions.empty()) group.granule = paraiso_support::chunk_cells;
  std::int64_t& length = group.tile[0];
  if (length > 0) length = (length + group.granule - 1) / group.granule * group.granule;
  if (group.form != Form::split) return;
  // Tiles are whole but along the cut; what is written is soon read.
  for (int axis = 0; axis < graph.dimension(); ++axis)
    if (axis != group.cut) group.tile[axis] = kWholeAxis;
  group.streaming = false;
}

}  // namespace paraiso::plan
