#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>
#include <thread>

#include "cli/call/help.hpp"
#include "cli/call/subcommands.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/runtime/fields/parameters.hpp"
#include "paraiso/runtime/fields/record.hpp"
#include "paraiso/runtime/system/host.hpp"
#include "paraiso/runtime/transport/world.hpp"

namespace paraiso {
namespace {

using cli::Session;

struct SubcommandRow {
  const char* name;
  const char* summary;
  void (*declare)(CLI::App&, Session&);
  bool by_ranks = false;  // all processes that a launcher starts do it together
};

constexpr SubcommandRow kSubcommands[] = {
    {"apps", "the solvers known by name, and their problems", cli::declare_apps},
    {"show", "a machine as text, plan, source or graph", cli::declare_show},
    {"emit", "write a standalone library that needs no Paraiso", cli::declare_emit},
    {"run", "run a solver: watch, plot, store, restart", cli::declare_run, true},
    {"bench", "measure cell updates per second", cli::declare_bench, true},
    {"verify", "random schedules against the interpreter, bit for bit", cli::declare_verify},
    {"tune", "search schedules for the fastest one", cli::declare_tune},
    {"predict", "a schedule from what tuning others has shown", cli::declare_predict},
    {"thresholds", "from which size on each version of a kernel runs", cli::declare_thresholds},
    {"replay", "strategies against a recorded tuning, in milliseconds", cli::declare_replay},
    {"scoreboard", "search strategies compared on complete recordings", cli::declare_scoreboard},
    {"rivals", "ways to predict, compared on programs held out", cli::declare_rivals},
    {"report", "a tuning as one HTML page", cli::declare_report},
    {"simulate", "forecast a run on many processors", cli::declare_simulate},
    {"calibrate", "measure this machine, so that plans fit it", cli::declare_calibrate, true},
    {"doctor", "what this machine offers, what is missing", cli::declare_doctor},
};

std::vector<FirstStep> steps_of(const std::vector<App>& apps) {
  const std::string name = apps.empty() ? "MACHINE.om" : apps.front().name;
  return {{"run " + name, "a run, and a summary of its fields"},
          {"run " + name + " --output out", "the same, stored in files"},
          {"verify " + name + " --schedules 2", "same bits as the interpreter"}};
}

/// One line per step, with its words as one can type them.
std::string lines_of(const std::vector<FirstStep>& steps, const std::string& command) {
  std::size_t width = 0;
  for (const FirstStep& step : steps) width = std::max(width, step.words.size());
  std::string lines;
  for (const FirstStep& step : steps)
    lines += fmt::format("\n  {} {:<{}}  {}", command, step.words, width, step.meaning);
  return lines;
}

/// `--size`, or the word for what is given without a name.
std::string name_of(const CLI::Option& option) {
  return option.get_lnames().empty() ? option.get_name(true) : "--" + option.get_lnames().front();
}

/// An empty value is no default: mostly it is a variable of the shell that is not set.
void refuse_empty_values(CLI::App& command) {
  for (CLI::App* subcommand : command.get_subcommands({}))
    for (CLI::Option* option : subcommand->get_options())
      if (option->get_items_expected_max() > 0)
        option->check([name = name_of(*option)](const std::string& value) -> std::string {
          if (!value.empty()) return "";
          throw cli::WrongCall(Error(fmt::format("`{}` is given an empty value", name))
                                   .with_hint("is a variable of the shell not set?"));
        });
}

void declare(CLI::App& command, Session& session) {
  command.formatter(std::make_shared<cli::HelpFormatter>());
  command.set_version_flag("--version", std::string("paraiso ") + runtime::kVersion,
                           "print the version");
  command.require_subcommand(0, 1);
  for (const SubcommandRow& row : kSubcommands)
    row.declare(*command.add_subcommand(row.name, row.summary), session);
  cli::declare_worker(*command.add_subcommand("worker"), session);  // for `tune` alone
  refuse_empty_values(command);
}

std::vector<std::string> subcommand_names() {
  std::vector<std::string> names;
  for (const SubcommandRow& row : kSubcommands) names.push_back(row.name);
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// The subcommand that the words begin with, or the command itself.
const CLI::App& chosen_command(const CLI::App& command) {
  const auto chosen = command.get_subcommands();
  return chosen.empty() ? command : *chosen.front();
}

/// `paraiso run --help`: where to find out more.
std::string help_call(const CLI::App& command) {
  const CLI::App& chosen = chosen_command(command);
  return fmt::format("{}{} --help", command.get_name(),
                     &chosen == &command ? "" : " " + chosen.get_name());
}

/// Reports an unknown subcommand: an app's name without `run`, or another word.
[[noreturn]] void refuse_subcommand(const CLI::App& command, const std::string& word,
                                    const std::vector<App>& apps) {
  if (std::ranges::find(apps, word, &App::name) != apps.end())
    throw cli::WrongCall(
        Error(fmt::format("no subcommand `{}`", word))
            .with_hint(fmt::format("it is an app: `{} run {}`", command.get_name(), word)));
  if (word == "help")
    throw cli::WrongCall(Error("no subcommand `help`")
                             .with_hint(fmt::format("it is `{} --help`", command.get_name())));
  cli::unknown_name("subcommand", word, subcommand_names());
}

/// The app that the call names, or nullptr.
const App* named_app(const CLI::App& chosen, const std::vector<App>& apps) {
  const CLI::Option* machine = chosen.get_option_no_throw("MACHINE");
  if (machine == nullptr || machine->results().empty()) return nullptr;
  const auto app = std::ranges::find(apps, machine->results().front(), &App::name);
  return app == apps.end() ? nullptr : &*app;
}

/// What sets the option or the parameter of that name, of the app that the call names; empty if
/// there is none.
std::string setter_of(const CLI::App& chosen, const std::vector<App>& apps,
                      const std::string& name) {
  const App* app = named_app(chosen, apps);
  if (app == nullptr) return "";
  if (std::ranges::find(app->options, name, &Option::name) != app->options.end())
    return "--choose " + name;
  try {
    const auto parameters = runtime::parameter_names(
        app->build({app->dimensions[0], app->precisions[0], app->problems[0].name}));
    return std::ranges::find(parameters, name) != parameters.end() ? "--set " + name : "";
  } catch (const Error&) {
    return "";
  }
}

[[noreturn]] void refuse_extra(const CLI::App& command, const std::vector<App>& apps) {
  const CLI::App& chosen = chosen_command(command);
  const std::vector<std::string> extra = command.remaining(true);
  const std::string whole = extra.empty() ? "" : extra.front();
  const std::string word = split(whole, '=').front();
  if (&chosen == &command && !word.starts_with('-')) refuse_subcommand(command, word, apps);
  const std::string setter =
      setter_of(chosen, apps, word.substr(std::min(word.size(), word.find_first_not_of('-'))));
  if (!setter.empty())
    throw cli::WrongCall(Error(fmt::format("no option `{}`", word))
                             .with_hint(fmt::format("it is `{}=VALUE`", setter)));
  if (!word.starts_with('-')) {
    const Error error(fmt::format("`{}` takes no further argument `{}`", chosen.get_name(), whole));
    const App* app = named_app(chosen, apps);
    const bool is_problem =
        app != nullptr &&
        std::ranges::find(app->problems, whole, &Problem::name) != app->problems.end();
    throw cli::WrongCall(is_problem ? error.with_hint(fmt::format("it is `--problem {}`", whole))
                                    : error);
  }
  const std::string near = nearest(word, option_names(chosen));
  throw cli::WrongCall(Error(near.empty()
                                 ? fmt::format("no option `{}`", word)
                                 : fmt::format("no option `{}`: did you mean `{}`?", word, near))
                           .with_hint(fmt::format("`{}` lists them", help_call(command))));
}

/// Reports that a subcommand lacks its machine.
[[noreturn]] void ask_for_machine(const CLI::App& command, const std::vector<App>& apps) {
  std::vector<std::string> names;
  for (const App& app : apps) names.push_back(app.name);
  throw cli::WrongCall(Error(fmt::format("`{}` needs a machine: an app's name or a .om file",
                                         chosen_command(command).get_name()))
                           .with_hint(fmt::format("there is {}; `{} apps` describes them",
                                                  cli::list_text(names), command.get_name())));
}

/// Reports an option that has no value, or more than it takes.
[[noreturn]] void refuse_count(const CLI::App& command, const std::string& complaint) {
  for (const CLI::Option* option : chosen_command(command).get_options()) {
    const std::size_t count = option->count();
    if (option->get_items_expected_max() == 1 && count > 1)
      throw cli::WrongCall(fmt::format("`{}` is given {}", name_of(*option),
                                       count == 2 ? "twice" : fmt::format("{} times", count)));
  }
  const std::string name = complaint.substr(0, complaint.find(':'));
  throw cli::WrongCall(Error(fmt::format("`{}` needs a value", name))
                           .with_hint(fmt::format("see `{}`", help_call(command))));
}

/// Reports two options of which a call may have one; the complaint is `--one excludes --other`.
[[noreturn]] void refuse_both(const CLI::App& command, const std::string& complaint) {
  const auto words = split(complaint, ' ');
  throw cli::WrongCall(Error(fmt::format("`{}` and `{}` exclude each other: give one of them",
                                         words.front(), words.back()))
                           .with_hint(fmt::format("see `{}`", help_call(command))));
}

/// Reads the command line; if help or version is requested, prints that and returns false.
bool read(CLI::App& command, int argc, char** argv, const std::vector<App>& apps) {
  try {
    command.parse(argc, argv);
    return true;
  } catch (const CLI::Success& asked) {
    command.exit(asked);
    return false;
  } catch (const CLI::ExtrasError&) {
    refuse_extra(command, apps);
  } catch (const CLI::RequiredError& error) {
    if (std::string_view(error.what()).starts_with("MACHINE ")) ask_for_machine(command, apps);
    throw cli::WrongCall(
        Error(error.what()).with_hint(fmt::format("see `{}`", help_call(command))));
  } catch (const CLI::ArgumentMismatch& error) {
    refuse_count(command, error.what());
  } catch (const CLI::ExcludesError& error) {
    refuse_both(command, error.what());
  } catch (const CLI::ParseError& error) {
    if (!command.remaining(true).empty()) refuse_extra(command, apps);
    throw cli::WrongCall(
        Error(error.what()).with_hint(fmt::format("see `{}`", help_call(command))));
  }
}

int complain(const std::string& text, int status) {
  std::fflush(stdout);
  cli::say_aside(text + "\n");
  return status;
}

/// In a handler: of several processes one prints, which is told what happened to the others.
int complain(runtime::World* world, const std::string& text, int status) {
  if (world == nullptr || world->rank() == 0) return complain(text, status);
  world->fail();
  return cli::kSuccess;  // of this process
}

/// The whole command except for flushing standard output.
int work(int argc, char** argv, const std::vector<App>& apps,
         const std::vector<FirstStep>& first_steps, runtime::World* world) {
  Session session{apps, cli::command_text(argc, argv), world, {}};
  CLI::App command{"explicit solvers of partial differential equations, generated and verified",
                   argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "paraiso"};
  try {
    declare(command, session);
    const std::string to_begin = lines_of(first_steps, command.get_name());
    command.footer("To begin with:" + to_begin);
    if (!read(command, argc, argv, apps)) return cli::kSuccess;
    if (!session.chosen)
      throw cli::WrongCall(
          Error("which subcommand?")
              .with_hint(fmt::format("there is {}; to begin with:{}",
                                     cli::list_text(subcommand_names()), to_begin)));
    return session.chosen();
  } catch (const cli::WrongCall& error) {
    return complain(world, error.what(), cli::kWrongCall);
  } catch (const Error& error) {
    return complain(world, error.what(), cli::kFailure);
  } catch (const std::bad_alloc&) {
    return complain(world, "error: out of memory", cli::kFailure);
  } catch (const std::exception& error) {
    if (std::ferror(stdout)) return cli::kFailure;  // {fmt} throws where it can't print: told below
    return complain(world, fmt::format("error: {}", error.what()), cli::kFailure);
  } catch (...) {
    return complain(world, "error: something was thrown that is no std::exception", cli::kFailure);
  }
}

/// Output may still be in the buffer, so a full disk may show only here; the reason of an earlier
/// failed write is lost.
int finish_output(int status) {
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && !std::ferror(stdout)) return status;
  const std::string why = flushed ? "is the disk full?" : std::strerror(errno);
  return complain(fmt::format("error: can't write to standard output: {}", why),
                  status == cli::kSuccess ? cli::kFailure : status);
}

bool by_ranks(int argc, char** argv) {
  const std::string_view word = argc > 1 ? argv[1] : "";
  return std::ranges::any_of(
      kSubcommands, [&](const SubcommandRow& row) { return row.name == word && row.by_ranks; });
}

using Work = std::function<int(runtime::World*)>;

constexpr std::chrono::seconds kFirstTells{5};

/// Of a process that is connected to no other. Launchers end all processes once one has failed, so
/// the first is given time to tell its reason; who is not ended by then tells its own, unless all
/// have the same.
int complain_unconnected(const runtime::Launch& launch, const Error& error) {
  if (launch.rank == 0) return complain(error.what(), cli::kFailure);
  std::this_thread::sleep_for(kFirstTells);
  if (launch.kind == nullptr) return cli::kFailure;
  std::string text = error.what();
  text.insert(text.find(": ") + 2, fmt::format("rank {} of {} on {}: ", launch.rank, launch.ranks,
                                               runtime::host().name));
  std::fputs((text + "\n").c_str(), stderr);
  return cli::kFailure;
}

/// One of several processes: the first prints for all, and does alone what ranks can't share.
int work_as_one_of(const runtime::Launch& launch, bool together, const Work& work) {
  if (launch.rank > 0) cli::be_silent();
  if (!together) return launch.rank > 0 ? cli::kSuccess : work(nullptr);
  std::unique_ptr<runtime::World> world;
  try {
    world = std::make_unique<runtime::World>(launch);
  } catch (const Error& error) {
    return complain_unconnected(launch, error);
  }
  return world->leave(work(world.get()));
}

}  // namespace

int command_line(int argc, char** argv, std::vector<App> apps, std::vector<FirstStep> first_steps) {
  try {
    for (const App& app : apps) require_whole(app);
  } catch (const Error& error) {
    return complain(error.what(), cli::kFailure);
  }
  if (first_steps.empty()) first_steps = steps_of(apps);
  const Work all = [&](runtime::World* world) {
    return finish_output(work(argc, argv, apps, first_steps, world));
  };
  try {
    const auto launch = runtime::launch_of_environment();
    return launch ? work_as_one_of(*launch, by_ranks(argc, argv), all) : all(nullptr);
  } catch (const Error& error) {
    return complain(error.what(), cli::kWrongCall);
  }
}

}  // namespace paraiso
