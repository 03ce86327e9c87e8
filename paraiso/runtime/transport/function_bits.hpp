// function_bits: what elementary functions give here, as one number: processes that share a grid
// must have the same. Gives: function_bits. Needs: om's operators.
#pragma once

#include <string>

namespace paraiso::runtime {

/// 16 digits made from the results of each elementary function for 5,000 arguments. Ours have the
/// same bits everywhere, or a compiler was wrong. With `of_c_library` also the C library's, of
/// which glibc has variants by processor.
[[nodiscard]] std::string function_bits(bool of_c_library);

}  // namespace paraiso::runtime
