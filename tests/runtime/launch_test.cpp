// Which launcher started a process, by the variables that launchers set.
#include <gtest/gtest.h>

#include <map>

#include "paraiso/runtime/transport/launch.hpp"
#include "support.hpp"

namespace paraiso::runtime {
namespace {

std::optional<Launch> launch(std::map<std::string, std::string> variables) {
  return launch_of([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  });
}

TEST(Launch, OnesOwnProcessHasNone) {
  EXPECT_FALSE(launch({}));
  EXPECT_FALSE(launch({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}}));
  EXPECT_FALSE(launch({{"PMI_RANK", "0"}, {"PMI_SIZE", "many"}}));
  // In a job's script, which no `srun` started.
  EXPECT_FALSE(launch({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}}));
}

TEST(Launch, IsToldByItsVariables) {
  const auto open = launch({{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "8"}});
  ASSERT_TRUE(open);
  EXPECT_EQ(open->kind->title, std::string("Open MPI"));
  EXPECT_EQ(open->rank, 3);
  EXPECT_EQ(open->ranks, 8);
  const auto mpich = launch({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}});
  ASSERT_TRUE(mpich);
  EXPECT_EQ(mpich->kind->title, std::string("MPICH"));
  EXPECT_EQ(mpich->launcher, "MPICH's mpirun");
  const auto slurm = launch({{"PMIX_RANK", "1"}, {"SLURM_STEP_NUM_TASKS", "4"}});
  ASSERT_TRUE(slurm);
  EXPECT_EQ(slurm->launcher, "srun");
  EXPECT_EQ(slurm->kind->title, std::string("Open MPI"));
}

TEST(Launch, MayConnectByNoMpi) {
  const auto tasks = launch({{"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "4"}});
  ASSERT_TRUE(tasks);
  EXPECT_EQ(tasks->kind, nullptr);
  EXPECT_EQ(tasks->ranks, 4);
}

TEST(Launch, TheUserChoosesAmongMpis) {
  std::map<std::string, std::string> variables = {
      {"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"PARAISO_MPI", "openmpi"}};
  EXPECT_EQ(launch(variables)->kind->name, std::string("openmpi"));
  variables["PARAISO_MPI"] = "lam";
  EXPECT_EQ(test::error_text([&] { (void)launch(variables); }),
            "error: PARAISO_MPI is `lam`: there is openmpi, mpich");
}

}  // namespace
}  // namespace paraiso::runtime
