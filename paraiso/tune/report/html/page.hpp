// The page: sections, one after the other, in one self-contained file.
// Gives: Section, page, paragraph, note, preformatted, score_text, ratio_text. Needs: html.
#pragma once

#include <string>
#include <vector>

namespace paraiso::tune {

struct Section {
  std::string title;
  std::string body;  // HTML
};

/// A browser that opens it loads nothing else and runs no script: the page itself forbids it.
[[nodiscard]] std::string page(const std::string& title, const std::string& subtitle,
                               const std::vector<Section>& sections);

/// A paragraph of plain text.
[[nodiscard]] std::string paragraph(const std::string& text);
/// A paragraph that explains a chart or table, in small print.
[[nodiscard]] std::string note(const std::string& text);
[[nodiscard]] std::string preformatted(const std::string& text);

/// "12.34 ± 0.05", in millions.
[[nodiscard]] std::string score_text(double score, double deviation);
/// "1.234".
[[nodiscard]] std::string ratio_text(double ratio);

}  // namespace paraiso::tune
