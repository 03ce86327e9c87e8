// What is stored as text, written, and checked when it is read.
// Gives: samples_text, sound_genes, sound_genome, sound_samples, sound_score, outcome_at. Needs:
// sqlite_file, measurement.
//
// The functions that read throw Error if the database at `path` is damaged.
#pragma once

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Statement.h>

#include <filesystem>
#include <vector>

#include "paraiso/plan/schedule/schedule.hpp"
#include "paraiso/tune/database/measurement.hpp"

namespace paraiso::tune {

/// The gene table of a problem.
[[nodiscard]] std::vector<plan::Gene> sound_genes(const std::filesystem::path& path,
                                                  std::int64_t problem, const std::string& text);
/// A genome: letters.
[[nodiscard]] std::string sound_genome(const std::filesystem::path& path, std::int64_t problem,
                                       std::string genome);
[[nodiscard]] std::string samples_text(const std::vector<double>& samples);
[[nodiscard]] std::vector<double> sound_samples(const std::filesystem::path& path,
                                                std::int64_t individual, const std::string& text);

/// A score or its deviation: neither negative nor infinite. It is that of `whose` with this number.
[[nodiscard]] double sound_score(const std::filesystem::path& path, const char* whose,
                                 std::int64_t number, const SQLite::Column& column);

/// Score, deviation and reason, from column `at` on.
[[nodiscard]] Measurement outcome_at(const std::filesystem::path& path, const char* whose,
                                     std::int64_t number, const SQLite::Statement& row, int at);

}  // namespace paraiso::tune
