// Hardware graphs as text: the part of Graphviz's language that they need.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <utility>

#include "paraiso/base/text.hpp"
#include "paraiso/hardware/hardware.hpp"

namespace paraiso::hardware {
namespace {

constexpr std::string_view kMethods[] = {"compute", "allocate", "move"};  // in the order of Kind
constexpr int kMostNested = 64;

struct Token {
  std::string text;
  bool quoted = false;
  int line = 0;
  [[nodiscard]] bool is(std::string_view other) const { return !quoted && text == other; }
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

/// Cuts the text into words, quoted texts and signs; comments are left out.
class Lexer {
 public:
  Lexer(std::string_view text, const char* file) : text_(text), file_(file) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    while (skip_blank(), at_ < text_.size()) tokens.push_back(next());
    tokens.push_back({"", false, line_});
    return tokens;
  }

 private:
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }
  void step(std::size_t count) {
    for (; count > 0; --count) line_ += text_[at_++] == '\n';
  }
  [[noreturn]] void fail(const std::string& message) const {
    throw Error(Location{file_, line_}, message);
  }

  void skip_blank() {
    for (;;) {
      if (at_ == text_.size()) return;
      if (std::isspace(static_cast<unsigned char>(text_[at_]))) {
        step(1);
      } else if (rest().starts_with("//") || text_[at_] == '#') {
        step(std::min(rest().find('\n'), rest().size()));
      } else if (rest().starts_with("/*")) {
        const auto end = rest().find("*/");
        if (end == std::string_view::npos) fail("a comment has no end");
        step(end + 2);
      } else {
        return;
      }
    }
  }

  Token next() {
    Token token{"", false, line_};
    if (text_[at_] == '"') return quoted();
    while (at_ < text_.size() && is_word(text_[at_])) token.text += text_[at_++];
    if (!token.text.empty()) return token;
    token.text = rest().starts_with("--") || rest().starts_with("->") ? rest().substr(0, 2)
                                                                      : rest().substr(0, 1);
    step(token.text.size());
    return token;
  }

  Token quoted() {
    Token token{"", true, line_};
    for (step(1); at_ < text_.size(); step(1)) {
      if (text_[at_] == '"') return step(1), token;
      if (rest().starts_with("\\\"") || rest().starts_with("\\\\")) step(1);
      token.text += text_[at_];
    }
    throw Error(Location{file_, token.line}, "a text in quotes has no end");
  }

  std::string_view text_;
  const char* file_;
  std::size_t at_ = 0;
  int line_ = 1;
};

class DotParser {
 public:
  DotParser(std::string_view text, std::string_view file)
      : file_(intern_file(file)), tokens_(Lexer(text, file_).run()) {}

  Hardware run() {
    expect("graph");
    if (!peek().is("{")) hardware_.name = name();
    expect("{");
    statements(0);
    if (!peek().text.empty()) fail_expected("nothing after the graph");
    for (const auto& [name, line] : mentioned_)
      throw Error(at(line), fmt::format("`{}` is joined and has no label", name));
    if (auto wrong = complaint(hardware_)) {
      const int line = wrong->component ? lines_[*wrong->component]
                       : wrong->link    ? link_lines_[*wrong->link]
                                        : 1;
      throw Error(at(line), wrong->message);
    }
    return std::move(hardware_);
  }

 private:
  [[nodiscard]] Location at(int line) const { return {file_, line}; }
  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
  }
  [[noreturn]] void fail_expected(std::string_view expected) const {
    const bool end = peek().text.empty() && !peek().quoted;
    throw Error(at(peek().line), fmt::format("expected {}, found {}", expected,
                                             end ? "the end" : shown(peek().text)));
  }
  bool accept(std::string_view text) {
    if (!peek().is(text)) return false;
    ++next_;
    return true;
  }
  void expect(std::string_view text) {
    if (!accept(text)) fail_expected(shown(text));
  }
  std::string name() {
    if (!peek().quoted && (peek().text.empty() || !is_word(peek().text[0])))
      fail_expected("a name");
    return tokens_[next_++].text;
  }

  void statements(std::size_t block) {
    while (!accept("}")) {
      if (peek().text.empty() && !peek().quoted) fail_expected("`}`");
      statement(block);
      accept(";");
    }
  }

  void statement(std::size_t block) {
    if (accept("subgraph")) return subgraph(block);
    for (const char* defaults : {"graph", "node", "edge"})  // of drawings
      if (accept(defaults)) return (void)attributes();
    const int line = peek().line;
    const std::string first = name();
    if (accept("=")) {
      const std::string value = name();
      if (first == "label" && block > 0) set_count(block, value, line);
      return;
    }
    if (peek().is("->")) fail_expected("`--`");
    if (peek().is("--")) return links(first, line);
    declare(first, block, line);
  }

  void subgraph(std::size_t block) {
    const int line = peek().line;
    const std::string text = peek().is("{") ? "" : name();
    if (++depth_ > kMostNested)
      throw Error(at(line), fmt::format("more than {} subgraphs lie in each other", kMostNested));
    const std::size_t own = hardware_.blocks.size();
    hardware_.blocks.push_back({text.starts_with("cluster_") ? text.substr(8) : text, 1, block});
    set_count(own, text, line);
    expect("{");
    statements(own);
    --depth_;
  }

