// `paraiso doctor`: what this machine offers, what is missing and how to get it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/call/json_text.hpp"
#include "cli/call/subcommands.hpp"
#include "paraiso/base/error.hpp"
#include "paraiso/runtime/backend/backend.hpp"
#include "paraiso/runtime/build/cache.hpp"
#include "paraiso/runtime/calibrate/calibrate.hpp"
#include "paraiso/runtime/fields/record.hpp"
#include "paraiso/runtime/process/process.hpp"
#include "paraiso/runtime/system/host.hpp"
#include "paraiso/runtime/system/memory.hpp"
#include "paraiso/runtime/system/target.hpp"
#include "paraiso/runtime/system/temporary_folder.hpp"
#include "paraiso/runtime/system/user_folder.hpp"
#include "paraiso/runtime/transport/world.hpp"

namespace paraiso::cli {
namespace {

using Json = nlohmann::ordered_json;
using paraiso_support::DeviceReport;
using runtime::ToolchainReport;

struct CacheReport {
  std::string folder;
  std::string problem;  // empty if it can be used
  bool readable = true;
};

/// What a back end finds here.
struct BackendReport {
  const runtime::Backend* backend;
  std::vector<runtime::ToolchainReport> compilers, kernel_compilers;
  runtime::DeviceList devices;
};

/// The measurement of this machine with one compiler; no file: not measured yet.
struct Measured {
  std::string compiler, path;
  std::optional<runtime::MachineFile> file;
};

/// An MPI whose launcher can start ranks.
struct MpiReport {
  const runtime::MpiKind* kind;
  std::string library, version;  // empty: none
};

struct Report {
  runtime::Host host;
  std::vector<runtime::TargetReport> targets;
  std::string gnuplot;  // its path; empty if there is none
  runtime::MemoryLimit memory;
  std::vector<BackendReport> backends;
  CacheReport cache;
  std::vector<Measured> measured;
  std::vector<MpiReport> mpis;
  std::vector<std::string> settings;  // what is wrong with variables of the environment

