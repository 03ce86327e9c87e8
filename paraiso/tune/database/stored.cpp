#include "paraiso/tune/database/stored.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "paraiso/base/text.hpp"
#include "paraiso/tune/database/genes_json.hpp"
#include "paraiso/tune/database/sqlite/sqlite_file.hpp"

namespace paraiso::tune {

namespace {

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/// None if one of them is not a number.
std::optional<std::vector<double>> samples_from(const std::string& text) {
  std::vector<double> samples;
  if (text.empty()) return samples;
  for (const std::string& word : split(text, ' ')) {
    const char* end = word.data() + word.size();
    const auto read = std::from_chars(word.data(), end, samples.emplace_back());
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  }
  return samples;
}

}  // namespace

std::vector<plan::Gene> sound_genes(const std::filesystem::path& path, std::int64_t problem,
                                    const std::string& text) {
  using Json = nlohmann::ordered_json;
  try {
    return genes_from(Json::parse(text));
  } catch (const Json::exception&) {
    throw damaged(path, fmt::format("the gene table of problem {} can't be read", problem));
  } catch (const Error& error) {
    throw damaged(path, fmt::format("{} in problem {}", error.diagnostics()[0].message, problem));
  }
}

std::string sound_genome(const std::filesystem::path& path, std::int64_t problem,
                         std::string genome) {
  if (!std::ranges::all_of(genome, is_letter))
    throw damaged(path, fmt::format("{} of problem {} is not a genome", shown(genome), problem));
  return genome;
}

std::string samples_text(const std::vector<double>& samples) {
  return fmt::format("{}", fmt::join(samples, " "));
}

std::vector<double> sound_samples(const std::filesystem::path& path, std::int64_t individual,
                                  const std::string& text) {
  auto samples = samples_from(text);
  if (!samples)
    throw damaged(path, fmt::format("the samples of individual {} can't be read", individual));
  return std::move(*samples);
}

double sound_score(const std::filesystem::path& path, const char* whose, std::int64_t number,
                   const SQLite::Column& column) {
  const double score = column.getDouble();
  const bool is_number = column.isFloat() || column.isInteger();
  if (is_number && std::isfinite(score) && score >= 0) return score;
  throw damaged(path,
                fmt::format("{} is no score of {} {}", shown(column.getString()), whose, number));
}

Measurement outcome_at(const std::filesystem::path& path, const char* whose, std::int64_t number,
                       const SQLite::Statement& row, int at) {
  Measurement outcome;
  outcome.score = sound_score(path, whose, number, row.getColumn(at));
  outcome.deviation = sound_score(path, whose, number, row.getColumn(at + 1));
  outcome.reason = row.getColumn(at + 2).getString();
  return outcome;
}

}  // namespace paraiso::tune
