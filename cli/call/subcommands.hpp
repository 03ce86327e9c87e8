// The subcommands: each declares its options on `parent` and, when chosen, sets session.chosen.
// To add one: its file, its line here, and its row in command_line.cpp.
// Gives: declare_NAME. Needs: Session.
#pragma once

#include "cli/call/session.hpp"

namespace paraiso::cli {

void declare_apps(CLI::App& command, Session& session);
void declare_show(CLI::App& command, Session& session);
void declare_emit(CLI::App& command, Session& session);
void declare_run(CLI::App& command, Session& session);
void declare_bench(CLI::App& command, Session& session);
void declare_verify(CLI::App& command, Session& session);
void declare_tune(CLI::App& command, Session& session);
void declare_predict(CLI::App& command, Session& session);
void declare_thresholds(CLI::App& command, Session& session);
void declare_replay(CLI::App& command, Session& session);
void declare_scoreboard(CLI::App& command, Session& session);
void declare_rivals(CLI::App& command, Session& session);
void declare_report(CLI::App& command, Session& session);
void declare_worker(CLI::App& command, Session& session);
void declare_simulate(CLI::App& command, Session& session);
void declare_calibrate(CLI::App& command, Session& session);
void declare_doctor(CLI::App& command, Session& session);

}  // namespace paraiso::cli
