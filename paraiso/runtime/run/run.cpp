#include "paraiso/runtime/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "paraiso/base/error.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/passes/analysis/diagnostics.hpp"
#include "paraiso/runtime/output/checkpoint.hpp"
#include "paraiso/runtime/process/stop_signals.hpp"
#include "paraiso/runtime/run/ahead.hpp"
#include "paraiso/runtime/run/nan_watch.hpp"
#include "paraiso/runtime/run/outputs.hpp"
#include "paraiso/runtime/run/progress.hpp"
#include "paraiso/runtime/run/stepper.hpp"
#include "paraiso/runtime/run/still_time.hpp"
#include "paraiso/runtime/system/file.hpp"

namespace paraiso::runtime {
namespace {

using SteadyClock = std::chrono::steady_clock;

double seconds_since(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

/// The initial kernel to run, or nullptr if the machine has none and none was requested.
const om::Kernel* initial_kernel(const om::Machine& machine, const std::string& problem) {
  const auto kernels = machine.initial_kernels();
  if (problem.empty()) return kernels.empty() ? nullptr : kernels[0];
  std::vector<std::string> names;
  for (const auto* kernel : kernels) {
    if (kernel->name == problem) return kernel;
    names.push_back(kernel->name);
  }
  const auto near = nearest(problem, names);
  throw Error(fmt::format("machine `{}` has no problem `{}`{}", machine.name, problem,
                          near.empty() ? "" : fmt::format("; did you mean `{}`?", near)));
}

void check_end(const om::Machine& machine, const RunOptions& options) {
  if (!options.steps && !options.until && options.wall_time <= 0 && !options.between)
    throw Error("the run has no end: give a number of steps or a time");
  if (options.steps && *options.steps < 0)
    throw Error(fmt::format("a run can't have {} steps", *options.steps));
  if (options.until && !std::isfinite(*options.until))
    throw Error(fmt::format("a run can't end at time {}", *options.until));
  if (options.until && !machine.find_role(om::StaticRole::time))
    throw Error(
        fmt::format("machine `{}` has no time to stop at: give a number of steps", machine.name));
  if (!(options.every >= 0)) throw Error(fmt::format("outputs can't be {} apart", options.every));
}

/// As in a new instance, except for the parameters: statics that an initial kernel does not store
/// must not keep values of an earlier run.
void reset(Instance& instance) {
  const auto& machine = instance.machine();
  for (std::size_t i = 0; i < machine.statics.size(); ++i) {
    const om::StaticId id(i);
    if (machine.at(id).type.is_local())
      instance.clear(id);
    else if (!machine.is_parameter(id))
      instance.set_scalar(id, machine.at(id).initial);
  }
}

/// One run from its first step to its end.
class Run {
 public:
  Run(Instance& instance, const RunOptions& options)
      : instance_(instance),
        options_(options),
        machine_(instance.machine()),
        stepper_(instance, options.fusion),
        time_(machine_.find_role(om::StaticRole::time)),
        diagnostics_(passes::diagnostics(machine_)),
        signals_(options.stop_on_signals),
        progress_(options.progress),
        watch_(instance, stepper_) {
    check_end(machine_, options_);
    check_places(machine_, options_);
  }

  RunResult operator()() {
    begin();
    try {
      Outputs outputs(instance_, options_, step_, !options_.restart.empty());
      write(outputs);
      result_.end = loop(outputs);
      finish(outputs);
    } catch (const DeviceFailed& error) {
      const std::string whole = what_is_whole();
      throw whole.empty() ? Error(error) : error.with_hint(whole);
    } catch (const CannotWrite& error) {
      const std::string process = instance_.process_of(error.rank);
      if (process.empty()) throw with_checkpoint(error);
      throw Error(process + ": " + error.diagnostics().front().message);
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::optional<double> time() const {
    if (!time_) return std::nullopt;
    return instance_.scalar(*time_).to_double();
  }

  // --- the beginning ---

  void begin() {
    const auto* initial = options_.initial ? initial_kernel(machine_, options_.problem) : nullptr;
    if (initial != nullptr) reset(instance_);
    set_scalars();
    if (!options_.restart.empty())
      go_on();
    else if (initial != nullptr)
      instance_.run(initial->name);
    if (!options_.fields.empty())
      progress_.say(fmt::format("read `{}` from `{}`",
                                fmt::join(load_fields(options_.fields, instance_), "`, `"),
                                options_.fields.string()));
    first_step_ = shown_step_ = step_;
    if (time_) first_time_ = *time();
  }

  void set_scalars() {
    if (auto limit = machine_.find_role(om::StaticRole::time_limit)) {
      const auto& s = machine_.at(*limit);
      instance_.set_scalar(*limit, options_.until
                                       ? om::Constant::from_double(s.type.element, *options_.until)
                                       : s.initial);
    }
    set_parameters(instance_, options_.parameters);
    check_extents(instance_);
    // In the precision of the machine's own time: if rounding lowers the limit, that time never
    // reaches the exact one.
    if (options_.until)
      until_ =
          om::Constant::from_double(machine_.at(*time_).type.element, *options_.until).to_double();
  }

  void go_on() {
    step_ = read_checkpoint(options_.restart, instance_, options_.record).step;
    set_scalars();  // of this run, not of the one before
    if (reached_end())
      progress_.say(
          fmt::format("nothing to do: the checkpoint is at step {} already, and steps and "
                      "time count from the problem's beginning",
                      step_));
  }

  // --- the steps ---

  [[nodiscard]] bool reached_end() const {
    return (options_.steps && step_ >= *options_.steps) || (options_.until && *time() >= until_);
  }

  [[nodiscard]] std::optional<RunEnd> stop() const {
    if (signals_.received() == SIGINT) return RunEnd::interrupt;
    if (signals_.received() == SIGTERM) return RunEnd::terminate;
    if (reached_end()) return RunEnd::finished;
    if (options_.wall_time > 0 && seconds_since(start_) >= options_.wall_time)
      return RunEnd::wall_time;
    return std::nullopt;
  }

  RunEnd loop(Outputs& outputs) {
    if (options_.between && !options_.between(instance_, step_)) return RunEnd::callback;
    for (;;) {
      if (auto end = stop()) return *end;
      advance(outputs);
      if (outputs.due(step_)) write(outputs);
      if (seconds_since(shown_) >= options_.progress_seconds) report();
      if (options_.between && !options_.between(instance_, step_)) return RunEnd::callback;
    }
  }

  void advance(const Outputs& outputs) {
    if (take_batch(outputs)) return;
    const auto before = time();
    const bool at_once = nothing_between(outputs);
    const auto start = SteadyClock::now();
    if (at_once)
      stepper_.take_stride();
    else
      stepper_.take_one(step_);
    result_.seconds += seconds_since(start);
    step_ += at_once ? stepper_.stride() : 1;
    if (ahead_.is_last()) wait();
    if (before && *time() <= *before) throw stands_still(*before);
    if (before && std::isnan(*time())) look();
  }

  /// Several steps, or strides, during which a device needs no host: up to the end or the next
  /// output. Gives false where there is none, or every step is looked at.
  bool take_batch(const Outputs& outputs) {
    const std::int64_t count = batch_length(outputs);
    if (count == 0) return false;
    const int stride = stepper_.stride();
    const auto start = SteadyClock::now();
    const auto taken = instance_.take_steps(stepper_.kernel_at_once(), count,
                                            std::min(until_, outputs.next_due()));
    takes_batches_ = taken.has_value();
    if (!taken) return false;
    result_.seconds += seconds_since(start);
    step_ += stride * taken->count;
    if (taken->one_by_one) by_ones_until_ = step_ + stride - 1;
    if (taken->count == 0 && taken->one_by_one) return false;
    if (taken->count == 0) throw Error("the device takes no step: its kernels do not run");
    wait();
    if (taken->stands_still) throw stands_still(*time());
    if (time_ && std::isnan(*time())) look();
    return true;
  }

  /// How many steps, or strides; 0: the host takes part in each.
  [[nodiscard]] std::int64_t batch_length(const Outputs& outputs) const {
    const int stride = stepper_.stride();
    if (!takes_batches_ || options_.between || step_ < by_ones_until_) return 0;
    if (stride > 1 && (!time_ || !stepper_.may_stride(step_))) return 0;
    const std::int64_t count = options_.steps
                                   ? std::min(ahead_.steps(), (*options_.steps - step_) / stride)
                                   : ahead_.steps();
    const double due = outputs.next_due();
    if (time_ || !std::isfinite(due)) return count;
    const double steps = std::max(std::ceil(due) - static_cast<double>(step_), 1.0);
    return static_cast<std::int64_t>(std::min(steps, static_cast<double>(count)));
  }

  /// For a device that runs ahead.
  void wait() {
    finish();
    ahead_.finished();
  }

  void finish() {
    const auto start = SteadyClock::now();
    instance_.finish();
    result_.seconds += seconds_since(start);
  }

  /// Whether single steps would run through the next stride without an end, an output or an error.
  /// A step at the time limit changes a state, if only by rounding -0 to 0, or by counting on.
  [[nodiscard]] bool nothing_between(const Outputs& outputs) {
    const int stride = stepper_.stride();
    if (!stepper_.may_stride(step_) || (options_.steps && step_ + stride > *options_.steps))
      return false;
    if (!time_) {
      for (int i = 1; i < stride; ++i)
        if (outputs.due_at(static_cast<double>(step_ + i))) return false;
      return true;
    }
    auto times = stepper_.times_ahead();
    if (!times) return false;
    double before = *time();
    for (const double now : *times) {
      if (std::isnan(now) || now <= before) return false;
      before = now;
    }
    times->pop_back();  // the stride's own end may be one of the run
    return std::none_of(times->begin(), times->end(),
                        [&](double now) { return now >= until_ || outputs.due_at(now); });
  }

  [[nodiscard]] Error stands_still(double now) const {
    return Error(fmt::format("time does not advance at {} in step {}: the time step is too small, "
                             "0 or negative",
                             now, step_))
        .with_hint(why_still());
  }

  [[nodiscard]] std::string why_still() const {
    if (!hint().empty()) return hint();
    const bool begun = options_.initial && options_.restart.empty();
    const std::string forgotten = what_is_never_stored(
        machine_, begun ? initial_kernel(machine_, options_.problem) : nullptr);
    if (!forgotten.empty()) return forgotten;
    return "look at the state with --output, or take another time step";
  }

  // --- looking, telling, storing ---

  [[nodiscard]] std::string hint() const {
    if (result_.checkpoint.empty()) return {};
    return fmt::format("the checkpoint `{}` is of step {}", result_.checkpoint.string(),
                       checkpoint_step_);
  }

  /// From where to go on when a device has failed.
  [[nodiscard]] std::string what_is_whole() const {
    if (options_.restart.empty() || !result_.checkpoint.empty()) return hint();
    return fmt::format("the checkpoint `{}`, from which this run began, is of step {}",
                       options_.restart.string(), first_step_);
  }

  void look() {
    finish();
    watch_.look(step_, hint());
  }

  void run_diagnostics() {
    for (const om::Kernel* kernel : diagnostics_) instance_.run(kernel->name);
  }

  void write(Outputs& outputs) {
    look();
    if (!options_.output.empty()) run_diagnostics();
    outputs.write(step_);
  }

  void report() {
    look();
    show();
    if (!options_.checkpoint.empty() && seconds_since(stored_) >= options_.checkpoint_seconds)
      store();
  }

  void store() {
    write_checkpoint(options_.checkpoint, instance_, step_, options_.record);
    result_.checkpoint = options_.checkpoint;
    checkpoint_step_ = step_;
    stored_ = SteadyClock::now();
  }

  void show() {
    ProgressState state;
    state.step = step_;
    state.time = time();
    if (auto dt = machine_.find_role(om::StaticRole::time_step))
      state.time_step = instance_.scalar(*dt).to_double();
    const double spent = result_.seconds - shown_seconds_;
    if (spent > 0)
      state.cell_updates_per_second = cells_ * static_cast<double>(step_ - shown_step_) / spent;
    state.remaining_seconds = remaining();
    progress_.show(state);
    shown_ = SteadyClock::now();
    shown_step_ = step_;
    shown_seconds_ = result_.seconds;
  }

  /// Estimated from the fraction done; whichever limit comes first ends the run.
  [[nodiscard]] std::optional<double> remaining() const {
    double done = 0;
    if (options_.steps && *options_.steps > first_step_)
      done = static_cast<double>(step_ - first_step_) /
             static_cast<double>(*options_.steps - first_step_);
    if (options_.until && until_ > first_time_)
      done = std::max(done, (*time() - first_time_) / (until_ - first_time_));
    const double elapsed = seconds_since(start_);
    std::optional<double> left;
    if (done > 0) left = elapsed * (1 - std::min(done, 1.0)) / done;
    if (options_.wall_time > 0)
      left = std::min(left.value_or(INFINITY), std::max(0.0, options_.wall_time - elapsed));
    return left;
  }

  /// Outputs can't be written: the checkpoint may lie on another disk.
  Error with_checkpoint(const CannotWrite& error) {
    if (options_.checkpoint.empty()) return error;
    const bool is_stored = !result_.checkpoint.empty() && checkpoint_step_ == step_;
    try {
      if (!is_stored) store();
    } catch (const CannotWrite&) {  // the old one is whole
    }
    const std::string kept = hint();
    return kept.empty() ? Error(error) : error.with_hint(kept);
  }

  // --- the end ---

  void finish(Outputs& outputs) {
    look();
    run_diagnostics();
    if (step_ > first_step_) show();
    progress_.finish();
    if (!options_.checkpoint.empty()) store();
    outputs.finish(step_, result_);
    result_.steps = step_;
    result_.steps_run = step_ - first_step_;
    result_.time = time();
    if (result_.seconds > 0)
      result_.cell_updates_per_second =
          cells_ * static_cast<double>(result_.steps_run) / result_.seconds;
    result_.fields = summarise_fields(instance_);
    result_.scalars = summarise_scalars(instance_);
  }

  Instance& instance_;
  const RunOptions& options_;
  const om::Machine& machine_;
  Stepper stepper_;
  const std::optional<om::StaticId> time_;
  const std::vector<const om::Kernel*> diagnostics_;
  const StopSignals signals_;
  Progress progress_;
  NanWatch watch_;
  RunResult result_;

  const double cells_ = cell_count(instance_.size());
  const SteadyClock::time_point start_ = SteadyClock::now();
  SteadyClock::time_point shown_ = start_, stored_ = start_;
  Ahead ahead_;
  bool takes_batches_ = true;
  std::int64_t by_ones_until_ = 0;  // step, up to which strides would go too far
  std::int64_t step_ = 0, first_step_ = 0, shown_step_ = 0, checkpoint_step_ = 0;
  double until_ = INFINITY, first_time_ = 0, shown_seconds_ = 0;
};

}  // namespace

const char* name(RunEnd end) {
  switch (end) {
    case RunEnd::finished: return "finished";
    case RunEnd::callback: return "stopped by the program";
    case RunEnd::wall_time: return "stopped at the wall time";
    case RunEnd::interrupt: return "interrupted";
    case RunEnd::terminate: return "terminated";
  }
  return "";
}

double run_bytes(const om::Machine& machine, const std::vector<std::int64_t>& size) {
  return state_bytes(machine, size);
}

RunResult run(Instance& instance, const RunOptions& options) { return Run(instance, options)(); }

}  // namespace paraiso::runtime
