// The part of Database about what problems are like, what is measured beside individuals, and
// sessions.
#include <SQLiteCpp/VariadicBind.h>

#include <algorithm>
#include <cstring>

#include "paraiso/tune/database/connection.hpp"
#include "paraiso/tune/database/stored.hpp"

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

void Database::record(std::int64_t problem, const Contest& contest) {
  Connection& c = *connection_;
  c.transacted([&] {
    SQLite::Statement insert(
        c.file,
        "insert or replace into contest (problem, genome, start, score, deviation, start_score, "
        "start_deviation, won, plan, start_plan, operations, bytes, command, held) "
        "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    SQLite::bind(insert, problem, contest.best.genome, contest.start.genome, contest.best.score,
                 contest.best.deviation, contest.start.score, contest.start.deviation,
                 static_cast<int>(contest.won), contest.best.plan, contest.start.plan,
                 contest.operations, contest.bytes, contest.command, contest.held);
    return insert.exec();
  });
}

std::optional<Contest> Database::contest(std::int64_t problem) {
  Connection& c = *connection_;
  return c.guarded([&]() -> std::optional<Contest> {
    SQLite::Statement row(c.file,
                          "select genome, score, deviation, plan, start, start_score, "
                          "start_deviation, start_plan, won, operations, bytes, command, held "
                          "from contest where problem = ?");
    row.bind(1, problem);
    if (!row.executeStep()) return std::nullopt;
    const auto text = [&](int at) { return row.getColumn(at).getString(); };
    const auto real = [&](int at) { return row.getColumn(at).getDouble(); };
    const auto score = [&](int at) {
      return sound_score(c.path, "the contest of problem", problem, row.getColumn(at));
    };
    const auto side = [&](int at) -> Contest::Side {
      return {sound_genome(c.path, problem, text(at)), score(at + 1), score(at + 2), text(at + 3)};
    };
    return Contest{side(0),  side(4), row.getColumn(8).getInt() != 0, real(9), real(10),
                   text(11), real(12)};
  });
}

void Database::record(std::int64_t problem, const Contest& contest, const TakenGenes& part) {
  Connection& c = *connection_;
  c.transacted([&] {
    SQLite::Statement insert(
        c.file,
        "insert or replace into part (problem, champion, start, name, score, deviation, reason, "
        "rounds) values (?, ?, ?, ?, ?, ?, ?, ?)");
    SQLite::bind(insert, problem, contest.best.genome, contest.start.genome, part.name,
                 part.measurement.score, part.measurement.deviation, part.measurement.reason,
                 part.rounds);
    return insert.exec();
  });
}

std::vector<TakenGenes> Database::parts(std::int64_t problem, const Contest& contest) {
  std::vector<TakenGenes> found;
  connection_->each_row(
      "select name, score, deviation, reason, rounds from part "
      "where problem = ? and champion = ? and start = ? order by name",
      [&](SQLite::Statement& row) {
        found.push_back({row.getColumn(0).getString(),
                         outcome_at(connection_->path, "a part of problem", problem, row, 1),
                         row.getColumn(4).getInt()});
      },
      problem, contest.best.genome, contest.start.genome);
  return found;
}

void Database::record(std::int64_t problem, const ReferenceTiming& reference) {
  Connection& c = *connection_;
  c.transacted([&] {
    SQLite::Statement insert(
        c.file, "insert into reference (problem, score, deviation, taken) values (?, ?, ?, ?)");
    SQLite::bind(insert, problem, reference.score, reference.deviation, reference.taken);
    return insert.exec();
  });
}

std::vector<ReferenceTiming> Database::references(std::int64_t problem) {
  std::vector<ReferenceTiming> found;
  connection_->each_row(
      "select score, deviation, taken from reference where problem = ? order by taken, id",
      [&](SQLite::Statement& row) {
        const auto score = [&](int at) {
          return sound_score(connection_->path, "a reference of problem", problem,
                             row.getColumn(at));
        };
        found.push_back({score(0), score(1), row.getColumn(2).getDouble()});
      },
      problem);
  return found;
}

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

