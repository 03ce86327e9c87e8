#include "paraiso/frontend/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>

#include "paraiso/base/text.hpp"
#include "paraiso/om/verify/verify.hpp"

namespace paraiso {
namespace detail {
namespace {

/// The kernel whose body is running.
struct KernelRecording {
  const Recorder* machine;
  const KernelIdentity* identity;
  bool boundary;  // a boundary kernel: neither Store nor Reduce
  om::Graph graph;
  std::string scope;                          // "reconstruct x/density"
  std::map<om::StaticId, Location> stored{};  // the Store of each static so far
};

thread_local KernelRecording* current = nullptr;

/// Makes a kernel the current one until it is left, also by an exception.
class Entered {
 public:
  explicit Entered(KernelRecording& recording) { current = &recording; }
  ~Entered() { current = nullptr; }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;
};

Error in_kernel(const Error& error) {
  std::string where = fmt::format("in kernel `{}`", current->identity->kernel);
  if (!current->scope.empty()) where += fmt::format(", scope `{}`", current->scope);
  return error.with_note({}, where);
}

/// Runs `build` on the current graph; its errors get a note that names kernel and scope.
template <class Build>
auto in_graph(Build&& build) {
  try {
    return build(current->graph);
  } catch (const Error& error) {
    throw in_kernel(error);
  }
}

void expect_kernel(Location location) {
  if (!current)
    throw Error(location, "an equation outside every kernel")
        .with_hint("write it in the lambda given to `initial`, `step` or `kernel`");
}

std::string describe(const KernelIdentity& kernel) {
  bool same_machine = kernel.machine == current->identity->machine;
  return fmt::format("kernel `{}`", kernel.kernel) +
         (same_machine ? "" : fmt::format(" of machine `{}`", kernel.machine));
}

void expect_current(const Handle& handle, Location location) {
  if (current && handle.kernel == current->identity) return;
  const auto advice = "store it in a static and load that";
  Error error = current
                    ? in_kernel(Error(location, fmt::format("a value of {} is used in kernel `{}`",
                                                            describe(*handle.kernel),
                                                            current->identity->kernel)))
                    : Error(location, fmt::format("a value of kernel `{}` is used outside it",
                                                  handle.kernel->kernel));
  throw error.with_note(handle.location, "the value was computed here").with_hint(advice);
}

void expect_own(const StaticHandle& handle, Location location) {
  expect_kernel(location);
  if (handle.machine != current->machine)
    throw in_kernel(Error(location, fmt::format("`{}` is a static of another machine than `{}`",
                                                handle.name, current->identity->machine)))
        .with_note(handle.location, fmt::format("`{}` declared here", handle.name));
}

void expect_identifier(std::string_view name, const char* what, Location location) {
  if (is_identifier(name)) return;
  throw Error(location, fmt::format("`{}` is no name for a {}", name, what))
      .with_hint(
          "a name has at most 64 letters, digits and single underscores, and no digit in front");
}

/// A new identity, never freed, so that a handle may outlive its kernel and its builder.
const KernelIdentity* identify(const std::string& machine, std::string_view kernel) {
  static std::mutex mutex;
  static auto& identities = *new std::deque<KernelIdentity>;
  std::lock_guard lock(mutex);
  identities.push_back({machine, std::string(kernel)});
  return &identities.back();
}

Handle handle_of(om::ValueId value, Location location) {
  return {current->identity, value, location};
}

om::ValueId add(const om::Instruction& instruction, std::initializer_list<Handle> operands,
                Location location) {
  std::vector<om::ValueId> values;
  for (const Handle& operand : operands) {
    expect_current(operand, location);
    values.push_back(operand.value);
  }
  expect_kernel(location);
  return in_graph(
      [&](om::Graph& graph) { return graph.add(instruction, values, location, current->scope); });
}

/// Adds an instruction and returns its first result.
Handle record(const om::Instruction& instruction, std::initializer_list<Handle> operands,
              Location location) {
  return handle_of(add(instruction, operands, location), location);
}

}  // namespace

Recorder::Recorder(std::string_view name, int dimension, Location location)
    : signature_(std::make_shared<om::Signature>()), location_(location) {
  expect_identifier(name, "machine", location);
  machine_.name = name;
  machine_.dimension = signature_->dimension = dimension;
}

void Recorder::expect_open(Location location) const {
  if (finished_)
    throw Error(location,
                fmt::format("machine `{}` is finished: nothing can be added", machine_.name))
        .with_note(location_, "it was finished here");
}

StaticHandle Recorder::declare(om::Static declared) {
  expect_open(declared.location);
  expect_identifier(declared.name, "static", declared.location);
  if (auto known = machine_.find_static(declared.name))
    throw Error(declared.location, fmt::format("`{}` is declared twice", declared.name))
        .with_note(machine_.at(*known).location, "the first declaration is here");
  StaticHandle handle{this, om::StaticId(machine_.statics.size()), declared.name,
                      declared.location};
  signature_->statics.push_back({declared.name, declared.type});
  machine_.statics.push_back(std::move(declared));
  return handle;
}

void Recorder::set_boundary(const StaticHandle& field,
                            std::vector<std::array<om::Boundary, 2>> boundary, Location location) {
  expect_open(location);
  machine_.statics[field.id.index].boundary = std::move(boundary);
}

void Recorder::expect_new_kernel(std::string_view name, Location location) const {
  expect_open(location);
  expect_identifier(name, "kernel", location);
  if (current)
    throw in_kernel(Error(location, fmt::format("kernel `{}` begins inside another", name)));
  const auto expect_other = [&](const auto& kernels) {
    for (const auto& known : kernels)
      if (known.name == name)
        throw Error(location, fmt::format("kernel `{}` is written twice", name))
            .with_note(known.location, "the first one is here");
  };
  expect_other(machine_.kernels);
  expect_other(machine_.boundary_kernels);
}

void Recorder::kernel(std::string_view name, om::KernelRole role, const std::function<void()>& body,
                      Location location) {
  expect_new_kernel(name, location);
  const auto* identity = identify(machine_.name, name);
  KernelRecording recording{this, identity, false, om::Graph(signature_), {}};
  {
    Entered entered(recording);
    body();
  }
  if (recording.stored.empty())
    throw Error(location, fmt::format("kernel `{}` stores nothing", name))
        .with_hint("what a kernel computes is kept by `store(static, value)`");
  machine_.kernels.push_back({identity->kernel, role, std::move(recording.graph), location});
}

om::BoundaryKernelId Recorder::boundary_kernel(std::string_view name,
                                               const std::function<Handle()>& body,
                                               Location location) {
  expect_new_kernel(name, location);
  const auto* identity = identify(machine_.name, name);
  KernelRecording recording{this, identity, true, om::Graph(signature_), {}};
  Entered entered(recording);
  Handle result = body();
  expect_current(result, location);
  om::BoundaryKernelId id(machine_.boundary_kernels.size());
  machine_.boundary_kernels.push_back(
      {identity->kernel, std::move(recording.graph), result.value, location});
  return id;
}

om::Machine Recorder::machine(Location location) {
  expect_open(location);
  if (machine_.kernels.empty())
    throw Error(location, fmt::format("machine `{}` has no kernel", machine_.name));
  om::verify(machine_);
  finished_ = true;
  location_ = location;
  om::Machine finished = std::move(machine_);
  machine_.name = finished.name;  // for messages
  return finished;
}

Handle record_arith(om::Op op, std::initializer_list<Handle> operands, Location location) {
  return record(om::Arith{op}, operands, location);
}

std::pair<Handle, Handle> record_arith_pair(om::Op op, std::initializer_list<Handle> operands,
                                            Location location) {
  om::ValueId first = add(om::Arith{op}, operands, location);
  return {handle_of(first, location), handle_of(om::ValueId(first.index + 1), location)};
}

Handle record_cast(om::Element target, const Handle& operand, Location location) {
  return record(om::Arith{om::Op::cast, target}, {operand}, location);
}

Handle record_broadcast(const Handle& operand, Location location) {
  return record(om::Broadcast{}, {operand}, location);
}

Handle record_shift(std::vector<std::int32_t> offset, const Handle& operand, Location location) {
  return record(om::Shift{std::move(offset)}, {operand}, location);
}

Handle record_reduce(om::ReduceOp op, const Handle& operand, Location location) {
  expect_kernel(location);
  if (current->boundary)
    throw in_kernel(Error(location, "a boundary kernel gives one cell's value and cannot reduce"));
  return record(om::Reduce{op}, {operand}, location);
}

Handle record_index(int axis, Location location) {
  return record(om::LoadIndex{axis}, {}, location);
}

Handle record_size(int axis, Location location) { return record(om::LoadSize{axis}, {}, location); }

Handle record_constant(om::Element element, om::Constant number, Location location) {
  return record(om::Imm{constant_of(element, number, location)}, {}, location);
}

Handle record_load(const StaticHandle& source, Location location) {
  expect_own(source, location);
  if (auto store = current->stored.find(source.id); store != current->stored.end())
    throw in_kernel(
        Error(location, fmt::format("`{}` is read after its store at line {}: use the "
                                    "stored value",
                                    source.name, store->second.line))
            .with_note(source.location, fmt::format("`{}` declared here", source.name)));
  return record(om::Load{source.id}, {}, location);
}

void record_store(const StaticHandle& target, const Handle& value, Location location) {
  expect_own(target, location);
  if (current->boundary)
    throw in_kernel(Error(location, "a boundary kernel gives one cell's value and cannot store"));
  add(om::Store{target.id}, {value}, location);
  current->stored.emplace(target.id, location);
}

void record_storing(const Handle& value, om::Storing storing, Location location) {
  expect_current(value, location);
  in_graph([&](om::Graph& graph) { graph.annotate(value.value, {storing, location}); });
}

void record_name(const Handle& value, std::string_view name, Location location) {
  expect_current(value, location);
  if (!is_dotted_name(name))
    throw in_kernel(Error(location, fmt::format("`{}` is no name for a value", name)));
  in_graph([&](om::Graph& graph) { graph.set_name(value.value, name); });
}

om::Constant beyond_i64(std::uint64_t value) {
  const auto rounded = static_cast<double>(value);
  if (rounded == 0x1p64 || static_cast<std::uint64_t>(rounded) != value)
    throw Error(fmt::format("the number {} is not exact as f64", value));
  return om::Constant(rounded);
}

om::Constant constant_of(om::Element element, om::Constant number, Location location) {
  if (number.element() == element) return number;
  const double value = number.to_double();
  const auto constant = om::Constant::from_double(element, value);
  const double kept = constant.to_double();
  if (om::is_float(element) && std::isfinite(value) &&
      (std::isinf(kept) || (kept == 0 && value != 0)))
    throw Error(location, fmt::format("the number {} is beyond the range of {}", number.text(),
                                      om::name(element)));
  // A float constant may be rounded from a float; anything else must be represented exactly.
  const bool exact =
      om::is_float(element)
          ? om::is_float(number.element()) ||
                (kept < 0x1p63 && om::Constant::from_double(om::Element::i64, kept) == number)
          : kept == value && (element != om::Element::i64 || value < 0x1p63);
  if (!exact)
    throw Error(location,
                fmt::format("the number {} is not exact as {}", number.text(), om::name(element)));
  return constant;
}

}  // namespace detail

Scope::Scope(std::string_view name, Here here) {
  using detail::current;
  if (!current) return;
  bool printable = std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == ' ' || c == '.' || c == '-';
  });
  if (name.empty() || !printable)
    throw detail::in_kernel(Error(here.location, fmt::format("`{}` is no name for a scope", name)));
  kernel_ = current->identity;
  length_ = current->scope.size();
  current->scope += (length_ ? "/" : "") + std::string(name);
}

Scope::~Scope() {
  if (detail::current && detail::current->identity == kernel_)
    detail::current->scope.resize(length_);
}

}  // namespace paraiso
