// tables: a scoreboard as text and as a page.
// Gives: scoreboard_text, scoreboard_page. Needs: scoreboard, html.
//
// The standings, then a table for each space with the calculated law of random drawing. On the page
// each median has its interval; in columns of text only the scores have one.
#pragma once

#include "paraiso/tune/report/html/html.hpp"
#include "paraiso/tune/scoreboard/scoreboard.hpp"

namespace paraiso::tune {

/// The tables in columns, and what their numbers mean.
[[nodiscard]] std::string scoreboard_text(const Scoreboard& board);
[[nodiscard]] std::string scoreboard_page(const Scoreboard& board);

}  // namespace paraiso::tune
