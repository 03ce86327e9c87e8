// What the methods of a generated class call, as text.
#include "paraiso/codegen/cpu/print/class_writer.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "paraiso/codegen/cpu/lower/lower_group.hpp"
#include "paraiso/codegen/lower/make_module.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "tests/differential/programs.hpp"

namespace paraiso::codegen {
namespace {

std::string source(const om::Machine& machine) {
  const auto program = passes::prepare(machine, passes::Numbers::fma);
  return print_source(make_module(plan::plan_program(program, {}), "", lower_group));
}

/// Of the methods that are kernels or fill halos, what they are called and the calls to fill.
std::string fills(const om::Machine& machine) {
  std::istringstream text(source(machine));
  std::string found;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("void ends::make_arrays")) continue;
    if (line.starts_with("void ends::") || line.starts_with("  fill_")) found += line + "\n";
  }
  return found.substr(0, found.find("void ends::save"));
}

/// A kernel that reads no cell beyond the ends of rows does not have them filled.
TEST(ClassWriter, FillsTheEndsOfRowsForKernelsThatReadThem) {
  om::Machine machine = test::read_program("ends_2d.om");
  EXPECT_EQ(fills(machine),
            "void ends::fill_u(bool row_ends) {\n"
            "void ends::rows() {\n"
            "void ends::columns() {\n  fill_u(false);\n"
            "void ends::corners() {\n  fill_u(true);\n");
  machine.kernels.pop_back();
  EXPECT_EQ(fills(machine),
            "void ends::fill_u() {\n"
            "void ends::rows() {\n"
            "void ends::columns() {\n  fill_u();\n");
}

/// Two fields that only exchange their arrays.
TEST(ClassWriter, HasNoNamespaceOfNothing) {
  const auto text =
      source(om::parse("paraiso 1\nmachine exchange dimension 1\n"
                       "static f local f64\n  boundary 0 cyclic cyclic\n"
                       "static g local f64\n  boundary 0 cyclic cyclic\n"
                       "kernel proceed step\n%0 = load f\n%1 = load g\nstore f %1\nstore g %0\n"
                       "end\nend machine\n"));
  EXPECT_NE(text.find("std::swap(f_, g_);"), std::string::npos);
  EXPECT_EQ(text.find("namespace {"), std::string::npos);
}

}  // namespace
}  // namespace paraiso::codegen