  /// "144x", "144x node": so many of them.
  void set_count(std::size_t block, const std::string& text, int line) {
    std::size_t digits = 0;
    while (digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits]))) ++digits;
    if (digits == 0 || digits == text.size() || text[digits] != 'x') return;
    if (digits + 1 < text.size() && text[digits + 1] != ' ') return;
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + digits, count);
    if (error != std::errc{} || count < 1 || static_cast<double>(count) > kMostProcessors)
      throw Error(at(line), fmt::format("{} is not from 1x to {}x",
                                        shown(text.substr(0, digits + 1)), kMostProcessors));
    hardware_.blocks[block].count = count;
    if (digits + 2 < text.size()) hardware_.blocks[block].name = text.substr(digits + 2);
  }

  std::map<std::string, std::string> attributes() {
    std::map<std::string, std::string> found;
    while (accept("[")) {
      while (!accept("]")) {
        const std::string key = name();
        expect("=");
        found[key] = name();
        if (!accept(",")) accept(";");
      }
    }
    return found;
  }

  void declare(const std::string& name, std::size_t block, int line) {
    if (index_.contains(name)) throw Error(at(line), fmt::format("`{}` is declared twice", name));
    auto given = attributes();
    const auto label = given.find("label");
    if (label == given.end())
      throw Error(at(line), fmt::format("`{}` has no label `method : tag : performance`", name));
    Component component = labelled(label->second, line);
    component.name = name;
    component.block = block;
    if (const auto machine = given.find("machine"); machine != given.end()) {
      if (component.kind != Kind::processor)
        throw Error(at(line), fmt::format("`{}` is no processor, and has a `machine`", name));
      component.machine = machine->second;
    }
    index_[name] = hardware_.components.size();
    hardware_.components.push_back(std::move(component));
    lines_.push_back(line);
    mentioned_.erase(name);
    join_waiting();
  }

  Component labelled(const std::string& label, int line) const {
    std::vector<std::string> parts = split(label, ':');
    for (std::string& part : parts) part = std::string(trimmed(part, " "));
    if (parts.size() != 3)
      throw Error(at(line), fmt::format("{} is not `method : tag : performance`", shown(label)));
    const auto method = std::ranges::find(kMethods, parts[0]);
    if (method == std::end(kMethods))
      throw Error(at(line), fmt::format("no method {}: there is compute, allocate and move",
                                        shown(parts[0])));
    Component component;
    component.kind = static_cast<Kind>(method - std::begin(kMethods));
    component.tag = parts[1];
    read_performance(parts[2], component, at(line));
    return component;
  }

  struct Waiting {  // a link whose ends may be declared later
    std::string one, other;
    int line;
  };
  void links(std::string first, int line) {
    while (accept("--")) {
      const std::string other = name();
      for (const std::string& end : {first, other})
        if (!index_.contains(end)) mentioned_.emplace(end, line);
      waiting_.push_back({std::exchange(first, other), other, line});
    }
    (void)attributes();
    join_waiting();
  }
  void join_waiting() {
    std::erase_if(waiting_, [&](const Waiting& link) {
      if (!index_.contains(link.one) || !index_.contains(link.other)) return false;
      hardware_.links.push_back({index_[link.one], index_[link.other]});
      link_lines_.push_back(link.line);
      return true;
    });
  }

  const char* file_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  int depth_ = 0;  // of subgraphs in each other
  Hardware hardware_;
  std::map<std::string, std::size_t> index_;
  std::map<std::string, int> mentioned_;  // joined and not yet declared: by the line
  std::vector<Waiting> waiting_;
  std::vector<int> lines_, link_lines_;
};

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string label_of(const Component& component) {
  return fmt::format("{} : {} : {}", kMethods[static_cast<std::size_t>(component.kind)],
                     component.tag, performance_text(component));
}

std::string block_text(const Hardware& hardware, std::size_t block, const std::string& indent) {
  std::string text;
  for (const Component& component : hardware.components) {
    if (component.block != block) continue;
    const std::string machine =
        component.machine.empty() ? "" : ", machine=" + quoted(component.machine);
    text += fmt::format("{}{} [label={}{}];\n", indent, quoted(component.name),
                        quoted(label_of(component)), machine);
  }
  for (std::size_t b = 1; b < hardware.blocks.size(); ++b) {
    const Subgraph& inner = hardware.blocks[b];
    if (inner.parent != block) continue;
    text += fmt::format("{}subgraph {} {{\n{}  label={};\n{}{}}}\n", indent,
                        quoted("cluster_" + inner.name), indent,
                        quoted(fmt::format("{}x {}", inner.count, inner.name)),
                        block_text(hardware, b, indent + "  "), indent);
  }
  return text;
}

}  // namespace

std::string print(const Hardware& hardware) {
  std::string text =
      fmt::format("graph {} {{\n{}", quoted(hardware.name), block_text(hardware, 0, "  "));
  for (const Link& link : hardware.links)
    text += fmt::format("  {} -- {};\n", quoted(hardware.components[link.one].name),
                        quoted(hardware.components[link.other].name));
  return text + "}\n";
}

Hardware parse_hardware(std::string_view text, std::string_view file) {
  return DotParser(text, file).run();
}

}  // namespace paraiso::hardware
