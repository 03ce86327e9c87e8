// An expression of CLARIS in the language of a device. Gives: DeviceExpressions. Needs: CLARIS,
// Dialect, operators, spelt.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "paraiso/codegen/claris/tree.hpp"
#include "paraiso/codegen/device/dialect.hpp"
#include "paraiso/codegen/lower/spelt.hpp"

namespace paraiso::codegen {

/// Prints expressions and adds the functions of the library that they call to `used`.
class DeviceExpressions {
 public:
  /// `held` names, of each Global static, its field of the scalars.
  DeviceExpressions(const Dialect& dialect, std::set<std::string>& used,
                    const std::vector<std::string>& held)
      : dialect_(dialect), used_(used), held_(held) {}

  [[nodiscard]] std::string text(const claris::ExprPtr& expr) const { return spell(expr).text; }
  /// The value with its sign changed.
  [[nodiscard]] std::string negated(om::Element element, const std::string& value) const;

 private:
  [[nodiscard]] Spelt spell(const claris::ExprPtr& expr) const;
  [[nodiscard]] Spelt spell(const claris::CoreCell&) const { return {"grid.origin"}; }
  [[nodiscard]] Spelt spell(const claris::ThreadOfBlock& e) const {
    return {"THREAD_" + std::to_string(e.axis)};
  }
  [[nodiscard]] Spelt spell(const claris::BlockOfLaunch& e) const {
    return {"(LONG)BLOCK_" + std::to_string(e.axis), 6};
  }
  [[nodiscard]] Spelt spell(const claris::Remainder& e) const;
  [[nodiscard]] Spelt spell(const claris::Quotient& e) const;
  [[nodiscard]] Spelt spell(const claris::MeetsSide& e) const {
    return {e.called + "_met == " + (e.above ? "UPPER" : "LOWER"), 2};
  }
  [[nodiscard]] Spelt spell(const claris::ChangesSign& e) const { return {e.called + "_negates"}; }
  [[nodiscard]] Spelt spell(const claris::PlaceOfPartial& e) const;
  [[nodiscard]] Spelt extreme(const claris::ExprPtr& left, const claris::ExprPtr& right,
                              bool larger) const;
  [[nodiscard]] Spelt operation(const claris::Operate& operate) const;
  [[nodiscard]] std::string joined(const std::vector<claris::ExprPtr>& exprs) const;
  [[nodiscard]] std::string library_function(om::Op op, om::Element element, om::Element target,
                                             int result) const;

  const Dialect& dialect_;
  std::set<std::string>& used_;
  const std::vector<std::string>& held_;
};

}  // namespace paraiso::codegen
