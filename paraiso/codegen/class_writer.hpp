// ClassWriter: one C++ class a machine, its statics as accessors and its kernels as methods.
// Gives: ClassWriter. Needs: lower, print_cpp, scalars.
#pragma once

#include <functional>

#include "paraiso/codegen/lower.hpp"
#include "paraiso/codegen/names.hpp"
#include "paraiso/codegen/print_expression.hpp"
#include "paraiso/codegen/scalars.hpp"

namespace paraiso::codegen {

class ClassWriter {
 public:
  /// `wanted` names the class; empty: the machine's name.
  ClassWriter(const plan::Plan& plan, const std::string& wanted);

  [[nodiscard]] const std::string& class_name() const { return class_name_; }
  [[nodiscard]] const std::string& static_name(om::StaticId id) const { return statics_[id.index]; }
  [[nodiscard]] const std::string& kernel_name(std::size_t kernel) const {
    return kernels_[kernel];
  }

  [[nodiscard]] std::string header() const;
  [[nodiscard]] std::string source() const;
  [[nodiscard]] std::string plugin() const;  // the entry points of plugin.hpp

 private:
  /// Of all that methods call.
  void name_functions();
  void name_members();
  [[nodiscard]] bool is_local(std::size_t s) const;
  /// Whether the cells beyond the ends of rows are filled, where the kernels' loops may make them:
  /// always, never, or as the kernel says.
  enum class RowEnds { filled, never, chosen };
  [[nodiscard]] static bool reads_row_ends(const plan::KernelPlan& kernel, std::size_t s);
  [[nodiscard]] RowEnds row_ends(std::size_t s) const;
  /// Around a static's core, before kernels run.
  [[nodiscard]] plan::Extent filled_halo(std::size_t s) const;
  [[nodiscard]] bool is_filled(std::size_t s) const { return !filled_halo(s).is_core(); }
  [[nodiscard]] std::string type_of(std::size_t s) const;
  [[nodiscard]] const std::string& member(std::size_t s) const { return members_[s]; }
  [[nodiscard]] static std::string spare(std::size_t bytes);
  /// How an argument of a boundary kernel's or a group's function is spelt.
  using Spelling = std::function<std::string(const Argument&)>;
  [[nodiscard]] std::string argument(const Argument& argument) const;
  /// For the variables of a kernel's method: they hide nothing that the method calls.
  [[nodiscard]] Names names_of_variables() const;
  [[nodiscard]] int array_count() const;

  [[nodiscard]] std::string banner() const;
  [[nodiscard]] std::string accessors() const;
  [[nodiscard]] std::string members() const;
  [[nodiscard]] std::string grid_arguments() const;
  [[nodiscard]] std::string constructor() const;
  [[nodiscard]] std::string allocations() const;
  [[nodiscard]] std::string bytes_method() const;
  [[nodiscard]] std::string boundary_functions() const;
  [[nodiscard]] std::string fill_methods() const;
  [[nodiscard]] std::string side_value(const om::Static& s, const om::Boundary& boundary,
                                       const Spelling& spell) const;
  [[nodiscard]] std::string fill_axes(std::size_t s, const std::string& array,
                                      const plan::Extent& width, const Spelling& spell,
                                      bool choice = false) const;
  [[nodiscard]] std::string fill_between_steps(const plan::Fill& fill,
                                               const ScalarNames& scalars) const;
  [[nodiscard]] std::vector<plan::Extent> filled_widths(std::size_t s) const;
  [[nodiscard]] std::string files_methods() const;
  [[nodiscard]] std::string kernel(std::size_t k) const;

  const plan::Plan& plan_;
  const om::Machine& machine_;
  std::string class_name_;
  std::vector<std::string> statics_, kernels_, boundaries_;
  std::vector<std::string> members_, fills_;     // of each static
  std::vector<std::vector<GroupNames>> groups_;  // of each kernel
  std::vector<Lowered> boundary_functions_;
  Surroundings in_method_;
};

}  // namespace paraiso::codegen
