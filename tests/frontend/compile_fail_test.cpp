// What must not compile: each mistake against the same line done right, with every compiler that is
// here.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace {

struct Mistake {
  const char* name;
  const char* right;
  const char* wrong;
  const char* message;  // what both compilers' output contains
};

// Inside a kernel on a two-dimensional grid. f, g: double; h: float; n: int; p, q: Gas<Local>,
// where Gas has a density and a velocity; v: Vec of Locals; dt: a Global; f3, v3: on a
// three-dimensional grid.
constexpr Mistake kMistakes[] = {
    {"dimensions", "f + g;", "f + f3;", "operator+"},
    {"elements", "f + cast<double>(h);", "f + h;", "operator+"},
    {"integer_with_float", "f + cast<double>(n);", "f + n;", "operator+"},
    {"fraction_with_integers", "n + 1;", "n + 0.5;", "operator+"},
    {"number_with_bools", "f > g && true;", "f > g && 1;", "operator&&"},
    {"logic_of_numbers", "f > 0 && g > 0;", "f && g;", "operator&&"},
    {"remainder_of_floats", "mod(f, g);", "f % g;", "operator%"},
    {"arithmetic_of_bools", "(f > g) ^ (f < g);", "(f > g) + (f < g);", "operator+"},
    {"function_of_elements", "min(f, g);", "min(f, h);", "min"},
    {"function_of_dimensions", "min(f, g);", "min(f, f3);", "min"},
    {"truth", "select(f > g, f, g);", "if (f > g) {}", "bool"},
    {"conditional", "select(f > g, f, g);", "f > g ? f : g;", "bool"},
    {"local_to_global", "Global<double, 2> s = reduce_sum(f);", "Global<double, 2> s = f;",
     "conversion"},
    {"store_local_in_scalar", "store(energy, reduce_sum(f));", "store(energy, f);", "store"},
    {"store_other_element", "store(field, f);", "store(field, h);", "store"},
    {"store_other_dimension", "store(field, f);", "store(field, f3);", "store"},
    {"store_parameter", "store(energy, 1.0);", "store(gamma, 1.0);",
     "a kernel cannot store a parameter: use a Scalar for what a kernel computes"},
    {"static_in_equation", "load(field) + 1;", "field + 1;", "Field<double, 2>"},
    {"copied_static", "const auto& other = field;", "auto other = field;", "deleted"},
    {"moved_static", "auto& other = field;", "auto other = std::move(field);", "deleted"},
    {"vec_dimensions", "v + v;", "v + v3;", "operator+"},
    {"vec_ranks", "tensor + tensor;", "tensor + v;", "operator+"},
    {"vec_elements", "v + v;", "v + make_vec<2>([&](Axis<2>) { return h; });", "operator+"},
    {"vec_times_vec", "dot(v, v);", "v * v;", "operator*"},
    {"component_of_other_dimension", "v[x];", "v[Axis<3>(0)];", "operator[]"},
    {"shift_along_other_dimension", "at(f, +x);", "at(f, +Axis<3>(0));", "at"},
    {"shift_of_global", "at(f, +x);", "at(dt, +x);", "at"},
    {"index_for_axis", "at(f, 2 * x);", "at(f, 2);", "at"},
    {"reduce_global", "reduce_sum(f);", "reduce_sum(dt);", "reduce"},
    {"any_of_numbers", "reduce_any(f > 0);", "reduce_any(f);", "reduce_any"},
    {"zip_other_record", "zip(plus, p, q);", "zip(plus, p, v);",
     "records and Vecs that are zipped must be of one kind and one dimension"},
    {"zip_other_dimension", "zip(plus, p, q);", "zip(plus, p, Gas<Local<double, 2>, 3>{f, v3});",
     "records and Vecs that are zipped must be of one kind and one dimension"},
    {"for_each_other_record", "for_each(plus, p, q);", "for_each(plus, p, v);",
     "records and Vecs that are traversed together must be of one kind and one dimension"},
    {"record_of_thirteen", "for_each(minus, made<Twelve<Local<double, 2>>&>());",
     "for_each(minus, made<Thirteen<Local<double, 2>>&>());", "a record has 1 to 12 components"},
    {"select_of_elements", "select(f > g, f, g);", "select(f > g, f, h);", "select"},
    {"select_by_number", "select(f > g, f, g);", "select(f, f, g);", "select"},
    {"cast_to_no_element", "cast<float>(f);", "cast<char>(f);",
     "an element is bool, i32, i64, f32 or f64"},
    {"axis_of_none", "Axis<1>(0);", "Axis<0>(0);", "an Axis is one of 1 to 32"},
    {"grid_of_17_dimensions", "Builder<1>(\"m\");", "Builder<17>(\"m\");",
     "a grid has 1 to 16 dimensions"},
    {"vec_of_33", "for_each(minus, made<Vec<Local<double, 2>, 32>&>());",
     "for_each(minus, made<Vec<Local<double, 2>, 33>&>());", "a Vec has 1 to 32 components"},
    {"boundary_gives_global", "om.boundary(\"b\", [&] { return f; });",
     "om.boundary(\"b\", [&] { return dt; });", "a boundary kernel gives a Local value"},
    {"boundary_of_other_grid", "om.boundary(\"b\", [&] { return f; });",
     "om.boundary(\"b\", [&] { return f3; });",
     "a boundary kernel gives a value on the grid of its machine"},
    {"sides_of_other_dimension", "Boundaries<2>(cyclic(), outflow());",
     "Boundaries<2>(cyclic(), outflow(), outflow());", "Boundaries"},
};

