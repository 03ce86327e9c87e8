// The part of Database about what problems are like.
#include <SQLiteCpp/VariadicBind.h>

#include <cstring>

#include "paraiso/tune/database/connection.hpp"

namespace paraiso::tune {

namespace {

/// Replaces what is there, also the place, which would else be that of another description.
class Describing {
 public:
  explicit Describing(SQLite::Database& file)
      : describe_(file,
                  "insert or replace into description (problem, features, roles) values (?, ?, ?)"),
        displace_(file, "delete from place where problem = ?"),
        know_axes_(file, "insert or ignore into axes (version, text) values (?, ?)"),
        place_(file,
               "insert into place (problem, axes, numbers) "
               "values (?, (select id from axes where version = ? and text = ?), ?)") {}

  void operator()(std::int64_t problem, const Description& description) {
    write(describe_, problem, description.features, description.roles);
    write(displace_, problem);
    if (!description.place) return;
    const Place& place = *description.place;
    write(know_axes_, place.version, place.axes);
    place_.reset();
    SQLite::bind(place_, problem, place.version, place.axes);
    place_.bind(4, place.numbers.data(), static_cast<int>(place.numbers.size() * sizeof(float)));
    place_.exec();
  }

 private:
  template <class... Values>
  static void write(SQLite::Statement& statement, const Values&... values) {
    statement.reset();
    SQLite::bind(statement, values...);
    statement.exec();
  }

  SQLite::Statement describe_, displace_, know_axes_, place_;
};

}  // namespace

void Database::describe(std::int64_t problem, const Description& description) {
  describe({{problem, description}});
}

void Database::describe(const std::map<std::int64_t, Description>& descriptions) {
  if (descriptions.empty()) return;
  Connection& c = *connection_;
  c.transacted([&] {
    Describing describe(c.file);
    for (const auto& [problem, description] : descriptions) describe(problem, description);
    return true;
  });
}

std::map<std::int64_t, Description> Database::descriptions() {
  std::map<std::int64_t, Description> found;
  connection_->each_row("select problem, features, roles from description",
                        [&](SQLite::Statement& row) {
                          found[row.getColumn(0).getInt64()] = {row.getColumn(1).getString(),
                                                                row.getColumn(2).getString()};
                        });
  return found;
}

std::optional<Description> Database::description(std::int64_t problem) {
  std::optional<Description> found;
  connection_->each_row(
      "select features, roles from description where problem = ?",
      [&](SQLite::Statement& row) {
        found = {row.getColumn(0).getString(), row.getColumn(1).getString()};
      },
      problem);
  return found;
}

void Database::each_place(
    int version,
    const std::function<void(std::int64_t, std::int64_t, std::span<const float>)>& use) {
  const auto known = axes(version);
  std::vector<float> numbers;
  connection_->each_row(
      "select problem, axes, numbers from place order by problem", [&](SQLite::Statement& row) {
        const std::int64_t of = row.getColumn(1).getInt64();
        if (!known.contains(of)) return;
        const SQLite::Column blob = row.getColumn(2);
        numbers.resize(static_cast<std::size_t>(blob.getBytes()) / sizeof(float));
        std::memcpy(numbers.data(), blob.getBlob(), numbers.size() * sizeof(float));
        use(row.getColumn(0).getInt64(), of, numbers);
      });
}

std::map<std::int64_t, std::string> Database::axes(int version) {
  std::map<std::int64_t, std::string> found;
  connection_->each_row(
      "select id, text from axes where version = ?",
      [&](SQLite::Statement& row) {
        found.emplace(row.getColumn(0).getInt64(), row.getColumn(1).getString());
      },
      version);
  return found;
}

std::size_t Database::described_count() {
  std::size_t count = 0;
  connection_->each_row("select count(*) from description", [&](SQLite::Statement& row) {
    count = static_cast<std::size_t>(row.getColumn(0).getInt64());
  });
  return count;
}

std::vector<std::int64_t> Database::described_without_place(int version) {
  std::vector<std::int64_t> found;
  connection_->each_row(
      "select problem from description where problem not in (select problem from place where axes "
      "in (select id from axes where version = ?)) order by problem",
      [&](SQLite::Statement& row) { found.push_back(row.getColumn(0).getInt64()); }, version);
  return found;
}

}  // namespace paraiso::tune
