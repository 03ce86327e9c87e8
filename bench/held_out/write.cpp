// Writes the held-out programs as texts: `bench_held_out FOLDER` makes FOLDER/NAME.om of each, and
// prints a line for each: the file and the size that it is measured at.
#include <fmt/format.h>

#include <exception>
#include <filesystem>

#include "bench/held_out/programs.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/runtime/system/file.hpp"

int main(int argc, char** argv) try {
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_held_out FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder(argv[1]);
  std::filesystem::create_directories(folder);
  for (const paraiso::bench::HeldOut& program : paraiso::bench::kHeldOut) {
    const auto file = folder / (std::string(program.name) + ".om");
    paraiso::runtime::write_file(file, paraiso::om::print(program.machine()));
    fmt::print("{} {}\n", file.string(), program.size);
  }
} catch (const std::exception& error) {
  fmt::print(stderr, "error: {}\n", error.what());
  return 1;
}
