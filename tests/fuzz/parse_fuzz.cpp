// Fuzzing the parser with libFuzzer: any bytes give a Machine that round-trips, or an Error at a
// line. Run by `ctest -R fuzz`, or by hand for longer: paraiso_fuzz_parse CORPUS tests/om/samples
#include <cstdint>
#include <cstdlib>

#include "paraiso/om/text/print.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace paraiso;
  std::string printed;
  try {
    printed = om::print(om::parse({reinterpret_cast<const char*>(data), size}, "fuzz.om"));
  } catch (const Error& error) {
    if (!error.diagnostics()[0].location.known()) std::abort();
    return 0;
  }
  if (om::print(om::parse(printed)) != printed) std::abort();  // an Error here is a finding too
  return 0;
}
