#include "paraiso/tune/report/data/version_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "paraiso/base/error.hpp"
#include "paraiso/base/extents.hpp"

namespace paraiso::tune {

namespace {

using Json = nlohmann::ordered_json;

// Seconds that a call of a kernel may take; of others, ratios are no numbers.
constexpr double kShortest = 1e-12, kLongest = 1e12;

double row_of(const std::string& size) { return static_cast<double>(extents_of(size).front()); }

/// 0 where it is no size.
double cells_of(const std::string& size) {
  double cells = 1;
  for (const std::int64_t extent : extents_of(size)) cells *= static_cast<double>(extent);
  return cells;
}

void require(bool sound) {
  if (!sound) throw std::invalid_argument("no result of `thresholds`");
}

std::size_t number_of(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  require(found != names.end());
  return static_cast<std::size_t>(found - names.begin());
}

VersionTimes times_from(const Json& rows, std::size_t guards) {
  VersionTimes times;
  for (const Json& row : rows) {
    times.sizes.push_back(
        {row.at("size").get<std::string>(), row.at("compared").get<std::vector<std::int64_t>>()});
    times.seconds.push_back(row.at("seconds").get<std::vector<double>>());
    const auto& seconds = times.seconds.back();
    require(cells_of(times.sizes.back().name) > 0 && times.sizes.back().values.size() == guards &&
            seconds.size() == guards + 1);
    require(std::ranges::all_of(seconds, [](double s) { return s > kShortest && s < kLongest; }));
  }
  require(!times.sizes.empty());
  return times;
}

/// Each is reached where those before it fail, and is called `MACHINE.KERNEL.VERSION`.
void read_thresholds(VersionMap& map, const Json& thresholds) {
  require(map.versions.size() > 1 && thresholds.size() + 1 == map.versions.size());
  for (std::size_t v = 0; v + 1 < map.versions.size(); ++v)
    for (const auto& [name, value] : thresholds.items())
      if (name.ends_with("." + map.versions[v])) {
        Guard guard{name, {}};
        for (std::size_t before = 0; before < v; ++before) guard.needs.push_back({before, false});
        map.guards.push_back(std::move(guard));
        map.thresholds.push_back(value.get<std::int64_t>());
        require(map.thresholds.back() >= 0);
      }
  require(map.guards.size() == thresholds.size());
}

VersionMap map_from(const Json& json) {
  VersionMap map;
  map.versions = json.at("versions").get<std::vector<std::string>>();
  map.usual = number_of(map.versions, json.at("usual").get<std::string>());
  read_thresholds(map, json.at("thresholds"));
  map.tuned = times_from(json.at("tuned"), map.guards.size());
  map.judged = times_from(json.at("judged"), map.guards.size());
  map.best_single = json.at("best_single").get<std::string>();
  map.gain = json.at("gain").get<double>();
  require(map.gain > kShortest && map.gain < kLongest);
  return map;
}

bool holds(const VersionMap& map, std::size_t guard, const MeasuredSize& size) {
  return map.thresholds[guard] <= size.values[guard];
}

std::size_t version_at(const VersionMap& map, const MeasuredSize& size) {
  std::size_t version = 0;
  while (version < map.guards.size() && !holds(map, version, size)) ++version;
  return version;
}

/// The cells at which a guard's measure reaches its threshold, when it grows evenly on logarithmic
/// scales from one size to the other.
double cells_between(const VersionMap& map, std::size_t guard, const MeasuredSize& one,
                     const MeasuredSize& other) {
  const auto log = [](std::int64_t value) {
    return std::log(static_cast<double>(std::max<std::int64_t>(value, 1)));
  };
  const double from = log(one.values[guard]), to = log(other.values[guard]);
  const double part = from == to ? 0.5 : (log(map.thresholds[guard]) - from) / (to - from);
  return one.cells * std::pow(other.cells / one.cells, std::clamp(part, 0.0, 1.0));
}

}  // namespace

VersionMap version_map_from(std::string_view text, const std::string& file) {
  const Json json = Json::parse(text, nullptr, false);
  const Json versions = json.is_object() ? json.value("versions", Json()) : Json();
  if (versions.is_array() && versions.size() == 1 && json.value("thresholds", Json()).empty())
    throw Error(fmt::format("`{}` has one version: there is nothing to choose from", file));
  try {
    return map_from(json);
  } catch (const std::exception&) {  // of JSON, or from `require`
    throw Error(fmt::format("`{}` is not what `paraiso thresholds --json` prints", file));
  }
}

bool differ_in_shape(const VersionMap& map) {
  std::vector<double> cells;
  for (const VersionTimes* times : {&map.tuned, &map.judged})
    for (const DataSet& size : times->sizes) cells.push_back(cells_of(size.name));
  return std::ranges::max(cells) < 1.2 * std::ranges::min(cells);
}

std::vector<MeasuredSize> sizes_of(const VersionMap& map) {
  std::vector<MeasuredSize> sizes;
  const bool by_rows = differ_in_shape(map);
  const auto add = [&](const VersionTimes& times, bool judged) {
    for (std::size_t s = 0; s < times.sizes.size(); ++s) {
      const auto& [name, values] = times.sizes[s];
      MeasuredSize size{name,  by_rows ? row_of(name) : cells_of(name), values, times.seconds[s], 0,
                        judged};
      size.taken = version_at(map, size);
      sizes.push_back(std::move(size));
    }
  };
  add(map.tuned, false);
  add(map.judged, true);
  std::ranges::stable_sort(sizes, {}, &MeasuredSize::cells);
  return sizes;
}

std::vector<ThresholdPlace> threshold_places(const VersionMap& map) {
  const auto sizes = sizes_of(map);
  std::vector<ThresholdPlace> places;
  for (std::size_t s = 1; s < sizes.size(); ++s)
    for (std::size_t guard = 0; guard < map.guards.size(); ++guard)
      if (holds(map, guard, sizes[s - 1]) != holds(map, guard, sizes[s]))
        places.push_back({guard, cells_between(map, guard, sizes[s - 1], sizes[s])});
  std::ranges::stable_sort(places, {}, &ThresholdPlace::cells);
  return places;
}

std::vector<Stretch> stretches_of(const VersionMap& map) {
  const auto sizes = sizes_of(map);
  std::vector<Stretch> stretches{{sizes.front().taken, sizes.front().cells, sizes.front().cells}};
  for (std::size_t s = 1; s < sizes.size(); ++s) {
    const MeasuredSize &before = sizes[s - 1], &size = sizes[s];
    if (before.taken != size.taken) {
      // The guard of the earlier of the two versions is what holds at one of them alone.
      const double edge = cells_between(map, std::min(before.taken, size.taken), before, size);
      stretches.back().to = edge;
      stretches.push_back({size.taken, edge, edge});
    }
    stretches.back().to = size.cells;
  }
  return stretches;
}

}  // namespace paraiso::tune
