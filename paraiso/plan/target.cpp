#include "paraiso/plan/target.hpp"

namespace paraiso::plan {

namespace {

Target level(const char* name, const char* architecture, const char* march, int vector_bytes,
             int vector_registers, bool has_fma, const char* compiler,
             std::vector<std::string> features) {
  return {name,    name,     architecture,       march, vector_bytes, vector_registers,
          has_fma, compiler, std::move(features)};
}

}  // namespace

std::string Target::text() const {
  return name == level || level.empty() ? name : name + " (" + level + ")";
}

std::vector<std::string> Target::more_flags() const {
  // Without this flag both compilers use 256 bits on many CPUs that have 512.
  if (vector_bytes == 64) return {"-mprefer-vector-width=512"};
  // g++ copies structures of vectors in pieces of 16 bytes, and loads them whole: each load waits.
  if (vector_bytes == 32) return {"-mmove-max=256", "-mstore-max=256"};
  return {};
}

std::string native_flag(const std::string& architecture) {
  // On Arm `-march` names a version of the architecture, and `-mcpu` a processor.
  return architecture == "aarch64" ? "-mcpu=native" : "-march=native";
}

const std::vector<Target>& targets() {
  // The levels of the x86-64 psABI, and Armv8.0-A, with the features that Linux reports.
  // clang-format off
  static const std::vector<Target> levels = {
      //                              compiler flag, bytes, registers, fma, compiler
      level("x86-64-v2", "x86_64", "-march=x86-64-v2", 16, 16, false, "g++",
            {"sse2", "cx16", "lahf_lm", "popcnt", "pni", "ssse3", "sse4_1", "sse4_2"}),
      level("x86-64-v3", "x86_64", "-march=x86-64-v3", 32, 16, true, "g++",
            {"avx", "avx2", "fma", "f16c", "bmi1", "bmi2", "abm", "movbe", "xsave"}),
      level("x86-64-v4", "x86_64", "-march=x86-64-v4", 64, 32, true, "g++",
            {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}),
      level("aarch64", "aarch64", "-march=armv8-a", 16, 32, true, "g++", {"asimd"}),
  };
  // clang-format on
  return levels;
}

}  // namespace paraiso::plan