  [[nodiscard]] bool can_compile() const {
    if (!settings.empty()) return false;
    for (const BackendReport& one : backends)
      if (std::ranges::any_of(one.devices.all, &DeviceReport::usable) &&
          std::ranges::any_of(one.compilers, &ToolchainReport::usable))
        return cache.problem.empty();
    return false;
  }
};

CacheReport look_at_cache() {
  CacheReport report{runtime::cache_folder().string(), ""};
  try {
    if (!runtime::Cache(runtime::cache_folder()).writable())
      report.problem = "it can only be read: what it has runs, and nothing else can be compiled";
  } catch (const Error& error) {
    report.problem = error.what();
    report.readable = false;
  }
  return report;
}

std::optional<runtime::MachineFile> read_quietly(const std::filesystem::path& path) {
  try {
    return runtime::read_machine(path);
  } catch (const Error&) {
    return std::nullopt;  // missing or damaged: measured when it is needed
  }
}

/// Compilers that several back ends have are tried once: that takes half a second each.
std::vector<ToolchainReport> look_at_toolchains(const runtime::Backend& backend,
                                                const std::vector<BackendReport>& before) {
  for (const BackendReport& other : before)
    if (other.backend->toolchains == backend.toolchains) return other.compilers;
  return backend.toolchains();
}

std::vector<BackendReport> look_at_backends() {
  std::vector<BackendReport> list;
  for (const runtime::Backend& backend : runtime::backends())
    list.push_back(
        {&backend, look_at_toolchains(backend, list),
         backend.kernel_compilers ? backend.kernel_compilers() : std::vector<ToolchainReport>{},
         backend.devices()});
  return list;
}

/// Of those that stand for options of every command.
std::vector<std::string> look_at_settings() {
  std::vector<std::string> wrong;
  const auto check = [&](const char* name, const auto& uses) {
    try {
      uses();
    } catch (const Error& error) {
      wrong.push_back(fmt::format("{}: {}", name, error.diagnostics().front().message));
    }
  };
  check("PARAISO_TARGET", [] { runtime::require_runnable(runtime::find_target("")); });
  if (const std::string file = runtime::environment("PARAISO_MACHINE"); !file.empty())
    check("PARAISO_MACHINE", [&] { (void)runtime::read_machine(file); });
  std::error_code none;
  const std::string locks = runtime::environment("PARAISO_LOCKS");
  if (!locks.empty() && !std::filesystem::is_directory(locks, none))
    wrong.push_back(fmt::format("PARAISO_LOCKS: `{}` is no folder", locks));
  check("TMPDIR", [] { (void)runtime::TemporaryFolder(); });
  return wrong;
}

/// By the compilers of the default back end, which `calibrate` measures with.
std::vector<Measured> look_at_machine(const Report& report) {
  std::vector<Measured> list;
  if (!report.cache.readable || !report.settings.empty()) return list;
  const plan::Target target = runtime::find_target("");
  const runtime::Backend& backend = runtime::default_backend();
  const auto own = std::ranges::find(report.backends, &backend, &BackendReport::backend);
  for (const ToolchainReport& compiler : own->compilers) {
    if (!compiler.usable) continue;
    const auto path = runtime::kept_machine_path(backend.find_toolchain(compiler.name), target);
    list.push_back({compiler.name, path.string(), read_quietly(path)});
  }
  return list;
}

std::vector<MpiReport> look_at_mpis() {
  std::vector<MpiReport> list;
  for (const runtime::MpiKind& kind : runtime::kMpiKinds) {
    list.push_back({&kind, "", ""});
    const auto library = runtime::mpi_library(kind);
    if (!library) continue;
    list.back().library = library->string();
    try {
      list.back().version = runtime::mpi_version(*library);
    } catch (const Error& error) {
      list.back().version = error.diagnostics().front().message;
    }
  }
  return list;
}

Report examine() {
  const auto gnuplot = runtime::find_program("gnuplot");
  const runtime::Host& host = runtime::host();
  Report report{host,
                runtime::survey_targets(host),
                gnuplot ? gnuplot->string() : "",
                runtime::available_memory(),
                look_at_backends(),
                look_at_cache(),
                {},
                look_at_mpis(),
                look_at_settings()};
  report.measured = look_at_machine(report);
  return report;
}

void print_measured(const Measured& measured) {
  if (!measured.file) {
    fmt::print("measured   with {}: not yet: `paraiso calibrate --compiler {}`\n",
               measured.compiler, measured.compiler);
    return;
  }
  const plan::MachineModel& machine = measured.file->machine;
  fmt::print("measured   with {} for {}: `{}`\n", measured.compiler, measured.file->target,
             measured.path);
  if (measured.file->busy)
    fmt::print("{:>20} other programs were running: `paraiso calibrate` measures again\n", "busy");
  for (const plan::MachineField& field : plan::machine_fields())
    fmt::print("{:>20.4g} {}\n", machine.*field.value, field.text);
  for (std::size_t level = 0; level < machine.caches.size(); ++level)
    fmt::print("{:>20.4g} bytes per second from L{}, of which a thread may fill {}\n",
               machine.caches[level].bytes_per_second, level + 1,
               runtime::bytes_text(machine.caches[level].bytes));
}

std::string verdict(const runtime::TargetReport& report) {
  if (!report.missing.empty())
    return fmt::format("not on this processor, which lacks {}", list_text(report.missing));
  return fmt::format("runs, compiled by {} by default{}{}", report.target.compiler,
                     report.note.empty() ? "" : "; ", report.note);
}

void print_host(const Report& report) {
  const runtime::Host& host = report.host;
  fmt::print("paraiso    {}\n", runtime::kVersion);
  fmt::print("host       {}: {}, {}\n", host.name, host.cpu, host.architecture);
  fmt::print("threads    {} on {} cores, {} NUMA node{}\n", host.threads, host.cores,
             host.numa_nodes, host.numa_nodes == 1 ? "" : "s");
  fmt::print("SIMD       {}\n", host.simd.empty() ? "none" : list_text(host.simd));
  for (const runtime::TargetReport& one : report.targets)
    fmt::print("target     {}: {}\n", one.target.name, verdict(one));
  for (const runtime::HostCache& cache : host.caches)
    fmt::print("L{} cache   {} x {}\n", cache.level, cache.count,
               runtime::bytes_text(static_cast<double>(cache.bytes)));
  fmt::print("memory     {} installed; {} to use ({})\n", runtime::bytes_text(host.memory_bytes),
             runtime::bytes_text(report.memory.bytes), report.memory.source);
}

std::string about(const DeviceReport& device) {
  std::string text;
  for (const std::string& part : {device.platform, device.version, device.architecture})
    if (!part.empty()) text += part + ", ";
  return text + runtime::bytes_text(device.memory_bytes);
}

/// Each with the number that `--device` takes.
void print_devices(const BackendReport& one) {
  if (!one.devices.why.empty()) fmt::print("device     none: {}\n", one.devices.why);
  for (std::size_t number = 0; number < one.devices.all.size(); ++number) {
    const DeviceReport& device = one.devices.all[number];
    fmt::print("device     {} `{}`: {}\n", number, device.name, about(device));
    for (const std::string& problem : device.problems) fmt::print("           {}\n", problem);
  }
}

void print_backend(const BackendReport& one) {
  std::vector<std::string> usable;
  for (const DeviceReport& device : one.devices.all)
    if (device.usable) usable.push_back(device.name);
  fmt::print("backend    {}: {}; {}\n", one.backend->name, one.backend->code,
             usable.empty() ? "nothing here runs it" : "runs on " + list_text(usable));
  if (one.backend->chooses_device) print_devices(one);
  std::vector<ToolchainReport> compilers = one.compilers;
  compilers.insert(compilers.end(), one.kernel_compilers.begin(), one.kernel_compilers.end());
  for (const ToolchainReport& compiler : compilers)
    if (compiler.usable)
      fmt::print("compiler   {}: {}, {}\n", compiler.name, compiler.version, compiler.works);
    else
      fmt::print("compiler   {}: missing\n{}\n", compiler.name, compiler.problem);
}

void print_text(const Report& report) {
  print_host(report);
  for (const BackendReport& one : report.backends) print_backend(one);
  fmt::print("cache      {}: {}\n", report.cache.folder,
             report.cache.problem.empty() ? "usable" : "not usable");
  if (!report.cache.problem.empty()) fmt::print("{}\n", report.cache.problem);
  for (const Measured& measured : report.measured) print_measured(measured);
  fmt::print("charts     {}\n", report.gnuplot.empty()
                                    ? "no gnuplot, which `report` needs: `apt-get install "
                                      "gnuplot-nox` has it"
                                    : report.gnuplot);
  for (const MpiReport& mpi : report.mpis)
    fmt::print("MPI        {}\n",
               mpi.library.empty()
                   ? fmt::format("no {}: with {}, build again for ranks that it starts",
                                 mpi.kind->title, mpi.kind->packages)
                   : mpi.version);
  for (const std::string& wrong : report.settings) fmt::print("setting    {}\n", wrong);
  if (const std::string file = runtime::environment("PARAISO_MACHINE"); !file.empty())
    fmt::print("plans      are made for the machine of `{}`, by PARAISO_MACHINE\n", file);
  fmt::print("{}\n", report.can_compile() ? "all that a run needs is here"
                                          : "a run needs one compiler and the cache: see above; "
                                            "`--backend interpreter` works without");
}

Json to_json(const DeviceReport& device) {
  return {{"name", device.name},
          {"platform", device.platform},
          {"version", device.version},
          {"architecture", device.architecture},
          {"gpu", device.gpu},
          {"usable", device.usable},
          {"fp64", device.fp64},
          {"memory_bytes", device.memory_bytes},
          {"largest_bytes", device.largest_bytes},
          {"problems", device.problems}};
}

Json to_json(const ToolchainReport& compiler, const runtime::Backend& backend) {
  return {{"name", compiler.name}, {"backend", backend.name},     {"usable", compiler.usable},
          {"path", compiler.path}, {"version", compiler.version}, {"problem", compiler.problem}};
}

Json targets_json(const std::vector<runtime::TargetReport>& reports) {
  Json targets = Json::array();
  for (const auto& one : reports)
    targets.push_back({{"name", one.target.name},
                       {"runs", one.missing.empty()},
                       {"missing", one.missing},
                       {"note", one.note},
                       {"vector_bytes", one.target.vector_bytes},
                       {"vector_registers", one.target.vector_registers},
                       {"fma", one.target.has_fma},
                       {"compiler", one.target.compiler}});
  return targets;
}

Json to_json(const Report& report) {
  Json caches = Json::array(), compilers = Json::array(), devices = Json::object(),
       missing = Json::object(), kernel_compilers = Json::array();
  Json measured = Json::object(), mpis = Json::object();
  for (const MpiReport& one : report.mpis)
    mpis[one.kind->name] = {{"library", one.library}, {"version", one.version}};
  for (const Measured& one : report.measured)
    measured[one.compiler] = {
        {"path", one.path},
        {"machine", one.file ? Json::parse(runtime::machine_text(*one.file)) : Json()}};
  for (const auto& cache : report.host.caches)
    caches.push_back({{"level", cache.level}, {"bytes", cache.bytes}, {"count", cache.count}});
  for (const BackendReport& one : report.backends) {
    devices[one.backend->name] = Json::array();
    for (const DeviceReport& device : one.devices.all)
      devices[one.backend->name].push_back(to_json(device));
    if (!one.devices.why.empty()) missing[one.backend->name] = one.devices.why;
    for (const ToolchainReport& compiler : one.compilers)
      compilers.push_back(to_json(compiler, *one.backend));
    for (const ToolchainReport& compiler : one.kernel_compilers)
      kernel_compilers.push_back(to_json(compiler, *one.backend));
  }
  return {{"version", runtime::kVersion},
          {"host", report.host.name},
          {"cpu", report.host.cpu},
          {"architecture", report.host.architecture},
          {"cores", report.host.cores},
          {"threads", report.host.threads},
          {"numa_nodes", report.host.numa_nodes},
          {"simd", report.host.simd},
          {"native", runtime::native_target(report.host).level},
          {"targets", targets_json(report.targets)},
          {"caches", caches},
          {"memory_bytes", report.host.memory_bytes},
          {"available_bytes", report.memory.bytes},
          {"fingerprint", runtime::fingerprint(report.host)},
          {"compilers", compilers},
          {"cache", {{"folder", report.cache.folder}, {"problem", report.cache.problem}}},
          {"gnuplot", report.gnuplot},
          {"mpi", mpis},
          {"kernel_compilers", kernel_compilers},
          {"devices", devices},
          {"missing_devices", missing},
          {"measured", measured},
          {"settings", report.settings},
          {"can_compile", report.can_compile()}};
}

int examine_and_print(bool json) {
  const Report report = examine();
  if (json)
    fmt::print("{}\n", json_text(to_json(report)));
  else
    print_text(report);
  return report.can_compile() ? kSuccess : kFailure;
}

}  // namespace

void declare_doctor(CLI::App& command, Session& session) {
  const auto json = std::make_shared<bool>(false);
  command.add_flag("--json", *json, "one JSON object on standard output");
  command.callback(
      [&session, json] { session.chosen = [json] { return examine_and_print(*json); }; });
}

}  // namespace paraiso::cli
