// Apps that are not whole, or do not make what they are asked for.
#include "paraiso/runtime/app.hpp"

#include <gtest/gtest.h>

#include "paraiso/base/error.hpp"

namespace paraiso {
namespace {

/// Of the error that it throws, if it throws one.
template <class F>
std::string said(F&& call) {
  try {
    call();
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

om::Machine plane_of_doubles() {
  om::Machine machine;
  machine.dimension = 2;
  om::Static field;
  field.name = "u";
  field.type = {om::Realm::local, om::Element::f64};
  machine.statics.push_back(field);
  return machine;
}

App whole() {
  App app;
  app.name = "ink";
  app.dimensions = {2, 3}, app.precisions = {om::Element::f64, om::Element::f32};
  app.problems = {{"spot", "a spot"}};
  app.build = [](const AppOptions&) { return plane_of_doubles(); };
  return app;
}

template <class Change>
std::string refused(Change change) {
  App app = whole();
  change(app);
  return said([&] { require_whole(app); });
}

TEST(App, SaysWhatItLacks) {
  EXPECT_EQ(refused([](App&) {}), "");
  EXPECT_EQ(refused([](App& app) { app.dimensions.clear(); }),
            "error: app `ink` has no dimension: set its `dimensions`");
  EXPECT_EQ(refused([](App& app) { app.precisions.clear(); }),
            "error: app `ink` has no precision: set its `precisions`");
  EXPECT_EQ(refused([](App& app) { app.problems.clear(); }),
            "error: app `ink` has no problem: set its `problems`");
  EXPECT_EQ(refused([](App& app) {
              app.options = {{"nib", "its width", {}}};
            }),
            "error: option `nib` of app `ink` has no values: the first is the default");
  EXPECT_EQ(refused([](App& app) { app.build = nullptr; }),
            "error: app `ink` has no function that makes its machine: set its `build`");
}

TEST(App, MakesWhatItIsAskedFor) {
  const auto asked = [](int dimension, om::Element precision) {
    return said([&] {
      require_as_asked(whole(), {dimension, precision, "spot"}, plane_of_doubles());
    });
  };
  EXPECT_EQ(asked(2, om::Element::f64), "");
  EXPECT_EQ(asked(3, om::Element::f64),
            "error: app `ink` makes a machine of dimension 2 where 3 is asked for\n"
            "hint: its `build` must obey `options.dimension`, or `dimensions` not list it");
  EXPECT_EQ(asked(2, om::Element::f32),
            "error: app `ink` makes a machine of f64 where f32 is asked for\n"
            "hint: its `build` must obey `options.precision`, or `precisions` not list it");
  om::Machine cells = plane_of_doubles();
  cells.statics[0].type.element = om::Element::i32;
  EXPECT_EQ(said([&] { require_as_asked(whole(), {2, om::Element::f32, "spot"}, cells); }), "");
}

}  // namespace
}  // namespace paraiso