constexpr const char* kPrologue = R"(
#include "paraiso/frontend/frontend.hpp"
namespace user {
using namespace paraiso;
template <class T, int D>
struct Gas {
  T density;
  Vec<T, D> velocity;
  static constexpr std::array components{"density", "velocity"};
};
template <class T>
struct Twelve {
  T a, b, c, d, e, f, g, h, i, j, k, l;
  static constexpr std::array<const char*, 12> components{"a", "b", "c", "d", "e", "f",
                                                          "g", "h", "i", "j", "k", "l"};
};
template <class T>
struct Thirteen {
  T a, b, c, d, e, f, g, h, i, j, k, l, m;
  static constexpr std::array<const char*, 13> components{"a", "b", "c", "d", "e", "f", "g",
                                                          "h", "i", "j", "k", "l", "m"};
};
template <class Any> Any made();
const auto plus = [](const auto& a, const auto& b) { return a + b; };
const auto minus = [](const auto& a) { return -a; };
[[maybe_unused]] const Axis<2> x(0);
Builder<2>& om = made<Builder<2>&>();
Field<double, 2>& field = made<Field<double, 2>&>();
Scalar<double, 2>& energy = made<Scalar<double, 2>&>();
Parameter<double, 2>& gamma = made<Parameter<double, 2>&>();
auto f = made<Local<double, 2>>(), g = made<Local<double, 2>>();
auto h = made<Local<float, 2>>();
auto n = made<Local<std::int32_t, 2>>();
auto dt = made<Global<double, 2>>();
auto v = made<Vec<Local<double, 2>, 2>>();
auto tensor = made<Vec<Vec<Local<double, 2>, 2>, 2>>();
auto p = made<Gas<Local<double, 2>, 2>>(), q = made<Gas<Local<double, 2>, 2>>();
auto f3 = made<Local<double, 3>>();
auto v3 = made<Vec<Local<double, 2>, 3>>();
}  // namespace user
)";

namespace fs = std::filesystem;

struct Outcome {
  bool succeeded;
  std::string output;
};

Outcome execute(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> piece;
  while (const std::size_t length = fread(piece.data(), 1, piece.size(), pipe))
    outcome.output.append(piece.data(), length);
  outcome.succeeded = pclose(pipe) == 0;
  return outcome;
}

/// One compiler with the prologue precompiled, in a folder of its own.
class Compiler {
 public:
  explicit Compiler(const std::string& name)
      : clang_(name == "clang++"),
        folder_(fs::path(testing::TempDir()) /
                ("paraiso_compile_fail_" + name + std::to_string(getpid()))),
        command_(name + " -std=c++20 -w -I" PARAISO_SOURCE_DIR " ") {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "prologue.hpp") << kPrologue;
    const auto done = execute(command_ + "-x c++-header " + path("prologue.hpp") + " -o " +
                              path(clang_ ? "prologue.pch" : "prologue.hpp.gch"));
    EXPECT_TRUE(done.succeeded) << done.output;
  }
  ~Compiler() { fs::remove_all(folder_); }
  Compiler(const Compiler&) = delete;
  Compiler& operator=(const Compiler&) = delete;

  [[nodiscard]] Outcome check(const std::string& body) const {
    std::ofstream(folder_ / "snippet.cpp") << "namespace user {\n" << body << "}\n";
    const std::string prologue =
        clang_ ? "-include-pch " + path("prologue.pch") : "-include " + path("prologue.hpp");
    return execute(command_ + "-fsyntax-only " + prologue + " " + path("snippet.cpp"));
  }

 private:
  [[nodiscard]] std::string path(const char* file) const { return (folder_ / file).string(); }

  bool clang_;
  fs::path folder_;
  std::string command_;
};

std::string function(const char* name, const char* body) {
  return std::string("void ") + name + "() { " + body + " }\n";
}

class CompileFail : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!execute(GetParam() + std::string(" --version")).succeeded)
      GTEST_SKIP() << GetParam() << " is not installed";
  }
};

TEST_P(CompileFail, what_is_right_compiles) {
  std::string bodies;
  for (const Mistake& mistake : kMistakes) bodies += function(mistake.name, mistake.right);
  const auto outcome = Compiler(GetParam()).check(bodies);
  EXPECT_TRUE(outcome.succeeded) << outcome.output;
}

TEST_P(CompileFail, what_is_wrong_does_not) {
  const Compiler compiler(GetParam());
  for (const Mistake& mistake : kMistakes) {
    const auto outcome = compiler.check(function(mistake.name, mistake.wrong));
    EXPECT_FALSE(outcome.succeeded) << mistake.wrong;
    EXPECT_NE(outcome.output.find(mistake.message), std::string::npos) << mistake.wrong << "\n"
                                                                       << outcome.output;
  }
}

INSTANTIATE_TEST_SUITE_P(Compilers, CompileFail, testing::Values("g++", "clang++"),
                         [](const auto& info) {
                           return info.param == std::string("g++") ? "gcc" : "clang";
                         });

}  // namespace
