#include "paraiso/runtime/fields/instance.hpp"

#include <fmt/format.h>

#include <cstring>

#include "paraiso/base/error.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/runtime/fields/state.hpp"

namespace paraiso::runtime {

using paraiso_mpi::ToOrFro;

namespace {

std::vector<std::string> names(const om::Machine& machine, om::Realm realm) {
  std::vector<std::string> found;
  for (const auto& s : machine.statics)
    if (s.type.realm == realm) found.push_back(s.name);
  return found;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  auto near = nearest(word, candidates);
  return near.empty() ? "" : fmt::format("; did you mean `{}`?", near);
}

/// The static of that name and realm; Error with the nearest one.
om::StaticId find(const om::Machine& machine, std::string_view name, om::Realm realm) {
  auto id = machine.find_static(name);
  if (id && machine.at(*id).type.realm == realm) return *id;
  const char* kind = realm == om::Realm::local ? "field" : "scalar";
  if (id)
    throw Error(fmt::format("`{}` of machine `{}` is a {}, not a {}", name, machine.name,
                            realm == om::Realm::local ? "scalar" : "field", kind));
  throw Error(fmt::format("machine `{}` has no {} `{}`{}", machine.name, kind, name,
                          did_you_mean(name, names(machine, realm))));
}

}  // namespace

om::Constant FieldView::get(std::span<const std::int64_t> cell) const {
  return om::with_element(element, [&](auto t) { return om::Constant(at<decltype(t)>(cell)); });
}

void FieldView::set(std::span<const std::int64_t> cell, om::Constant value) const {
  if (value.element() != element)
    throw Error(fmt::format("a field of {} can't hold a value of {}", om::name(element),
                            om::name(value.element())));
  om::with_element(element, [&](auto t) { at<decltype(t)>(cell) = value.as<decltype(t)>(); });
}

paraiso_mpi::RowsOfBox rows_of(const FieldView& field, const om::Box& box, char* cells) {
  const auto bytes = static_cast<std::int64_t>(om::size_of(field.element));
  paraiso_mpi::RowsOfBox rows{};
  rows.message = cells;
  rows.axes = static_cast<int>(box.lower.size());
  rows.row_bytes = box.row_length() * static_cast<std::size_t>(bytes);
  std::int64_t offset = box.lower[0];
  for (std::size_t a = 1; a < box.lower.size(); ++a) {
    rows.extents[a] = box.upper[a] - box.lower[a];
    rows.strides[a] = field.strides[a] * bytes;
    offset += box.lower[a] * field.strides[a];
  }
  rows.cells = static_cast<char*>(field.data) + offset * bytes;
  return rows;
}

void copy_box(const FieldView& field, const om::Box& box, char* cells, ToOrFro way) {
  copy_rows(rows_of(field, box, cells), way);
}

void Instance::clear(om::StaticId id) {
  change_rows(*this, id, [](char* row, std::size_t bytes) { std::memset(row, 0, bytes); });
}

std::optional<FoundCell> Instance::first_nan(om::StaticId id) {
  const auto cell = nan_cell(look(id));
  free_copy(id);
  return cell ? std::optional(FoundCell{*cell, std::nullopt}) : std::nullopt;
}

void Instance::keep() {
  try {
    save(*this, kept_);
  } catch (...) {
    kept_ = {};
    throw;
  }
}

void Instance::go_back() { restore(*this, kept_); }

void Instance::read(om::StaticId id, const om::Box& box, void* cells) {
  copy_box(look(id), box, static_cast<char*>(cells), ToOrFro::to_message);
}

void Instance::write(om::StaticId id, const om::Box& box, const void* cells) {
  copy_box(field(id), box, const_cast<char*>(static_cast<const char*>(cells)),
           ToOrFro::from_message);
}

FieldView Instance::field(std::string_view name) {
  return field(find(machine(), name, om::Realm::local));
}

double Instance::scalar(std::string_view name) const {
  return scalar(find(machine(), name, om::Realm::global)).to_double();
}

void Instance::set_scalar(std::string_view name, double value) {
  auto id = find(machine(), name, om::Realm::global);
  set_scalar(id, om::Constant::from_double(machine().at(id).type.element, value));
}

om::StaticId find_field(const om::Machine& machine, std::string_view name) {
  return find(machine, name, om::Realm::local);
}

void check_scalar(const om::Machine& machine, om::StaticId id, om::Constant value) {
  const auto& s = machine.at(id);
  if (value.element() != s.type.element)
    throw Error(fmt::format("scalar `{}` is {}, and can't hold a value of {}", s.name,
                            om::name(s.type.element), om::name(value.element())));
}

const om::Kernel& find_kernel(const om::Machine& machine, std::string_view name) {
  if (const auto* kernel = machine.find_kernel(name)) return *kernel;
  std::vector<std::string> candidates;
  for (const auto& kernel : machine.kernels) candidates.push_back(kernel.name);
  throw Error(fmt::format("machine `{}` has no kernel `{}`{}", machine.name, name,
                          did_you_mean(name, candidates)));
}

}  // namespace paraiso::runtime
