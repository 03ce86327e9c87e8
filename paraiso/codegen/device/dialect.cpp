#include "paraiso/codegen/device/dialect.hpp"

#include <fmt/format.h>

#include <cctype>
#include <limits>
#include <stdexcept>

namespace paraiso::codegen {

using om::Constant;
using om::Element;

namespace {

/// CUDA C++ and HIP have the same words.
constexpr Dialect cuda_like(const char* name, const char* title, const char* suffix,
                            const char* head, const char* compiled_by, const char* block_bounds,
                            const char* store_bytes) {
  return {
      .name = name,
      .title = title,
      .suffix = suffix,
      .head = head,
      .compiled_by = compiled_by,
      .function = "static __device__ inline",
      .routine = "static __device__ __attribute__((noinline))",
      .kernel = "extern \"C\" __global__",
      .block_bounds = block_bounds,
      .table = "static __constant__ const",
      .constant = "",
      .global = "",
      .shared = "__shared__",
      .local = "",
      .shared_of_launch =
          "#if defined(__CUDACC__) || defined(__HIP__)\n"
          "#define SHARED_OF_LAUNCH(bytes) extern __shared__ double shared_of_launch[]\n"
          "#else\n"
          "#define SHARED_OF_LAUNCH(bytes) __shared__ double shared_of_launch[(bytes) / 8]\n"
          "#endif\n",
      .store_bytes = store_bytes,
      .restrict = "__restrict__",
      .i64 = "long long",
      .u64 = "unsigned long long",
      .barrier = "__syncthreads()",
      .thread = "threadIdx.@",
      .block = "blockIdx.@",
      .block_size = "blockDim.@",
      .blocks = "gridDim.@",
      .axes = {"x", "y", "z"},
      .fma_f32 = "fmaf",
      .fma_f64 = "fma",
      .bits_of_f64 = "__double_as_longlong",
      .f64_of_bits = "__longlong_as_double",
      .f32_of_bits = "__uint_as_float",
  };
}

constexpr Dialect kDialects[] = {
    {
        .name = "opencl",
        .title = "C++ and OpenCL",
        .suffix = ".cl",
        // Without the second line x * y + z may be rounded once.
        .head = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                "#pragma OPENCL FP_CONTRACT OFF\n",
        .compiled_by = nullptr,
        .function = "static",
        .routine = "static __attribute__((noinline))",
        .kernel = "__kernel",
        .block_bounds = "__attribute__((reqd_work_group_size({0}, {1}, 1)))",
        .table = "__constant",
        .constant = "__constant",
        .global = "__global",
        .shared = "__local",
        .local = "__local",
        .shared_of_launch = "",
        .store_bytes = "#define STORE_4(to, from) *(__global int*)(to) = *(const int*)(from)\n"
                       "#define STORE_8(to, from) *(__global int2*)(to) = *(const int2*)(from)\n"
                       "#define STORE_16(to, from) *(__global int4*)(to) = *(const int4*)(from)\n",
        .restrict = "restrict",
        .i64 = "long",
        .u64 = "ulong",
        .barrier = "barrier(CLK_LOCAL_MEM_FENCE)",
        .thread = "get_local_id(@)",
        .block = "get_group_id(@)",
        .block_size = "get_local_size(@)",
        .blocks = "get_num_groups(@)",
        .axes = {"0", "1", "2"},
        .fma_f32 = "fma",
        .fma_f64 = "fma",
        .bits_of_f64 = "as_long",
        .f64_of_bits = "as_double",
        .f32_of_bits = "as_float",
    },
    cuda_like("cuda", "CUDA C++", ".cu",
              "#ifndef __CUDACC__  // a C++ compiler makes functions of the processor of kernels\n"
              "#include \"paraiso_emulation.hpp\"\n"
              "#endif\n",
              "nvcc -fatbin", "__launch_bounds__({2}{3})",
              "#ifdef __CUDACC__  // which takes the assignment of a structure to pieces\n"
              "#define STORE_4(to, from) __stwb((int*)(to), *(const int*)(from))\n"
              "#define STORE_8(to, from) __stwb((int2*)(to), *(const int2*)(from))\n"
              "#define STORE_16(to, from) __stwb((int4*)(to), *(const int4*)(from))\n"
              "#else\n"
              "#define STORE_4(to, from) memcpy(to, from, 4)\n"
              "#define STORE_8(to, from) memcpy(to, from, 8)\n"
              "#define STORE_16(to, from) memcpy(to, from, 16)\n"
              "#endif\n"),
    cuda_like("hip", "HIP", ".hip",
              "#ifdef __HIP__\n"
              "#include <hip/hip_runtime.h>\n"
              "#pragma clang fp contract(off)\n"
              "#else  // a C++ compiler makes functions of the processor of kernels\n"
              "#include \"paraiso_emulation.hpp\"\n"
              "#endif\n",
              "hipcc --genco", "__launch_bounds__({2})",  // its second one means something else
              "#define STORE_4(to, from) memcpy(to, from, 4)\n"
              "#define STORE_8(to, from) memcpy(to, from, 8)\n"
              "#define STORE_16(to, from) memcpy(to, from, 16)\n"),
};

struct Word {
  std::string_view word;
  const char* Dialect::*spelling;
};

constexpr Word kWords[] = {
    {"FUNCTION", &Dialect::function},
    {"ROUTINE", &Dialect::routine},
    {"KERNEL", &Dialect::kernel},
    {"TABLE", &Dialect::table},
    {"CONSTANT", &Dialect::constant},
    {"GLOBAL", &Dialect::global},
    {"SHARED", &Dialect::shared},
    {"LOCAL", &Dialect::local},
    {"RESTRICT", &Dialect::restrict},
    {"LONG", &Dialect::i64},
    {"ULONG", &Dialect::u64},
    {"BARRIER", &Dialect::barrier},
    {"FMA_F32", &Dialect::fma_f32},
    {"FMA_F64", &Dialect::fma_f64},
    {"BITS_OF_F64", &Dialect::bits_of_f64},
    {"F64_OF_BITS", &Dialect::f64_of_bits},
    {"F32_OF_BITS", &Dialect::f32_of_bits},
};

/// Of which there is one an axis.
constexpr Word kWordsOfAxes[] = {
    {"THREAD_", &Dialect::thread},
    {"BLOCK_", &Dialect::block},
    {"BLOCK_SIZE_", &Dialect::block_size},
    {"BLOCKS_", &Dialect::blocks},
};

std::string along_axis(const Dialect& dialect, std::string spelling, int axis) {
  return spelling.replace(spelling.find('@'), 1, dialect.axes[axis]);
}

std::string spelt(const Dialect& dialect, std::string_view identifier) {
  for (const Word& row : kWords)
    if (identifier == row.word) return dialect.*row.spelling;
  const char axis = identifier.back();
  identifier.remove_suffix(1);
  for (const Word& row : kWordsOfAxes)
    if (identifier == row.word && axis >= '0' && axis <= '2')
      return along_axis(dialect, dialect.*row.spelling, axis - '0');
  return std::string(identifier) + axis;
}

bool part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

template <class Float>
std::string float_text(Float value, const char* of_bits, const char* infinity, const char* nan,
                       const char* suffix) {
  constexpr Float kInfinity = std::numeric_limits<Float>::infinity();
  if (value != value) return fmt::format("{}({})", of_bits, nan);
  if (value == kInfinity) return fmt::format("{}({})", of_bits, infinity);
  if (value == -kInfinity) return fmt::format("-{}({})", of_bits, infinity);
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + suffix;
}

template <class Integer>
std::string integer_text(Integer value) {
  if (value > std::numeric_limits<Integer>::min()) return fmt::format("{}", value);
  return fmt::format("({} - 1)", value + 1);
}

}  // namespace

std::span<const Dialect> dialects() { return kDialects; }

const Dialect& find_dialect(std::string_view name) {
  for (const Dialect& dialect : kDialects)
    if (name == dialect.name) return dialect;
  throw std::invalid_argument(fmt::format("no dialect `{}`", name));
}

std::string spell(const Dialect& dialect, std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && part_of_name(text[end])) ++end;
    if (end == i) {
      result += text[i++];
      continue;
    }
    const std::string word = spelt(dialect, text.substr(i, end - i));
    // A word that a dialect does without leaves no gap.
    i = word.empty() && end < text.size() && text[end] == ' ' ? end + 1 : end;
    result += word;
  }
  return result;
}

