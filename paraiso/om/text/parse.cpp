#include <fmt/format.h>

#include "paraiso/base/text.hpp"
#include "paraiso/om/text/parse_graph.hpp"
#include "paraiso/om/text/parse_type.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/om/verify/verify.hpp"

namespace paraiso::om {
namespace {

// What a file may hold, so that any file's memory stays within 20 times its size and 64 MiB.
constexpr std::size_t kLongestLine = 4096;
constexpr std::size_t kMostStatics = 4096;
constexpr std::size_t kMostKernels = 4096;
constexpr std::size_t kMostInstructions = 500'000;

constexpr StaticRole kRoles[] = {StaticRole::time,         StaticRole::time_step,
                                 StaticRole::time_limit,   StaticRole::parameter,
                                 StaticRole::domain_lower, StaticRole::domain_upper};

class Parser {
 public:
  Parser(std::string_view text, std::string_view file)
      : rest_(text), location_{intern_file(file), 0} {}

  Machine parse() {
    header();
    while (!machine_end()) declaration();
    resolve_boundary_kernels();
    verify_at_line();
    return std::move(machine_);
  }

 private:
  /// A boundary that names a kernel which may stand further down.
  struct Pending {
    std::size_t static_index, axis, side;
    std::string_view kernel;
    Location location;
  };

  /// Goes to the next line that is neither blank nor a comment; false at the end of the text.
  bool next_line() {
    while (!rest_.empty()) {
      auto line = rest_.substr(0, rest_.find('\n'));
      rest_.remove_prefix(std::min(rest_.size(), line.size() + 1));
      ++location_.line;
      line_ = LineCursor(line, location_);
      if (line.size() > kLongestLine)
        line_.fail(
            fmt::format("a line of {} characters, expected at most {}", line.size(), kLongestLine));
      if (!line_.at_end()) return true;
    }
    return false;
  }

  /// Fails at the last line of a text that ended too early.
  [[noreturn]] void fail_cut(const std::string& expected) {
    throw Error({location_.file, std::max(location_.line, 1)},
                fmt::format("the text ends here, expected {}: is the file cut?", expected));
  }

  void header() {
    if (!next_line()) fail_cut("`paraiso 1`");
    if (!line_.accept("paraiso")) line_.fail_expected("`paraiso 1` as the first line");
    if (auto version = line_.word("the format's version"); version != "1")
      line_.fail(fmt::format("format version {}, expected 1", shown(version)));
    line_.expect_end();
    if (!next_line()) fail_cut("`machine NAME dimension D`");
    if (!line_.accept("machine")) line_.fail_expected("`machine NAME dimension D`");
    machine_line_ = location_;
    machine_.name = line_.identifier("the machine's name");
    if (!line_.accept("dimension")) line_.fail_expected("`dimension`");
    machine_.dimension = line_.integer("a dimension", 1, kLargestDimension);
    line_.expect_end();
  }

  /// Goes to the next declaration; true if it is `end machine`, after which nothing may follow.
  bool machine_end() {
    if (!next_line()) fail_cut("`end machine`");
    if (!line_.accept("end")) return false;
    if (!line_.accept("machine")) line_.fail_expected("`end machine`");
    line_.expect_end();
    if (next_line()) line_.fail_expected("nothing below `end machine`");
    return true;
  }

  void declaration() {
    auto word = line_.word("a declaration");
    if (word == "static") return static_declaration();
    if (word == "boundary") return boundary();
    if (word == "kernel") return kernel();
    if (word == "boundary_kernel") return boundary_kernel();
    line_.fail_near(fmt::format("expected `static`, `boundary`, `boundary_kernel`, `kernel` or "
                                "`end machine`, got {}",
                                shown(word)),
                    word, {"static", "boundary", "boundary_kernel", "kernel", "end machine"});
  }

  void static_declaration() {
    if (signature_) line_.fail("a static below a kernel: statics come first");
    if (machine_.statics.size() == kMostStatics)
      line_.fail(fmt::format("more than {} statics", kMostStatics));
    Static s;
    s.location = location_;
    s.name = line_.identifier("a static's name");
    s.type = parse_type(line_);
    s.initial = Constant::from_double(s.type.element, 0);
    role(s);
    if (line_.accept('=')) {
      if (s.type.is_local())
        line_.fail("a local static has no value here: an initial kernel stores it");
      s.initial = parse_constant(line_, s.type.element);
    }
    if (line_.accept("from")) s.minimum = parse_constant(line_, s.type.element);
    if (line_.accept("to")) s.maximum = parse_constant(line_, s.type.element);
    line_.expect_end();
    machine_.statics.push_back(std::move(s));
  }

  void role(Static& s) {
    auto word = line_.peek();
    if (word.empty() || word == "from" || word == "to") return;
    std::vector<std::string> known;
    for (StaticRole role : kRoles) {
      known.emplace_back(name(role));
      if (word == known.back()) s.role = role;
    }
    if (s.role == StaticRole::plain)
      line_.fail_near(fmt::format("unknown role {}", shown(word)), word, known);
    line_.skip_one();
    if (s.role == StaticRole::domain_lower || s.role == StaticRole::domain_upper)
      s.axis = line_.integer("an axis", 0, kLargestDimension - 1);
  }

  void boundary() {
    if (signature_ || machine_.statics.empty())
      line_.fail("a boundary stands below its static, above the kernels");
    auto& s = machine_.statics.back();
    if (!s.type.is_local())
      throw Error(
          location_,
          fmt::format("a boundary of `{}`, which is global: only a local static has one", s.name))
          .with_note(s.location, fmt::format("`{}` declared here", s.name));
    auto axis = static_cast<std::size_t>(line_.integer("an axis", 0, kLargestDimension - 1));
    if (axis != s.boundary.size())
      line_.fail(fmt::format("the boundary of axis {} of `{}`, expected that of axis {}", axis,
                             s.name, s.boundary.size()));
    s.boundary.emplace_back();
    for (std::size_t side : {0, 1}) s.boundary[axis][side] = boundary_rule(s, axis, side);
    line_.expect_end();
  }

