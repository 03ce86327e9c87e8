// tables: a scoreboard as text and as a page.
// Gives: scoreboard_tables, scoreboard_text, scoreboard_page. Needs: scoreboard, html.
#pragma once

#include "paraiso/tune/report/html/html.hpp"
#include "paraiso/tune/scoreboard/scoreboard.hpp"

namespace paraiso::tune {

/// The standings, then a table for each space with the calculated law of random drawing.
[[nodiscard]] std::vector<HtmlTable> scoreboard_tables(const Scoreboard& board);
/// The tables in columns, and what their numbers mean.
[[nodiscard]] std::string scoreboard_text(const Scoreboard& board);
[[nodiscard]] std::string scoreboard_page(const Scoreboard& board);

}  // namespace paraiso::tune
