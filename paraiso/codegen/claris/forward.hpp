// Forward declarations for the parts of the tree. Gives: ExprPtr, Block. Needs: nothing.
#pragma once

#include <memory>
#include <vector>

namespace paraiso::codegen::claris {

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

struct Statement;
using Block = std::vector<Statement>;

}  // namespace paraiso::codegen::claris
