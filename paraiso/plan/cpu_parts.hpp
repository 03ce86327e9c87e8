// cpu_parts: what only a processor has of a plan: its stages in vectors, its tiles, x ghost cells
// that loops compute. Made after the neutral plan (cpu/cpu_plan.hpp); another kind of machine
// leaves them as they are. Gives: CpuStage, CpuGroup, kVectorCells. Needs: cpu_options, footprint,
// vector_form.
#pragma once

#include <optional>

#include "paraiso/passes/analysis/footprint.hpp"
#include "paraiso/plan/schedule/cpu_options.hpp"
#include "paraiso/plan/vector_form.hpp"

namespace paraiso::plan {

inline constexpr std::int64_t kVectorCells = 16;  // lanes of a vector of 4-byte numbers

struct CpuStage {
  std::optional<VectorForm> vectors;  // none: vectors can't compute everything in it
  bool in_vectors = false;            // whether its loop is written in vectors
  passes::Extent row_ends;            // x ghost cells that the loop computes itself from the rows
};

struct CpuGroup : CpuOptions {
  std::int64_t granule = 0;   // tiles of axis 0 start at multiples of this many cells
  std::int64_t row_unit = 0;  // rows of its buffers are whole multiples of this many cells
  // How far around the cells that are computed while messages travel a kernel reads; none: all are
  // computed when they have come (overlap.hpp).
  std::optional<passes::Extent> overlapped = {};
};

}  // namespace paraiso::plan
