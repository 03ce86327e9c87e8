// verify_barriers: all threads of a block pass every barrier. Gives: verify_barriers. Needs: walk.
#pragma once

#include "paraiso/codegen/claris/tree.hpp"

namespace paraiso::codegen::claris {

/// Throws std::logic_error, naming the function, where a barrier stands in a branch or a loop that
/// depends on the number of a thread: some threads might not come, and the others wait for ever.
/// And where a function with a barrier returns early, which PoCL 3.1 makes wrong code of.
void verify_barriers(const Function& function);

}  // namespace paraiso::codegen::claris
