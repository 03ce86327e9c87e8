#include "paraiso/runtime/fields/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "paraiso/base/axis_name.hpp"
#include "paraiso/base/error.hpp"
#include "paraiso/base/text.hpp"

namespace paraiso::runtime {
namespace {

om::StaticId find_parameter(const om::Machine& machine, std::string_view name) {
  auto id = machine.find_static(name);
  if (id && machine.is_parameter(*id)) return *id;
  if (id)
    throw Error(fmt::format(
        "`{}` of machine `{}` is not a parameter: {}", name, machine.name,
        machine.at(*id).type.is_local() ? "it is a field, and a file may have its cells"
        : machine.find_role(om::StaticRole::time_limit) == id ? "a run that ends at a time sets it"
                                                              : "the kernels store it"));
  const auto candidates = parameter_names(machine);
  const auto near = nearest(name, candidates);
  Error error(fmt::format("machine `{}` has no parameter `{}`{}", machine.name, name,
                          near.empty() ? "" : fmt::format("; did you mean `{}`?", near)));
  throw near.empty() && !candidates.empty()
      ? error.with_hint(fmt::format("its parameters are `{}`", fmt::join(candidates, "`, `")))
      : error;
}

bool below(om::Constant a, om::Constant b) {
  return om::with_element(a.element(), [&](auto t) {
    using T = decltype(t);
    return a.as<T>() < b.as<T>();
  });
}

void check_bounds(const om::Static& parameter, om::Constant value) {
  if (std::isnan(value.to_double()))
    throw Error(fmt::format("parameter `{}` can't be NaN", parameter.name));
  if (parameter.minimum && below(value, *parameter.minimum))
    throw Error(fmt::format("parameter `{}` is {}, and must be at least {}", parameter.name,
                            value.text(), parameter.minimum->text()));
  if (parameter.maximum && below(*parameter.maximum, value))
    throw Error(fmt::format("parameter `{}` is {}, and must be at most {}", parameter.name,
                            value.text(), parameter.maximum->text()));
}

/// Of a text that is no value of `element`: whether it is a number, which is too large or small.
bool is_out_of_range(om::Element element, std::string_view text) {
  const char* characters = om::is_float(element) ? "0123456789.e+-" : "0123456789-";
  double any = 0;
  return text.find_first_not_of(characters) == text.npos &&
         std::from_chars(text.data(), text.data() + text.size(), any).ptr ==
             text.data() + text.size();
}

/// Why a text that looks like a number is no value of `element`; empty for any other.
std::string why_no_value(om::Element element, std::string_view text) {
  if (element == om::Element::boolean) return ": write `true` or `false`";
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.starts_with("0x") || digits.starts_with("0X")) return ": write it with decimal digits";
  std::string small(text);
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return std::tolower(c); });
  if (small == "infinity" || small == "-infinity") small.resize(small.size() - 5);
  if (small != text && small != "nan" && om::Constant::parse(element, small))
    return fmt::format(": write it as `{}`", small);
  if (text.starts_with('+') && om::Constant::parse(element, text.substr(1)))
    return ": write it without `+`";
  return !text.empty() && is_out_of_range(element, text)
             ? fmt::format(", which {} can't hold", om::name(element))
             : "";
}

ParameterValue parse_parameter(const om::Machine& machine, std::string_view assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0)
    throw Error(fmt::format("`{}` is not an assignment: write name=value", assignment));
  const std::string_view name = assignment.substr(0, equals), text = assignment.substr(equals + 1);
  const om::Static& parameter = machine.at(find_parameter(machine, name));
  const auto value = om::Constant::parse(parameter.type.element, text);
  if (!value)
    throw Error(fmt::format("parameter `{}` needs a value of {}, got {}{}", name,
                            om::name(parameter.type.element), shown(text),
                            why_no_value(parameter.type.element, text)));
  check_bounds(parameter, *value);
  return {parameter.name, *value};
}

void check_extent(int axis, AxisRange range) {
  const auto [lower, upper] = range;
  if (!(lower < upper))
    throw Error(fmt::format("the domain is empty along {}: it reaches from {} to {}",
                            axis_name(axis), lower, upper));
  if (!std::isfinite(upper - lower))
    throw Error(fmt::format("the domain is infinite along {}: it reaches from {} to {}",
                            axis_name(axis), lower, upper));
}

}  // namespace

Parameters parse_parameters(const om::Machine& machine, std::span<const std::string> assignments) {
  std::map<std::string, ParameterValue> last;
  for (const std::string& assignment : assignments) {
    ParameterValue parsed = parse_parameter(machine, assignment);
    last.insert_or_assign(parsed.name, std::move(parsed));
  }
  Parameters parameters;
  for (auto& [name, parameter] : last) parameters.push_back(std::move(parameter));
  return parameters;
}

void set_parameters(Instance& instance, const Parameters& parameters) {
  for (const ParameterValue& parameter : parameters)
    instance.set_scalar(find_parameter(instance.machine(), parameter.name), parameter.value);
}

std::string parameters_text(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value.text());
  return text;
}

std::vector<std::string> parameter_names(const om::Machine& machine) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < machine.statics.size(); ++i)
    if (machine.is_parameter(om::StaticId(i))) names.push_back(machine.statics[i].name);
  return names;
}

AxisRange extent(const Instance& instance, int axis) {
  const auto& machine = instance.machine();
  auto bound = [&](om::StaticRole role, double otherwise) {
    auto id = machine.find_role(role, axis);
    return id ? instance.scalar(*id).to_double() : otherwise;
  };
  return {bound(om::StaticRole::domain_lower, 0),
          bound(om::StaticRole::domain_upper,
                static_cast<double>(instance.size()[static_cast<std::size_t>(axis)]))};
}

void check_extents(const Instance& instance) {
  for (int axis = 0; axis < instance.machine().dimension; ++axis)
    check_extent(axis, extent(instance, axis));
}

void check_extents(const om::Machine& machine, const Parameters& parameters) {
  const auto value = [&](om::StaticId id) {
    const om::Static& bound = machine.at(id);
    const auto set = std::ranges::find(parameters, bound.name, &ParameterValue::name);
    return (set == parameters.end() ? bound.initial : set->value).to_double();
  };
  // Without bounds, a domain reaches from 0 to the number of cells.
  for (int axis = 0; axis < machine.dimension; ++axis) {
    const auto lower = machine.find_role(om::StaticRole::domain_lower, axis);
    const auto upper = machine.find_role(om::StaticRole::domain_upper, axis);
    if (lower && upper) check_extent(axis, {value(*lower), value(*upper)});
  }
}

}  // namespace paraiso::runtime
