// Ranks that write their cells of a field into one file.
#include "paraiso/runtime/fields/shared_file.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "machines.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/backend/backend.hpp"
#include "paraiso/runtime/ranks/divided_instance.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "support.hpp"
#include "tests/support/compiled.hpp"
#include "tests/support/cpu_plans.hpp"

namespace paraiso::runtime {
namespace {

using test::Folder;

TEST(SharedFile, HasTheCellsOfAllRanksInOrder) {
  const om::Machine program = passes::prepare(test::drift<double>(), passes::Numbers::fma);
  const Library library = compile(plan::plan_program(program, plan::default_schedule(program)),
                                  {.optimization = "-O1"});
  const om::Cell size = {9, 14};
  const Folder folder;
  for (const int ranks : {1, 3, 5, 126}) {
    const auto instance = divided_instance(library, size, om::even_division(size, ranks), 1);
    instance->run("bump");
    for (const char* name : {"u", "count", "warm"}) {
      const om::StaticId id = find_field(program, name);
      std::string cells(9 * 14 * om::size_of(program.at(id).type.element), '\0');
      instance->read(id, {{0, 0}, size}, cells.data());
      write_file(folder / "cells", "header");
      EXPECT_EQ(instance->write_to_file(id, folder / "cells", 6)->error, 0);
      EXPECT_TRUE(read_file(folder / "cells") == "header" + cells) << ranks << " " << name;
      EXPECT_EQ(instance->write_to_file(id, "/dev/full", 0)->error, ENOSPC);
      EXPECT_FALSE(instance->write_to_file(id, folder / "none", 0));
    }
  }
}

TEST(SharedFile, IsNotAnotherOfThatName) {
  const Folder folder;
  write_file(folder / "cells", "first");
  const auto file = SharedFile::of(folder / "cells");
  ASSERT_TRUE(file);
  float one = 1;
  const FieldView field{om::Element::f32, &one, {1}, {1}};
  EXPECT_EQ(SharedFile::parse(file->text()).write_cells(field, {{0}, {1}}, {1}, 0), 0);
  write_file(folder / "cells", "other");  // takes the name while there is the first
  EXPECT_EQ(file->write_cells(field, {{0}, {1}}, {1}, 0), SharedFile::kUnseen);
  EXPECT_EQ(read_file(folder / "cells"), "other");
}

}  // namespace
}  // namespace paraiso::runtime
