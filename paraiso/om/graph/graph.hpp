// Graph: one kernel's acyclic dataflow, instructions and values in single assignment.
// Gives: Signature, Node, Value, Annotation, Graph, canonical_order. Needs: instruction, Error.
//
// `Graph::add` is the only door: it type-checks, folds constants and merges equal instructions, so
// a Graph is always well typed, and operands always come before their users.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "paraiso/base/error.hpp"
#include "paraiso/om/graph/instruction.hpp"

namespace paraiso::om {

inline constexpr int kLargestShift = 1024;  // cells along one axis

/// What a kernel may refer to: the machine's dimension and its statics' names and types.
struct Signature {
  int dimension = 1;
  struct Entry {
    std::string name;
    Type type;
  };
  std::vector<Entry> statics;
};

enum class Storing : std::uint8_t { free, manifest, delayed };

/// What the user asked for one value's storage. Not part of an instruction's identity.
struct Annotation {
  Storing storing = Storing::free;
  Location location;                       // where the user wrote it
  std::optional<Location> overruled = {};  // of a `delayed` that gave way in a merge
};

struct Value {
  NodeId producer;
  int result = 0;  // which of the producer's results
  Type type;
  Annotation annotation;
  Location location;        // the user's line that first built it
  std::uint32_t name = 0;   // Graph::text(name); "" if unnamed
  std::uint32_t scope = 0;  // Graph::text(scope); lexical path, "step/reconstruct/x"
};

struct Node {
  Instruction instruction;
  std::vector<ValueId> operands;
  ValueId first_result;  // results have consecutive ids
  int result_count = 0;
  Location location;
};

class Graph {
 public:
  explicit Graph(std::shared_ptr<const Signature> signature);

  /// Adds an instruction and returns its first result (not valid for Store). Returns the earlier
  /// value where an equal instruction exists, and an Imm where all operands are constants. Throws
  /// Error at `location` for a type error, an unknown static or axis, or a second Store to one
  /// static (naming both lines).
  ValueId add(Instruction instruction, std::span<const ValueId> operands = {},
              Location location = {}, std::string_view scope = {});
  ValueId add(Instruction instruction, std::initializer_list<ValueId> operands,
              Location location = {}, std::string_view scope = {}) {
    return add(std::move(instruction), std::span(operands.begin(), operands.size()), location,
               scope);
  }

  /// Records the user's annotation. Throws Error if one value gets both `manifest` and `delayed`.
  void annotate(ValueId value, Annotation annotation);
  /// For passes that merge values: `manifest` overrules `delayed`.
  void settle(ValueId value, const Annotation& annotation);
  /// Names a value; of two names the shorter stays. `name` must be a dotted name (checked).
  void set_name(ValueId value, std::string_view name);
  /// Hands name and annotation of `from` (a value of `graph`) on to `to`, as a pass does.
  void inherit(ValueId to, const Graph& graph, ValueId from);

  [[nodiscard]] const Signature& signature() const { return *signature_; }
  [[nodiscard]] const std::shared_ptr<const Signature>& signature_pointer() const {
    return signature_;
  }
  [[nodiscard]] int dimension() const { return signature_->dimension; }
  [[nodiscard]] std::size_t node_count() const { return nodes_.size(); }
  [[nodiscard]] std::size_t value_count() const { return values_.size(); }
  [[nodiscard]] const Node& node(NodeId id) const { return nodes_[id.index]; }
  [[nodiscard]] const Value& value(ValueId id) const { return values_[id.index]; }
  [[nodiscard]] const Node& producer(ValueId id) const { return node(value(id).producer); }
  [[nodiscard]] Type type(ValueId id) const { return value(id).type; }
  [[nodiscard]] const std::string& name(ValueId id) const { return texts_[value(id).name]; }
  [[nodiscard]] const std::string& scope(ValueId id) const { return texts_[value(id).scope]; }
  /// The instruction's alternative, or nullptr.
  template <class T>
  [[nodiscard]] const T* producer_as(ValueId id) const {
    return std::get_if<T>(&producer(id).instruction);
  }
  /// The constant that a value is, directly or through Broadcast.
  [[nodiscard]] std::optional<Constant> constant(ValueId id) const;
  /// The Stores in order of (step, static).
  [[nodiscard]] const std::vector<NodeId>& stores() const { return stores_; }
  /// The first of them that stores a value, if one does.
  [[nodiscard]] std::optional<NodeId> first_store(ValueId value) const;

 private:
  std::optional<ValueId> fold(const Instruction& instruction, std::span<const ValueId> operands,
                              std::size_t results, Location location, std::string_view scope);
  ValueId insert(Instruction instruction, std::span<const ValueId> operands,
                 const std::vector<Type>& types, Location location, std::string_view scope);
  void insert_store(NodeId store);
  std::uint32_t intern(std::string_view text);
  /// Keeps the shorter of two names of one value, of equally long ones the lesser, whichever came
  /// first.
  void unite(std::uint32_t& known, std::string_view other);

  std::shared_ptr<const Signature> signature_;
  std::vector<Node> nodes_;
  std::vector<NodeId> stores_;  // sorted
  std::unordered_map<ValueId, NodeId> first_stores_;
  std::vector<Value> values_;
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t> text_ids_;
  std::unordered_multimap<std::uint64_t, NodeId> by_hash_;
};

/// The live nodes, operands before users: the post-order of a depth-first walk from the Stores,
/// then from `extra`. The same for equal programs, however they were built.
[[nodiscard]] std::vector<NodeId> canonical_order(const Graph& graph,
                                                  std::span<const ValueId> extra = {});

}  // namespace paraiso::om
