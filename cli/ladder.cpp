#include "cli/ladder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/measuring.hpp"
#include "paraiso/runtime/system/memory.hpp"

namespace paraiso::cli {
namespace {

// Of a version in a round, or one call: shorter than what a busy system gives a thread at once, so
// that some rounds are undisturbed.
constexpr double kRoundSeconds = 0.002;
constexpr std::int64_t kMostCalls = 100000;

/// The kernels of the versions; the base's last.
std::vector<std::string> kernels_of(const plan::Dispatch& dispatch) {
  std::vector<std::string> kernels;
  for (const plan::Version& version : dispatch.versions) kernels.push_back(version.kernel);
  kernels.push_back(dispatch.kernel);
  return kernels;
}

double seconds_of_calls(runtime::Instance& instance, const std::string& kernel,
                        std::int64_t calls) {
  return seconds_of([&] {
           for (std::int64_t call = 0; call < calls; ++call) instance.run(kernel);
           instance.finish();
         }) /
         static_cast<double>(calls);
}

std::vector<double> times_of(const Prepared& prepared, const std::vector<std::string>& kernels,
                             int rounds) {
  runtime::Instance& instance = *prepared.instance;
  std::vector<double> least(kernels.size(), std::numeric_limits<double>::infinity());
  start_problem(prepared);
  std::int64_t calls = 1;
  while (calls < kMostCalls &&
         static_cast<double>(calls) * seconds_of_calls(instance, kernels.back(), calls) <
             kRoundSeconds)
    calls *= 2;
  for (int round = 0; round < rounds; ++round) {
    start_problem(prepared);
    for (std::size_t turn = 0; turn < kernels.size(); ++turn) {
      const std::size_t k = (turn + static_cast<std::size_t>(round)) % kernels.size();
      instance.run(kernels[k]);  // another version has used the caches
      instance.finish();
      least[k] = std::min(least[k], seconds_of_calls(instance, kernels[k], calls));
    }
  }
  return least;
}

/// Of the largest size, the smallest part first.
std::vector<double> parts_of(const Rungs& rungs) {
  std::vector<double> parts;
  for (int rung = rungs.count - 1; rung >= 0; --rung)
    parts.push_back(std::exp2(-(rung + (rungs.between ? 0.5 : 0)) / rungs.a_halving));
  return parts;
}

}  // namespace

std::vector<std::vector<std::int64_t>> ladder(const std::vector<std::int64_t>& largest,
                                              const Rungs& rungs) {
  std::vector<std::vector<std::int64_t>> sizes;
  const double axes = static_cast<double>(largest.size());
  for (const double part : parts_of(rungs)) {
    std::vector<std::int64_t>& size = sizes.emplace_back();
    for (const std::int64_t cells : largest)
      size.push_back(std::max<std::int64_t>(
          1, std::llround(static_cast<double>(cells) * std::pow(part, 1 / axes))));
  }
  return sizes;
}

std::vector<std::vector<std::int64_t>> shapes(const std::vector<std::int64_t>& longest,
                                              const Rungs& rungs) {
  std::vector<std::vector<std::int64_t>> sizes;
  const double cells = static_cast<double>(longest.front()) * static_cast<double>(longest.back());
  for (const double part : parts_of(rungs)) {
    std::vector<std::int64_t>& size = sizes.emplace_back(longest);
    const double length = static_cast<double>(longest.front()) * part;
    size.front() = std::max<std::int64_t>(1, std::llround(length));
    size.back() =
        std::max<std::int64_t>(1, std::llround(cells / static_cast<double>(size.front())));
  }
  return sizes;
}

std::optional<std::vector<std::int64_t>> midway(const std::vector<std::int64_t>& below,
                                                const std::vector<std::int64_t>& above) {
  std::vector<std::int64_t> size;
  for (std::size_t a = 0; a < below.size(); ++a)
    size.push_back(
        std::llround(std::sqrt(static_cast<double>(below[a]) * static_cast<double>(above[a]))));
  if (size == below || size == above) return std::nullopt;
  return size;
}

tune::VersionTimes time_versions(Prepared& prepared, const runtime::Library& library,
                                 const tune::GuardTree& guards,
                                 const std::vector<std::vector<std::int64_t>>& sizes, int rounds,
                                 const std::function<void(int)>& tell) {
  const plan::Dispatch& dispatch = *library.dispatch();
  const runtime::Library base =
      library.with_thresholds(plan::forcing(dispatch, dispatch.versions.size()));
  tune::VersionTimes times;
  for (const auto& size : sizes) {
    prepared.instance = base.instance(size);
    times.sizes.push_back(
        tune::data_set_of(guards, runtime::size_text(size),
                          tune::parse_comparisons(prepared.instance->comparisons())));
    times.seconds.push_back(times_of(prepared, kernels_of(dispatch), rounds));
    prepared.instance.reset();
    tell(static_cast<int>(times.sizes.size()));
  }
  return times;
}

}  // namespace paraiso::cli
