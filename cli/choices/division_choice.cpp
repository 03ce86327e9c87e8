#include "cli/choices/division_choice.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/call/session.hpp"
#include "cli/call/values.hpp"
#include "cli/choices/hardware_choice.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/hardware/rank_places.hpp"
#include "paraiso/runtime/balance/balance.hpp"
#include "paraiso/runtime/system/file.hpp"

namespace paraiso::cli {
namespace {

bool is_numbers(const std::string& text) {
  return text.find_first_not_of("0123456789x") == std::string::npos;
}

om::Orthotree regular(const std::string& text, const om::Cell& size) {
  std::vector<std::int64_t> parts;
  double all = 1;
  for (const std::string& number : split(text, 'x')) {
    parts.push_back(parse_count("--divide", number, 1, kMostParts));
    all *= static_cast<double>(parts.back());
  }
  if (all > static_cast<double>(kMostParts))
    throw WrongCall(fmt::format("`--divide {}` makes more than {} parts", text, kMostParts));
  return as_wrong_call([&] { return om::regular_division(size, parts); });
}

om::Orthotree from_file(const std::string& path) {
  const std::string text = as_wrong_call([&] { return runtime::read_file(path); });
  return om::parse_orthotree(text, path);
}

/// With cuts in proportion to the speeds of a graph's processors.
om::Orthotree by_speeds(const om::Orthotree& even, const om::Cell& size,
                        const hardware::Hardware& machine) {
  const auto speeds = hardware::rank_speeds(machine, even.leaf_count());
  if (std::ranges::count(speeds, speeds[0]) == static_cast<std::ptrdiff_t>(speeds.size()))
    return even;
  std::vector<double> busy;  // were each part as large as it is now
  for (const om::Box& box : even.leaves(size))
    busy.push_back(static_cast<double>(box.cell_count()) / speeds[busy.size()]);
  return runtime::balanced(even, size, {busy, {}});
}

}  // namespace

void declare_division(CLI::App& command, DivisionChoice& choice, CLI::Option* with) {
  CLI::Option* ranks =
      command.add_option("--ranks", choice.ranks, "parts that the grid is divided into")
          ->type_name("N");
  CLI::Option* divide =
      command
          .add_option("--divide", choice.divide, "parts along each axis: 2x2x1, auto, or a file")
          ->type_name("PARTS");
  if (with == nullptr) return;
  ranks->needs(with);
  divide->needs(with);
}

bool is_divided(const DivisionChoice& choice) {
  return !choice.ranks.empty() || !choice.divide.empty();
}

namespace {

om::Orthotree divided(const DivisionChoice& choice, const om::Cell& size, int processes,
                      const hardware::Hardware* machine) {
  std::int64_t ranks = processes;
  if (!choice.ranks.empty()) ranks = parse_count("--ranks", choice.ranks, 1, kMostParts);
  if (processes > 0 && ranks != processes)
    throw WrongCall(
        fmt::format("`--ranks {}`, but {} processes were started", choice.ranks, processes));
  if (choice.divide.empty() || choice.divide == "auto") {
    if (ranks == 0) throw WrongCall("`--divide auto` needs `--ranks N`");
    const om::Orthotree even = as_wrong_call([&] { return om::even_division(size, ranks); });
    return machine != nullptr ? by_speeds(even, size, *machine) : even;
  }
  const om::Orthotree tree =
      is_numbers(choice.divide) ? regular(choice.divide, size) : from_file(choice.divide);
  const auto parts = static_cast<std::int64_t>(tree.leaf_count());
  if (processes > 0 && parts != processes)
    throw WrongCall(fmt::format("`--divide {}` makes {} part{}, but {} processes were started",
                                choice.divide, parts, parts == 1 ? "" : "s", processes));
  if (ranks > 0 && ranks != parts)
    throw WrongCall(fmt::format("`--ranks {}`, but `--divide {}` makes {} part{}", ranks,
                                choice.divide, parts, parts == 1 ? "" : "s"));
  if (const auto why = tree.complaint(size); !why.empty())
    throw WrongCall(fmt::format("`--divide {}`: {}", choice.divide, why));
  return tree;
}

}  // namespace

void check_divides(const runtime::Backend& backend, const char* who) {
  if (backend.chooses_device)
    throw WrongCall(fmt::format("{} `--backend` {} or {}: `{}` has the whole grid", who,
                                runtime::default_backend().name, kInterpreter, backend.name));
}

om::Orthotree choose_division(const DivisionChoice& choice, const om::Cell& size, int processes,
                              const std::string& machine) {
  if (!is_hardware(machine)) return divided(choice, size, processes, nullptr);
  const HardwareChoice read = choose_hardware(machine);
  return divided(choice, size, processes, &read.hardware);
}

om::Orthotree choose_division(const DivisionChoice& choice, const om::Cell& size,
                              const hardware::Hardware& machine) {
  return divided(choice, size, 0, &machine);
}

}  // namespace paraiso::cli
