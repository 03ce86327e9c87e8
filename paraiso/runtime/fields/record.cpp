#include "paraiso/runtime/fields/record.hpp"

#include "paraiso/om/text/print.hpp"

namespace paraiso::runtime {

std::string program_hash(const om::Machine& machine, const Record& record) {
  return record.program_hash.empty() ? om::program_hash(machine) : record.program_hash;
}

}  // namespace paraiso::runtime