std::string block_bounds(const Dialect& dialect, const claris::BlockShape& block) {
  const std::string resident = block.resident > 0 ? fmt::format(", {}", block.resident) : "";
  return fmt::format(fmt::runtime(dialect.block_bounds), block.x, block.y, block.x * block.y,
                     resident);
}

const char* device_type(const Dialect& dialect, Element element) {
  switch (element) {
    case Element::boolean: return "bool";
    case Element::i32: return "int";
    case Element::i64: return dialect.i64;
    case Element::f32: return "float";
    case Element::f64: break;
  }
  return "double";
}

const char* memory_type(const Dialect& dialect, Element element) {
  return element == Element::boolean ? "unsigned char" : device_type(dialect, element);
}

std::string device_literal(const Dialect& dialect, Constant value) {
  switch (value.element()) {
    case Element::boolean: return value.as<bool>() ? "true" : "false";
    case Element::i32: return integer_text(value.as<std::int32_t>());
    case Element::i64: return integer_text(value.as<std::int64_t>());
    case Element::f32:
      return float_text(value.as<float>(), dialect.f32_of_bits, "0x7f800000", "0x7fc00000", "f");
    case Element::f64: break;
  }
  return float_text(value.as<double>(), dialect.f64_of_bits, "0x7ff0000000000000",
                    "0x7ff8000000000000", "");
}

}  // namespace paraiso::codegen
