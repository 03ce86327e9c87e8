// start_instance: memory for a prepared program, of this process or of several ranks.
// Gives: division_of, divide_grid, say_crowded, takes_single_steps, why_exchanged_singly,
// computed_boxes, shell_work, process_bytes, start_instance. Needs: execution.
#pragma once

#include "cli/execution.hpp"
#include "paraiso/runtime/build/compile.hpp"

namespace paraiso::cli {

/// How the options or a launcher divide a grid of that size; none: they don't. Throws WrongCall if
/// it can't be divided so.
[[nodiscard]] std::optional<om::Orthotree> division_of(const om::Cell& size, const Session& session,
                                                       const Execution& execution);

/// Divides the grid of `prepared`, whose names are read, and its threads among ranks, if the
/// options or a launcher want some. Throws WrongCall where they can't be had, or can't have cuts
/// that move.
void divide_grid(Prepared& prepared, const Session& session, const Execution& execution);
/// Says so where ranks were ordered more threads than they have processors.
void say_crowded(const Prepared& prepared, const Session& session);

/// Whether ranks would take the fused steps one by one, since sides lie between them.
[[nodiscard]] bool takes_single_steps(const Prepared& prepared);
/// Why ranks can't take them with one exchange for all; empty if they can.
[[nodiscard]] std::string why_exchanged_singly(const Prepared& prepared);

/// The cells that each rank computes: its own, or more where one exchange is for several steps.
[[nodiscard]] std::vector<om::Box> computed_boxes(const Prepared& prepared);

/// Cells that parts compute beyond their own in steps, as a share of these. 0 where nothing steps.
[[nodiscard]] double shell_work(const om::Machine& program, const passes::Fusion& fusion,
                                const om::Orthotree& tree, const om::Cell& size);
/// Of ranks; 0 for one.
[[nodiscard]] double shell_work(const Prepared& prepared);

/// Of each rank all that its process takes: its part, what more the run takes for that, messages,
/// what it packs and rank 0 receives to write files, and as much as this process has already, which
/// is the program itself.
[[nodiscard]] std::vector<double> process_bytes(const Prepared& prepared,
                                                const MoreBytes& more_bytes);

/// With `balance`, moves of cuts are told on standard error. One of several processes that does not
/// drive the others works for the one that does, and then there is none.
[[nodiscard]] std::unique_ptr<runtime::Instance> start_instance(const Prepared& prepared,
                                                                bool balance,
                                                                const runtime::Library& library,
                                                                runtime::World* world);

}  // namespace paraiso::cli
