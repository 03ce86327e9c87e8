#include "paraiso/codegen/claris/verify_barriers.hpp"

#include <set>
#include <stdexcept>

#include "paraiso/codegen/claris/walk.hpp"

namespace paraiso::codegen::claris {

namespace {

using om::Overload;

class BarrierVerifier {
 public:
  explicit BarrierVerifier(const Function& function) : function_(function) {}

  void run() {
    // A variable may depend on what a loop assigns to it further down.
    for (std::size_t before = 1; before != own_.size();) {
      before = own_.size();
      note(function_.body, false);
    }
    check(function_.body, false);
    if (mentions(function_.body, AnyOf<Barrier>()) &&
        mentions(function_.body, AnyOf<ReturnIfStopped, GuardSteps>()))
      throw std::logic_error("`" + function_.name + "` has barriers, and returns");
  }

 private:
  /// Whether threads of one block may have different values of it.
  [[nodiscard]] bool differs(const ExprPtr& value) const {
    return mentions(*value, AnyOf<ThreadOfBlock>()) || mentions(*value, [&](const Expr& expr) {
             const auto* variable = std::get_if<Name>(&expr.node);
             return variable && own_.contains(variable->text);
           });
  }

  void note(const std::string& variable, const ExprPtr& value, bool apart) {
    if (apart || differs(value)) own_.insert(variable);
  }

  /// Finds the variables that differ. `apart`: not all threads come here.
  void note(const Block& block, bool apart) {
    for (const Statement& statement : block)
      std::visit(Overload{
                     [&](const Declare& s) { note(s.name, s.value, apart); },
                     [&](const Assign& s) {
                       if (const auto* variable = std::get_if<Name>(&s.target->node))
                         note(variable->text, s.value, apart);
                     },
                     [&](const For& s) {
                       const bool differ = apart || differs(s.begin) || differs(s.end);
                       if (differ) own_.insert(s.variable);
                       note(s.body, differ);
                     },
                     [&](const If& s) { note(s.body, apart || differs(s.condition)); },
                     [&](const DeviceStatement& s) { note_device(s, apart); },
                     [](const auto&) {},
                 },
                 statement.node);
  }
  void note_device(const DeviceStatement& statement, bool apart) {
    std::visit(Overload{
                   [&](const ForThreads& s) {
                     for (const ThreadAxis& axis : s.axes) own_.insert(axis.variable);
                     note(s.body, true);
                   },
                   [&](const DeclareVariable& s) { note(s.name, s.value, apart); },
                   [](const auto&) {},
               },
               statement);
  }

  void check(const Block& block, bool apart) const {
    for (const Statement& statement : block) {
      const bool inside = apart || leads_apart(statement);
      const auto* of_device = std::get_if<DeviceStatement>(&statement.node);
      if (inside && of_device && std::holds_alternative<Barrier>(*of_device))
        throw std::logic_error("not all threads of a block pass a barrier of `" + function_.name +
                               "`");
      for (const Block* body : parts(statement).blocks) check(*body, inside);
    }
  }
  [[nodiscard]] bool leads_apart(const Statement& statement) const {
    if (const auto* branch = std::get_if<If>(&statement.node)) return differs(branch->condition);
    if (const auto* loop = std::get_if<For>(&statement.node))
      return differs(loop->begin) || differs(loop->end);
    const auto* of_device = std::get_if<DeviceStatement>(&statement.node);
    return of_device && std::holds_alternative<ForThreads>(*of_device);
  }

  const Function& function_;
  std::set<std::string> own_;  // variables that differ between threads
};

}  // namespace

void verify_barriers(const Function& function) { BarrierVerifier(function).run(); }

}  // namespace paraiso::codegen::claris
