#include "paraiso/runtime/output/series.hpp"

#include <charconv>

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/system/file.hpp"

namespace paraiso::runtime {
namespace {

std::vector<om::StaticId> scalars(const om::Machine& machine) {
  std::vector<om::StaticId> found;
  for (std::size_t i = 0; i < machine.statics.size(); ++i) {
    const auto& s = machine.statics[i];
    if (s.type.realm == om::Realm::global && !machine.is_parameter(om::StaticId(i)) &&
        s.role != om::StaticRole::time_limit)
      found.emplace_back(i);
  }
  return found;
}

/// The old rows that a restart keeps: whole lines whose step is at most `through`.
std::string kept_rows(const std::string& text, const std::string& header, std::int64_t through) {
  std::string kept;
  if (text.rfind(header, 0) != 0) return kept;
  for (auto start = header.size(); start < text.size();) {
    const auto end = text.find('\n', start);
    if (end == std::string::npos) break;
    std::int64_t step = -1;
    std::from_chars(text.data() + start, text.data() + end, step);
    if (step < 0 || step > through) break;
    kept += text.substr(start, end + 1 - start);
    start = end + 1;
  }
  return kept;
}

std::int64_t last_step(const std::string& rows) {
  if (rows.empty()) return -1;
  const auto start = rows.rfind('\n', rows.size() - 2) + 1;  // 0 if it is the only row
  std::int64_t step = -1;
  std::from_chars(rows.data() + start, rows.data() + rows.size(), step);
  return step;
}

}  // namespace

Series::Series(std::filesystem::path path, const om::Machine& machine, std::int64_t keep_through)
    : path_(std::move(path)), columns_(scalars(machine)) {
  std::string header = "step";
  for (auto id : columns_) header += "," + machine.at(id).name;
  header += "\n";
  std::string rows;
  if (keep_through >= 0 && std::filesystem::exists(path_))
    rows = kept_rows(read_file(path_), header, keep_through);
  last_ = last_step(rows);
  write_file(path_, header + rows);
}

void Series::add(const Instance& instance, std::int64_t step) {
  if (step <= last_) return;
  auto row = std::to_string(step);
  for (auto id : columns_) row += "," + instance.scalar(id).text();
  append_to_file(path_, row + "\n");
  last_ = step;
}

}  // namespace paraiso::runtime
