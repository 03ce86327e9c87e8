#include "paraiso/frontend/boundary.hpp"

#include <fmt/format.h>

namespace paraiso {

om::Boundary Boundary::for_static(om::Element element, int sign, const detail::Recorder& machine,
                                  Location location) const {
  const auto kernel = [&](const Kernel& rule) {
    if (rule.machine != &machine)
      throw Error(location, fmt::format("the boundary kernel is of another machine than `{}`",
                                        machine.name()));
    return om::UserBoundary{rule.id};
  };
  return std::visit(om::Overload{
                        [](om::Cyclic rule) -> om::Boundary { return rule; },
                        [](om::Outflow rule) -> om::Boundary { return rule; },
                        [](om::Reflect rule) -> om::Boundary { return rule; },
                        [&](Mirror) -> om::Boundary { return om::Reflect{sign}; },
                        [&](Number rule) -> om::Boundary {
                          return om::Fixed{detail::constant_of(element, rule.value, location)};
                        },
                        [&](const Kernel& rule) -> om::Boundary { return kernel(rule); },
                    },
                    rule_);
}

}  // namespace paraiso
