// divided_grid: how the grid of a prepared program is divided among ranks, and what that costs.
// Gives: division_of, divide_grid, say_crowded, wants_of, steps_at_once, takes_single_steps,
// why_exchanged_singly, computed_boxes, shell_work. Needs: prepared.
#pragma once

#include "cli/prepared/prepared.hpp"

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

/// What each kernel reads of other parts.
[[nodiscard]] std::vector<std::vector<om::Want>> wants_of(const plan::Plan& plan);

/// Steps for which one exchange is to be enough, where ranks can't take them in one kernel.
[[nodiscard]] int steps_at_once(const Prepared& prepared);
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

}  // namespace paraiso::cli
