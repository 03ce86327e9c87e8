// predict_schedule: a schedule for a program that was never tuned, out of what was learnt by tuning
// others, and without a run. Gives: Untuned, CloseInstance, Candidate, Predicted, predict_schedule,
// no_prediction. Needs: known_instances, likeness, vote.
//
// The five closest instances vote, each with the weight of its likeness: for its champion's recipe
// with what that gained there, or for the default schedule where that was not beaten. What FAST
// (2015) does with runs is in tune/fast.
#pragma once

#include "paraiso/tune/predict/near/known_instances.hpp"
#include "paraiso/tune/predict/vote.hpp"

namespace paraiso::tune {

/// What is predicted for. What it refers to outlives it.
struct Untuned {
  const runtime::Backend& backend;
  const om::Machine& program;     // after all passes
  const om::Kernel& kernel;       // that takes the steps
  std::vector<plan::Gene> genes;  // the kernel's, on ranks with how messages are awaited
  plan::Schedule schedule;        // the default one, of the whole program
  Features features;              // on ranks those of the largest part
  plan::Setting setting;          // the grid, or that part, and the machine
  bool on_ranks = false;
};

struct CloseInstance {
  KnownInstance instance;
  double likeness = 0;
};

/// A schedule that some neighbours vote for.
struct Candidate {
  plan::Schedule schedule;  // of the whole program
  double gain = 1;          // expected over the default: a mean, neighbours that vote for other
                            // schedules count as 1
  double confidence = 0;    // the likeness of the closest of its voters
  double model_ratio = 1;   // its time over the default's, by the cost model
  std::size_t nearest = 0;  // the closest of its voters, in Predicted::near
};

struct Predicted {
  std::vector<CloseInstance> near;    // kNeighbours at most, the closest first
  std::vector<Candidate> candidates;  // other than the default, the one with the highest gain first
  // Whether the first of them is expected to be faster than the default; and why it is not.
  bool sure = false;
  std::string why_not;
  bool nothing_known = false;  // there is no tuned program at all
};

[[nodiscard]] Predicted predict_schedule(const Untuned& untuned, const KnownInstances& all);

/// Of a program about which nothing need be known, where no instance can be compared.
[[nodiscard]] Predicted no_prediction(const KnownInstances& known);

}  // namespace paraiso::tune
