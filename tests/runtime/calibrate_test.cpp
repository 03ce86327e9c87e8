// How a machine is made of what probes say: of one that only pretends to measure, and of this one.
#include "paraiso/runtime/calibrate/calibrate.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "paraiso/runtime/calibrate/own_hardware.hpp"
#include "paraiso/runtime/calibrate/ping_pong.hpp"
#include "paraiso/runtime/system/target.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/usable_compilers.hpp"

namespace paraiso::runtime {
namespace {

plan::Target target_named(const std::string& name) {
  for (const plan::Target& target : plan::targets())
    if (target.name == name) return target;
  return {};
}

Host example_host() {
  Host host;
  host.cpu = "an example";
  host.threads = 4;
  host.caches = {{1, 32768, 4}, {2, 1 << 20, 4}, {3, 32 << 20, 1}};
  return host;
}

/// 3 GHz, two additions a cycle; a third of the last cache is anyone else's.
double example(const char* name, double bytes, int threads) {
  const auto is = [&](const char* other) { return std::strcmp(name, other) == 0; };
  if (is("cycles")) return 3e9;
  if (is("add") || is("madd")) return 6e9;
  if (is("add and madd") || is("load")) return 9e9;
  if (is("copy together")) return 50e9;
  if (is("region") || is("miss")) return 1;  // nobody needs a second
  if (is("arrays")) return 24e9;
  if (is("stencil"))
    return bytes < 1 << 20 ? 200e9 : bytes < 20e6 ? 60e9 : 20e9 / (threads > 1 ? 2 : 1);
  return 1e9;
}

double without_fused(const char* name, double bytes, int threads) {
  if (std::strcmp(name, "madd") == 0) return 1e8;
  if (std::strcmp(name, "add and madd") == 0) return 2e8;
  return example(name, bytes, threads);
}

TEST(Calibrate, MakesAMachineOfWhatProbesSay) {
  const auto machine = measured_machine(example, example_host(), target_named("x86-64-v3"), 1e9);
  EXPECT_EQ(machine.processor, "an example");
  EXPECT_EQ(machine.threads, 4);
  EXPECT_EQ(machine.vector_bytes, 32);
  EXPECT_EQ(machine.registers, 16);
  EXPECT_EQ(machine.operations_per_second, 9e9);  // units of their own for multiply-adds
  EXPECT_EQ(machine.fused_operations, 1);
  ASSERT_EQ(machine.caches.size(), 3U);
  EXPECT_EQ(machine.caches[0].bytes, 32768);
  EXPECT_EQ(machine.caches[0].bytes_per_second, 32 * 9e9);
  EXPECT_EQ(machine.caches[1].bytes_per_second, 200e9);
  EXPECT_EQ(machine.caches[2].bytes_per_second, 60e9);
  EXPECT_LT(machine.caches[1].bytes, 1 << 20);
  EXPECT_LT(machine.caches[2].bytes, 20e6);  // what is left of 32 MiB
  EXPECT_GT(machine.caches[2].bytes, 8e6);
  EXPECT_EQ(machine.memory_fetch, 24e9);
  EXPECT_EQ(machine.memory_all, 50e9);
  EXPECT_EQ(machine.last_level_bytes, 32 << 20);
}

TEST(Calibrate, GivesAThreadItsPartOfACacheThatSeveralHave) {
  const plan::Target target = target_named("x86-64-v3");
  Host host = example_host();
  const auto alone = measured_machine(example, host, target, 1e9);
  host.caches[0].count = host.caches[1].count = 2;  // four threads on two cores
  const auto pairs = measured_machine(example, host, target, 1e9);
  EXPECT_EQ(pairs.caches[0].bytes, alone.caches[0].bytes / 2);
  EXPECT_EQ(pairs.caches[1].bytes, alone.caches[1].bytes / 2);
  EXPECT_EQ(pairs.caches[2].bytes, alone.caches[2].bytes);
  host.caches[0].count = host.caches[1].count = 64;  // of which other processes have most
  EXPECT_EQ(measured_machine(example, host, target, 1e9).caches[1].bytes, alone.caches[1].bytes);
}

/// Ranks that are on some hosts, and send nothing.
class Hosts : public Transport {
 public:
  explicit Hosts(std::vector<std::string> hosts) : hosts_(std::move(hosts)) {}
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int ranks() const override { return static_cast<int>(hosts_.size()); }
  [[nodiscard]] std::string host(int rank) const override {
    return hosts_[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] Bytes buffer(std::size_t bytes) override { return Bytes(bytes); }
  void send(int, Bytes) override {}
  [[nodiscard]] Bytes receive(int) override { return {}; }
  void release(Bytes) override {}
  void abandon(const Failure&) noexcept override {}

 private:
  std::vector<std::string> hosts_;
};

/// Launchers may place ranks in turns: then the last one may be beside the first.
TEST(Calibrate, MeasuresMessagesToAnotherHost) {
  EXPECT_EQ(far_rank(Hosts({"a", "b", "a"})), 1);
  EXPECT_EQ(far_rank(Hosts({"a", "a", "b", "b"})), 2);
  EXPECT_EQ(far_rank(Hosts({"a", "a", "a"})), std::nullopt);
}

TEST(Calibrate, KeepsWithinWhatIsBelieved) {
  const auto machine = measured_machine(example, example_host(), target_named("x86-64-v3"), 1e9);
  EXPECT_LT(machine.parallel_region, 1e-3);
  for (const plan::MachineField& field : plan::machine_fields()) {
    EXPECT_GE(machine.*field.value, field.least) << field.name;
    EXPECT_LE(machine.*field.value, field.most) << field.name;
  }
}

TEST(Calibrate, SeesThatAMultiplyAddIsNoInstruction) {
  const auto machine =
      measured_machine(without_fused, example_host(), target_named("x86-64-v2"), 1e9);
  EXPECT_EQ(machine.operations_per_second, 6e9);
  EXPECT_EQ(machine.fused_operations, 60);
}

/// What was measured with one compiler for one target says nothing of another one's code.
TEST(Calibrate, KeepsAFileForEachTargetCompilerAndHost) {
  const Toolchain compiler = find_toolchain(test::usable_compilers().at(0));
  const plan::Target v2 = target_named("x86-64-v2"), v3 = target_named("x86-64-v3");
  const Host here = example_host();
  Toolchain elsewhere = compiler, later = compiler;
  elsewhere.path += "-elsewhere";
  later.version += ".1";
  Host other = here, larger = here, more = here;
  other.cpu = "another example";
  larger.caches.back().bytes *= 2;
  more.threads += 1;
  const std::set<std::filesystem::path> paths = {
      kept_machine_path(compiler, v3, here),  kept_machine_path(compiler, v2, here),
      kept_machine_path(elsewhere, v3, here), kept_machine_path(later, v3, here),
      kept_machine_path(compiler, v3, other), kept_machine_path(compiler, v3, larger),
      kept_machine_path(compiler, v3, more)};
  EXPECT_EQ(paths.size(), 7U);
  EXPECT_EQ(kept_machine_path(compiler, v3, here), kept_machine_path(compiler, v3, here));
}

/// The speed of a machine is tested nowhere: that it has one is.
TEST(Calibrate, MeasuresThisMachineWithEachCompiler) {
  if (test::kSanitized) GTEST_SKIP() << "sanitizers measure themselves";
  for (const std::string& compiler : test::usable_compilers()) {
    const MachineFile file = calibrate(find_toolchain(compiler), find_target("native"));
    const plan::MachineModel& machine = file.machine;
    EXPECT_EQ(machine.threads, host().threads);
    EXPECT_GT(machine.operations_per_second, 0.2 * machine.hertz) << compiler;
    EXPECT_GT(machine.divides_f32, machine.divides_f64) << compiler;
    EXPECT_GE(machine.memory_all, 0.3 * machine.memory_fetch) << compiler;
    for (std::size_t level = 1; level < machine.caches.size(); ++level) {
      EXPECT_LT(machine.caches[level - 1].bytes, machine.caches[level].bytes) << compiler;
      EXPECT_GE(machine.caches[level - 1].bytes_per_second, machine.caches[level].bytes_per_second)
          << compiler;
    }
    EXPECT_EQ(machine_text(parse_machine(machine_text(file), "it")), machine_text(file));
  }
}

/// In the unit that one would choose, whatever the digits are.
TEST(OwnHardware, SaysHowLongMessagesTake) {
  MachineFile measured;
  measured.machine.operations_per_second = 6e9;
  const auto said = [&](const MessageTime& messages, std::int64_t nodes) {
    const hardware::Hardware graph =
        own_hardware(measured, "example.json", example_host(), nodes, messages);
    return performance_text(graph.components[nodes > 1 ? 3 : 1]);
  };
  EXPECT_EQ(said({6.912e-6, 1.0298e-5, 0.76e9}, 2), "1.52 GB/s, latency 10.3 us, overhead 6.91 us");
  EXPECT_EQ(said({6.9e-7, 1.234e-3, 0.76e9}, 2), "1.52 GB/s, latency 1.23 ms, overhead 690 ns");
  EXPECT_EQ(said({9.996e-7, 0, 1e9}, 2), "2 GB/s, overhead 1 us");
  for (int digits = 100; digits < 1000; ++digits)
    for (const double unit : {1e-9, 1e-8, 1e-7, 1e-6, 1e-5}) {
      const std::string text = said({0, digits * unit, 1e9}, 1);
      EXPECT_EQ(text.find("e-"), text.npos) << text;
    }
}

}  // namespace
}  // namespace paraiso::runtime
