// Dialect: how a language of devices spells what C99 has no words for, a row each. Gives: Dialect,
// dialects, find_dialect, spell, block_bounds, device_type, memory_type, device_literal. Needs:
// CLARIS.
//
// Device code is written once, in C99 and words in capitals; `spell` writes a dialect's own words
// in their place, so that what is generated is plain OpenCL C, CUDA C++ or HIP. The words are those
// of the comments below; AXIS is 0, 1 or 2, as in THREAD_0.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "paraiso/codegen/claris/tree.hpp"
#include "paraiso/om/graph/type.hpp"

namespace paraiso::codegen {

struct Dialect {
  const char* name;         // "opencl"
  const char* title;        // what a solver is made for: "C++ and OpenCL"
  const char* suffix;       // of its files: ".cl"
  const char* head;         // lines that every source begins with
  const char* compiled_by;  // before a solver runs: "nvcc -fatbin"; nullptr: when it runs

  const char* function;  // FUNCTION: before a function that kernels call
  const char* routine;   // ROUTINE: before one that is no part of them, so that they have registers
  const char* kernel;    // KERNEL: before `void name(...)`
  // After it: {0} and {1} are the threads of a block along x and y, {2} all of them, {3} empty or,
  // after a comma, the blocks that a multiprocessor is to hold at a time.
  const char* block_bounds;
  const char* table;     // TABLE: before an array of constants at file scope
  const char* constant;  // CONSTANT: of a pointer into such an array
  const char* global;    // GLOBAL: of a pointer into memory
  const char* shared;  // SHARED: before an array of a block, declared in a kernel's outermost scope
  const char* local;   // LOCAL: of a pointer into such an array
  // What a source has where a block has more than 48 KiB of such arrays: SHARED_OF_LAUNCH(bytes)
  // then declares `shared_of_launch`, an array of doubles in which they lie. Empty: they are
  // declared as always.
  const char* shared_of_launch;
  // What a source has where vectors are stored: STORE_4, STORE_8 and STORE_16(to, from) then store
  // so many aligned bytes by one instruction.
  const char* store_bytes;
  const char* restrict;  // RESTRICT: of a pointer to what no other one points to

  const char* i64;  // LONG: a type of 64 bits; ULONG without a sign
  const char* u64;

  const char* barrier;     // BARRIER: all threads of a block, and their shared memory
  const char* thread;      // THREAD_AXIS: in its block; `@` is the axis as `axes` spells it
  const char* block;       // BLOCK_AXIS: of the launch
  const char* block_size;  // BLOCK_SIZE_AXIS: in threads
  const char* blocks;      // BLOCKS_AXIS: of the launch
  const char* axes[3];

  const char* fma_f32;  // FMA_F32, FMA_F64: x y + z, rounded once
  const char* fma_f64;
  const char* bits_of_f64;  // BITS_OF_F64: as a LONG
  const char* f64_of_bits;  // F64_OF_BITS: of a LONG
  const char* f32_of_bits;  // F32_OF_BITS: of an unsigned int
};

/// opencl, cuda, hip.
[[nodiscard]] std::span<const Dialect> dialects();
[[nodiscard]] const Dialect& find_dialect(std::string_view name);

/// `text` with the dialect's own words: "KERNEL void f(GLOBAL double* u)" becomes
/// "__kernel void f(__global double* u)".
[[nodiscard]] std::string spell(const Dialect& dialect, std::string_view text);

/// What a compiler may rely on of a kernel's blocks: "__launch_bounds__(256, 2)". Without it it may
/// take more registers for a thread than a large block can have.
[[nodiscard]] std::string block_bounds(const Dialect& dialect, const claris::BlockShape& block);

/// Of a value: "bool", "int", "long", "float", "double".
[[nodiscard]] const char* device_type(const Dialect& dialect, om::Element element);
/// Of a cell of an array, and of a kernel's argument: that of the value, but a bool is one byte,
/// 0 or 1: "unsigned char".
[[nodiscard]] const char* memory_type(const Dialect& dialect, om::Element element);
/// The same bits, infinities and NaN included.
[[nodiscard]] std::string device_literal(const Dialect& dialect, om::Constant value);

}  // namespace paraiso::codegen
