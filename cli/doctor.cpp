// `paraiso doctor`: what this machine offers, what is missing and how to get it.
#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/subcommands.hpp"
#include "paraiso/base/error.hpp"
#include "paraiso/runtime/build/cache.hpp"
#include "paraiso/runtime/build/toolchain.hpp"
#include "paraiso/runtime/calibrate/calibrate.hpp"
#include "paraiso/runtime/fields/record.hpp"
#include "paraiso/runtime/process/process.hpp"
#include "paraiso/runtime/system/host.hpp"
#include "paraiso/runtime/system/memory.hpp"
#include "paraiso/runtime/system/target.hpp"

namespace paraiso::cli {
namespace {

using Json = nlohmann::ordered_json;

struct CacheReport {
  std::string folder;
  std::string problem;  // empty where it can be used
};

struct Device {
  std::string name;     // "CUDA"
  std::string library;  // what its driver installs
  bool present = false;
};

/// What is known of this machine with one compiler; no file: it has not been measured.
struct Measured {
  std::string compiler, path;
  std::optional<runtime::MachineFile> file;
};

struct Report {
  runtime::Host host;
  std::vector<runtime::TargetReport> targets;
  std::string gnuplot;  // its path; empty where there is none
  runtime::MemoryLimit memory;
  std::vector<runtime::ToolchainReport> compilers;
  CacheReport cache;
  std::vector<Device> devices;
  std::vector<Measured> measured;

  [[nodiscard]] bool can_compile() const {
    for (const auto& compiler : compilers)
      if (compiler.usable) return cache.problem.empty();
    return false;
  }
};

CacheReport look_at_cache() {
  CacheReport report{runtime::cache_folder().string(), ""};
  try {
    runtime::Cache{runtime::cache_folder()};
  } catch (const Error& error) {
    report.problem = error.what();
  }
  return report;
}

Device look_for_device(const char* name, const char* library) {
  void* handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  if (handle) dlclose(handle);
  return {name, library, handle != nullptr};
}

std::optional<runtime::MachineFile> read_quietly(const std::filesystem::path& path) {
  try {
    return runtime::read_machine(path);
  } catch (const Error&) {
    return std::nullopt;  // it is not there, or measured anew when it is asked for
  }
}

std::vector<Measured> look_at_machine(const Report& report) {
  std::vector<Measured> list;
  if (!report.cache.problem.empty()) return list;
  const plan::Target target = runtime::find_target("");
  for (const runtime::ToolchainReport& compiler : report.compilers) {
    if (!compiler.usable) continue;
    const auto path = runtime::kept_machine_path(runtime::find_toolchain(compiler.name), target);
    list.push_back({compiler.name, path.string(), read_quietly(path)});
  }
  return list;
}

Report examine() {
  const auto gnuplot = runtime::find_program("gnuplot");
  const runtime::Host& host = runtime::host();
  Report report{
      host,
      runtime::survey_targets(host),
      gnuplot ? gnuplot->string() : "",
      runtime::available_memory(),
      runtime::survey_toolchains(),
      look_at_cache(),
      {look_for_device("OpenCL", "libOpenCL.so.1"), look_for_device("CUDA", "libcuda.so.1")},
      {}};
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
  for (const plan::MachineField& field : plan::machine_fields())
    fmt::print("{:>20.4g} {}\n", machine.*field.value, field.text);
  for (std::size_t level = 0; level < machine.caches.size(); ++level)
    fmt::print("{:>20.4g} bytes a second from L{}, of which a thread may fill {}\n",
               machine.caches[level].bytes_per_second, level + 1,
               runtime::bytes_text(machine.caches[level].bytes));
}

std::string verdict(const runtime::TargetReport& report) {
  if (!report.missing.empty())
    return fmt::format("not on this processor, which lacks {}", list_text(report.missing));
  return fmt::format("runs, made by {} unless told{}{}", report.target.compiler,
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

void print_text(const Report& report) {
  print_host(report);
  for (const runtime::ToolchainReport& compiler : report.compilers)
    if (compiler.usable)
      fmt::print("compiler   {}: {}, OpenMP works\n", compiler.name, compiler.version);
    else
      fmt::print("compiler   {}: missing\n{}\n", compiler.name, compiler.problem);
  fmt::print("cache      {}: {}\n", report.cache.folder,
             report.cache.problem.empty() ? "usable" : "not usable");
  if (!report.cache.problem.empty()) fmt::print("{}\n", report.cache.problem);
  for (const Measured& measured : report.measured) print_measured(measured);
  fmt::print("charts     {}\n", report.gnuplot.empty()
                                    ? "no gnuplot, which `report` needs: `apt-get install "
                                      "gnuplot-nox` has it"
                                    : report.gnuplot);
  for (const Device& device : report.devices)
    fmt::print("{:<10} {} {}; not used in this version\n", device.name, device.library,
               device.present ? "is here" : "is not here");
  fmt::print("{}\n", report.can_compile() ? "all that a run needs is here"
                                          : "a run needs one compiler and the cache: see above; "
                                            "`--backend interpreter` works without");
}

Json to_json(const Report& report) {
  Json caches = Json::array(), compilers = Json::array(), targets = Json::array(),
       devices = Json::object();
  Json measured = Json::object();
  for (const Measured& one : report.measured)
    measured[one.compiler] = {
        {"path", one.path},
        {"machine", one.file ? Json::parse(runtime::machine_text(*one.file)) : Json()}};
  for (const auto& cache : report.host.caches)
    caches.push_back({{"level", cache.level}, {"bytes", cache.bytes}, {"count", cache.count}});
  for (const auto& compiler : report.compilers)
    compilers.push_back({{"name", compiler.name},
                         {"usable", compiler.usable},
                         {"path", compiler.path},
                         {"version", compiler.version},
                         {"problem", compiler.problem}});
  for (const auto& one : report.targets)
    targets.push_back({{"name", one.target.name},
                       {"runs", one.missing.empty()},
                       {"missing", one.missing},
                       {"note", one.note},
                       {"vector_bytes", one.target.vector_bytes},
                       {"vector_registers", one.target.vector_registers},
                       {"fma", one.target.has_fma},
                       {"compiler", one.target.compiler}});
  for (const Device& device : report.devices) devices[device.name] = device.present;
  return {{"version", runtime::kVersion},
          {"host", report.host.name},
          {"cpu", report.host.cpu},
          {"architecture", report.host.architecture},
          {"cores", report.host.cores},
          {"threads", report.host.threads},
          {"numa_nodes", report.host.numa_nodes},
          {"simd", report.host.simd},
          {"native", runtime::native_target(report.host).level},
          {"targets", targets},
          {"caches", caches},
          {"memory_bytes", report.host.memory_bytes},
          {"available_bytes", report.memory.bytes},
          {"fingerprint", runtime::fingerprint(report.host)},
          {"compilers", compilers},
          {"cache", {{"folder", report.cache.folder}, {"problem", report.cache.problem}}},
          {"gnuplot", report.gnuplot},
          {"devices", devices},
          {"measured", measured},
          {"can_compile", report.can_compile()}};
}

int examine_and_print(bool json) {
  const Report report = examine();
  if (json)
    fmt::print("{}\n", to_json(report).dump(2));
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
