#include "paraiso/tune/report/html/page.hpp"

#include <fmt/format.h>

#include "paraiso/tune/report/html/html.hpp"

namespace paraiso::tune {

namespace {

constexpr const char* kStyle = R"(
body { font: 15px/1.5 "DejaVu Sans", Helvetica, Arial, sans-serif; color: #222; background: #fff;
       max-width: 920px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0; }
h2 { font-size: 1.2rem; margin-top: 2.5rem; border-bottom: 1px solid #ccc; }
nav a { margin-right: 1rem; white-space: nowrap; }
figure { margin: 1rem 0; }
figure img { width: 100%; height: auto; }
.subtitle { color: #666; margin-top: 0; }
.note { color: #555; font-size: 0.85rem; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: 0.85rem; }
caption { text-align: left; font-weight: bold; padding-bottom: 0.3rem; }
th, td { padding: 0.15rem 0.6rem; border-bottom: 1px solid #e4e4e4; text-align: left; }
th { border-bottom: 2px solid #999; vertical-align: bottom; }
td:first-child { white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
pre { font-size: 0.75rem; line-height: 1.35; overflow-x: auto; background: #f6f6f6; padding: 0.8rem; }
)";

}  // namespace

std::string page(const std::string& title, const std::string& subtitle,
                 const std::vector<Section>& sections) {
  std::string links, bodies;
  for (std::size_t s = 0; s < sections.size(); ++s) {
    links += fmt::format("<a href=\"#s{}\">{}</a> ", s + 1, escaped(sections[s].title));
    bodies += fmt::format("<h2 id=\"s{}\">{}</h2>\n{}", s + 1, escaped(sections[s].title),
                          sections[s].body);
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n"
      "<p class=\"subtitle\">{2}</p>\n<nav>{3}</nav>\n{4}</body>\n</html>\n",
      escaped(title), kStyle, escaped(subtitle), links, bodies);
}

std::string paragraph(const std::string& text) { return fmt::format("<p>{}</p>\n", escaped(text)); }

std::string note(const std::string& text) {
  return fmt::format("<p class=\"note\">{}</p>\n", escaped(text));
}

std::string preformatted(const std::string& text) {
  return fmt::format("<pre>{}</pre>\n", escaped(text));
}

std::string score_text(double score, double deviation) {
  return fmt::format("{:.4g} ± {:.2g}", score / 1e6, deviation / 1e6);
}

std::string ratio_text(double ratio) { return fmt::format("{:.3f}", ratio); }

}  // namespace paraiso::tune
