// The kept programs of these tests. Gives: read_program, kSpecialPrograms. Needs: om.
#pragma once

#include "paraiso/om/text/print.hpp"
#include "paraiso/runtime/system/file.hpp"

namespace paraiso::test {

inline om::Machine read_program(const std::string& name) {
  const std::string path = std::string(PARAISO_SOURCE_DIR "/tests/differential/programs/") + name;
  return om::parse(runtime::read_file(path), path);
}

/// Of special values: what a compiler has taken for a number that it is not.
inline constexpr const char* kSpecialPrograms[] = {
    "abs_over_same.om",   "annotations_meet.om", "cast_of_floor.om",    "float_mod_by_zero.om",
    "inverse_of_root.om", "ipow_negative.om",    "manifest_product.om", "max_of_neighbours_max.om",
    "min_of_own_min.om",  "nan_constants.om",    "neg_madd_inverse.om", "neg_madd_zero.om",
    "neg_over_other.om",  "neg_over_self.om",
};

}  // namespace paraiso::test
