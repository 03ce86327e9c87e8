// ClassFrame: a module as one C++ class: its statics as accessors, its kernels as methods, its
// files; but for how arrays are kept and groups run, which each kind of machine does in its own
// way. Gives: ClassFrame. Needs: module, print_expression.
#pragma once

#include "paraiso/codegen/cpp/print_expression.hpp"
#include "paraiso/codegen/lower/module.hpp"

namespace paraiso::codegen {

class ClassFrame {
 public:
  explicit ClassFrame(const Module& module);
  virtual ~ClassFrame() = default;
  [[nodiscard]] std::string header() const;
  [[nodiscard]] std::string source() const;

 protected:
  /// What it is generated for, and what who compiles it must know: lines of comment.
  [[nodiscard]] virtual std::string made_for() const = 0;
  /// The support headers' includes.
  [[nodiscard]] virtual std::string includes() const = 0;
  /// What the class has before its state, and its members besides the fills of ghost cells.
  [[nodiscard]] virtual std::string general_methods() const = 0;
  [[nodiscard]] virtual std::string members() const = 0;
  /// What the source has before the kernels, and a kernel before its method.
  [[nodiscard]] virtual std::string definitions() const = 0;
  [[nodiscard]] virtual std::string before(const KernelMethod& kernel) const = 0;
  /// The number of threads that share work, as an expression.
  [[nodiscard]] virtual std::string thread_count() const { return "1"; }
  /// The address of a field's core cell 0.
  [[nodiscard]] virtual std::string address(const Variable& field) const = 0;
  /// The variable of a scalar static.
  [[nodiscard]] virtual std::string scalar(const Variable& variable) const {
    return variable.member;
  }
  /// How an array of the solver is given to a function.
  [[nodiscard]] virtual std::string array(const plan::ArrayRef& array) const = 0;

  // What a kernel does that depends on the machine, as statements.
  [[nodiscard]] virtual std::string begin_kernel(const KernelMethod&) const { return {}; }
  [[nodiscard]] virtual std::string end_kernel(const KernelMethod&) const { return {}; }
  [[nodiscard]] virtual std::string fill(const HaloFill& fill, bool chosen) const = 0;
  [[nodiscard]] virtual std::string print(const RunGroup& run) const = 0;
  [[nodiscard]] virtual std::string print(const ReduceArray& reduce) const = 0;
  [[nodiscard]] virtual std::string print(const ReducePartials& reduce) const;
  [[nodiscard]] virtual std::string print(const RunScalars& run) const;
  [[nodiscard]] virtual std::string print(const FillTogether& all) const;
  [[nodiscard]] virtual std::string print(const MarkGhosts& mark) const;
  /// The body of a method that fills a field's ghost cells.
  [[nodiscard]] virtual std::string fill_method(const FillMethod& method) const;

  /// `size, {1, 0}, {1, 0}, 16`: what a grid is made of.
  [[nodiscard]] std::string grid_arguments() const;
  [[nodiscard]] std::string grid_arguments(const char* cells, const plan::Extent& margin) const;
  [[nodiscard]] int array_count() const;
  /// The class's `make_grid`, as declared and as defined.
  [[nodiscard]] std::string declare_make_grid() const;
  [[nodiscard]] std::string define_make_grid() const;
  /// The method `bytes`: `bytes_of` is the support function for an array's bytes; `more` are
  /// statements that add other bytes to `sum`.
  [[nodiscard]] std::string bytes_method(const std::string& bytes_of,
                                         const std::string& more = {}) const;
  /// What is passed for an argument, but for threads and scratch.
  [[nodiscard]] std::string given(const Given& argument) const;
  /// `spare8_`: the spare arrays of so many bytes an element.
  [[nodiscard]] static std::string spare(std::size_t bytes);

  /// An action as statements.
  [[nodiscard]] std::string act(const Action& action) const;

  const Module& module_;
  const Surroundings around_;  // of the methods

 private:
  [[nodiscard]] std::string banner() const;
  [[nodiscard]] std::string fill_methods() const;
  [[nodiscard]] std::string method(const KernelMethod& kernel) const;
  [[nodiscard]] std::string each_static(const char* verb) const;
  [[nodiscard]] std::string accessors(const Variable& of) const;
  [[nodiscard]] std::string state_bytes() const;
  [[nodiscard]] std::string files_methods() const;
};

}  // namespace paraiso::codegen
