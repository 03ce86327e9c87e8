// The kept programs of these tests. Gives: read_program. Needs: om.
#pragma once

#include "paraiso/om/print.hpp"
#include "paraiso/runtime/system/file.hpp"

namespace paraiso::test {

inline om::Machine read_program(const std::string& name) {
  const std::string path = std::string(PARAISO_SOURCE_DIR "/tests/differential/programs/") + name;
  return om::parse(runtime::read_file(path), path);
}

}  // namespace paraiso::test