void Database::each_judged(
    const std::function<void(std::int64_t, const std::string&, const std::string&)>& use) {
  connection_->each_row(
      "select id, machine, size from problem where id in (select problem from contest) and id in "
      "(select problem from description)",
      [&](SQLite::Statement& row) {
        use(row.getColumn(0).getInt64(), row.getColumn(1).getString(),
            row.getColumn(2).getString());
      });
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

void Database::keep_program(const std::string& hash, const std::string& text) {
  Connection& c = *connection_;
  c.transacted([&] {
    SQLite::Statement insert(c.file, "insert or ignore into program (hash, text) values (?, ?)");
    SQLite::bind(insert, hash, text);
    return insert.exec();
  });
}

std::optional<std::string> Database::program(const std::string& hash) {
  std::optional<std::string> text;
  connection_->each_row(
      "select text from program where hash = ?",
      [&](SQLite::Statement& row) { text = row.getColumn(0).getString(); }, hash);
  return text;
}

void Database::list(std::int64_t problem, std::span<const ListedRecipe> recipes) {
  const auto known = listed(problem);
  const auto same = [](const ListedRecipe& one, const ListedRecipe& other) {
    return one.number == other.number && one.genome == other.genome;
  };
  if (!recipes.empty() && known.size() > recipes.size() &&
      std::equal(recipes.begin(), recipes.end(), known.begin(), same))
    return;
  Connection& c = *connection_;
  c.transacted([&] {
    SQLite::Statement forget(c.file, "delete from listed where problem = ?");
    forget.bind(1, problem);
    forget.exec();
    SQLite::Statement insert(
        c.file, "insert into listed (problem, number, genome, model) values (?, ?, ?, ?)");
    for (const ListedRecipe& recipe : recipes) {
      SQLite::bind(insert, problem, recipe.number, recipe.genome, recipe.nanoseconds);
      insert.exec();
      insert.reset();
    }
    return true;
  });
}

std::vector<ListedRecipe> Database::listed(std::int64_t problem) {
  std::vector<ListedRecipe> found;
  connection_->each_row(
      "select number, genome, model from listed where problem = ? order by number",
      [&](SQLite::Statement& row) {
        found.push_back({row.getColumn(0).getInt(),
                         sound_genome(connection_->path, problem, row.getColumn(1).getString()),
                         row.getColumn(2).getDouble()});
      },
      problem);
  return found;
}

std::vector<std::int64_t> Database::problems_with_lists() {
  std::vector<std::int64_t> found;
  connection_->each_row(
      "select distinct problem from listed order by problem",
      [&](SQLite::Statement& row) { found.push_back(row.getColumn(0).getInt64()); });
  return found;
}

void Database::remeasure(std::int64_t individual, const Measurement& measurement) {
  Connection& c = *connection_;
  c.transacted([&] {
    SQLite::Statement insert(
        c.file,
        "insert or replace into remeasurement (individual, score, deviation, samples, reason) "
        "values (?, ?, ?, ?, ?)");
    SQLite::bind(insert, individual, measurement.score, measurement.deviation,
                 samples_text(measurement.samples), measurement.reason);
    return insert.exec();
  });
}

std::map<std::string, Measurement> Database::remeasured(std::int64_t problem) {
  std::map<std::string, Measurement> found;
  connection_->each_row(
      "select i.code_hash, r.score, r.deviation, r.reason from remeasurement r "
      "join individual i on i.id = r.individual where i.problem = ?",
      [&](SQLite::Statement& row) {
        found.insert_or_assign(
            row.getColumn(0).getString(),
            outcome_at(connection_->path, "a remeasurement of problem", problem, row, 1));
      },
      problem);
  return found;
}

std::vector<TunerRunCount> Database::sessions(std::int64_t problem) {
  std::vector<TunerRunCount> found;
  connection_->each_row(
      "select s.strategy, s.seed, s.command, s.version, s.started, s.process, count(*), s.id "
      "from individual i join session s on s.id = i.session where i.problem = ? group by s.id "
      "order by s.started, s.id",
      [&](SQLite::Statement& row) {
        const auto text = [&](int at) { return row.getColumn(at).getString(); };
        const auto seed = static_cast<std::uint64_t>(row.getColumn(1).getInt64());
        found.push_back({row.getColumn(7).getInt64(),
                         {text(0), seed, text(2), text(3), row.getColumn(4).getDouble(), text(5)},
                         row.getColumn(6).getInt64()});
      },
      problem);
  return found;
}

std::map<std::string, double> Database::first_finished(std::int64_t problem) {
  std::map<std::string, double> found;
  connection_->each_row(
      "select code_hash, min(finished) from individual "
      "where problem = ? and code_hash <> '' group by code_hash",
      [&](SQLite::Statement& row) {
        found.emplace(row.getColumn(0).getString(), row.getColumn(1).getDouble());
      },
      problem);
  return found;
}

std::vector<double> Database::session_starts(std::int64_t problem) {
  std::vector<double> found;
  connection_->each_row(
      "select started from session where id not in "
      "(select session from individual where problem <> ?) order by started",
      [&](SQLite::Statement& row) { found.push_back(row.getColumn(0).getDouble()); }, problem);
  return found;
}

}  // namespace paraiso::tune
