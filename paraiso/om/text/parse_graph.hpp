// GraphReader: the lines between `kernel` and `end`, each added to a Graph.
// Gives: StaticNames, GraphReader. Needs: LineCursor, Graph.
#pragma once

#include "paraiso/om/graph/graph.hpp"
#include "paraiso/om/text/parse_line.hpp"

namespace paraiso::om {

using StaticNames = std::unordered_map<std::string_view, StaticId>;

/// Labels (`%3`, `%flux`) belong to one kernel: a reader reads one kernel.
class GraphReader {
 public:
  GraphReader(Graph& graph, const StaticNames& statics) : graph_(graph), statics_(statics) {}

  /// Reads one line; `rest` is the text below it, looked at only to explain an unknown label.
  void read(LineCursor& line, std::string_view rest);
  /// Reads `%label` of a value that is known.
  [[nodiscard]] ValueId operand(LineCursor& line) const;

 private:
  /// What stands before `=`: `%4 flux.x: local f64 manifest`.
  struct Result {
    std::string_view label, name;
    std::optional<Type> type;
    Storing storing = Storing::free;
  };
  struct Definition {
    ValueId value;
    Location location;
  };
  [[nodiscard]] std::vector<Result> results(LineCursor& line) const;
  [[nodiscard]] Result result(LineCursor& line) const;
  [[nodiscard]] Instruction head(LineCursor& line) const;
  [[nodiscard]] StaticId static_named(LineCursor& line) const;
  [[nodiscard]] std::vector<ValueId> operands(LineCursor& line) const;
  void define(const LineCursor& line, const Result& result, ValueId value, const char* word);
  [[noreturn]] void fail_unknown(const LineCursor& line, std::string_view label) const;

  Graph& graph_;
  const StaticNames& statics_;
  std::unordered_map<std::string_view, Definition> labels_;
  std::string_view scope_;
  std::vector<Result> current_;  // the results of the line that is being read
  std::string_view rest_;        // the text below that line
};

}  // namespace paraiso::om