  Boundary boundary_rule(const Static& s, std::size_t axis, std::size_t side) {
    auto word = line_.word("a boundary");
    if (word == "cyclic") return Cyclic{};
    if (word == "outflow") return Outflow{};
    if (word == "reflect") return Reflect{reflect_sign()};
    if (word == "fixed") return Fixed{parse_constant(line_, s.type.element)};
    if (word == "kernel") {
      auto kernel = line_.word("a boundary kernel's name");
      pending_.push_back({machine_.statics.size() - 1, axis, side, kernel, location_});
      return UserBoundary{};
    }
    line_.fail_near(fmt::format("unknown boundary {}: expected `cyclic`, `outflow`, `reflect +`, "
                                "`reflect -`, `fixed VALUE` or `kernel NAME`",
                                shown(word)),
                    word, {"cyclic", "outflow", "reflect", "fixed", "kernel"});
  }

  int reflect_sign() {
    if (line_.accept("+")) return 1;
    if (line_.accept("-")) return -1;
    line_.fail_expected("`+` or `-` after `reflect`");
  }

  void kernel() {
    Kernel kernel{std::string(line_.identifier("a kernel's name")), {}, new_graph(), location_};
    if (!line_.at_end()) kernel.role = kernel_role();
    line_.expect_end();
    body("kernel", kernel);
    machine_.kernels.push_back(std::move(kernel));
  }

  KernelRole kernel_role() {
    auto word = line_.word("a role");
    for (KernelRole role : {KernelRole::initial, KernelRole::step})
      if (word == name(role)) return role;
    line_.fail_near(fmt::format("expected `initial`, `step` or nothing, got {}", shown(word)), word,
                    {"initial", "step"});
  }

  void boundary_kernel() {
    BoundaryKernel kernel{
        std::string(line_.identifier("a boundary kernel's name")), new_graph(), {}, location_};
    line_.expect_end();
    body("boundary kernel", kernel, &kernel.result);
    machine_.boundary_kernels.push_back(std::move(kernel));
  }

  /// Reads up to `end`; a boundary kernel's `result` stands just above it.
  template <class AnyKernel>
  void body(const char* kind, AnyKernel& kernel, ValueId* result = nullptr) {
    GraphReader reader(kernel.graph, static_names_);
    while (next_line()) {
      if (line_.accept("end")) {
        line_.expect_end();
        if (result && !result->valid())
          line_.fail(fmt::format("boundary kernel `{}` ends without a `result`", kernel.name));
        return;
      }
      if (result && result->valid()) line_.fail_expected("`end` below `result`");
      if (line_.accept("result")) {
        if (!result) line_.fail("`result` in a kernel: only a boundary kernel has one");
        *result = reader.operand(line_);
        line_.expect_end();
      } else {
        count_instruction();
        reader.read(line_, rest_);
      }
    }
    fail_cut_in(kind, kernel.name, kernel.location);
  }

  [[noreturn]] void fail_cut_in(const char* kind, const std::string& name, Location start) {
    throw Error(location_, fmt::format("the text ends here, expected the `end` of {} `{}`: is the "
                                       "file cut?",
                                       kind, name))
        .with_note(start, "it starts here");
  }

  void count_instruction() {
    if (++instructions_ > kMostInstructions)
      line_.fail(fmt::format("more than {} instructions", kMostInstructions));
  }

  /// A graph for the next kernel; the first call closes the list of statics.
  Graph new_graph() {
    if (machine_.kernels.size() + machine_.boundary_kernels.size() == kMostKernels)
      line_.fail(fmt::format("more than {} kernels", kMostKernels));
    if (!signature_) {
      signature_ = machine_.signature();
      for (std::size_t i = 0; i < machine_.statics.size(); ++i)
        static_names_.emplace(machine_.statics[i].name, StaticId(i));
    }
    return Graph(signature_);
  }

  void resolve_boundary_kernels() {
    std::unordered_map<std::string_view, BoundaryKernelId> known;
    std::vector<std::string> names;
    for (const auto& kernel : machine_.boundary_kernels) {
      known.emplace(kernel.name, BoundaryKernelId(names.size()));
      names.push_back(kernel.name);
    }
    for (const auto& p : pending_) {
      auto found = known.find(p.kernel);
      if (found == known.end())
        LineCursor({}, p.location)
            .fail_near(fmt::format("unknown boundary kernel {}", shown(p.kernel)), p.kernel, names);
      machine_.statics[p.static_index].boundary[p.axis][p.side] = UserBoundary{found->second};
    }
  }

  /// Verifies; an error without a line of its own gets the `machine` line.
  void verify_at_line() {
    try {
      verify(machine_);
    } catch (const Error& error) {
      auto diagnostics = error.diagnostics();
      if (!diagnostics[0].location.known()) diagnostics[0].location = machine_line_;
      throw Error(std::move(diagnostics));
    }
  }

  std::string_view rest_;  // the text below the current line
  Location location_, machine_line_;
  LineCursor line_{{}, {}};
  Machine machine_;
  std::shared_ptr<const Signature> signature_;
  StaticNames static_names_;
  std::vector<Pending> pending_;
  std::size_t instructions_ = 0;
};

}  // namespace

Machine parse(std::string_view text, std::string_view file) { return Parser(text, file).parse(); }

}  // namespace paraiso::om
