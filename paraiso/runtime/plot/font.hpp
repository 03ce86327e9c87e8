// font: letters as grey pixels.
// Gives: Glyph, layout, require_font. Needs: FreeType, and DejaVu Sans (or $PARAISO_FONT).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace paraiso::runtime {

struct Glyph {
  int left = 0, top = 0;  // of its upper left pixel: right of the text's start, above the baseline
  int width = 0, height = 0;
  std::vector<std::uint8_t> coverage;  // row by row
};

/// The letters of ASCII `text` side by side, `size` pixels high. Throws Error if no font is found.
[[nodiscard]] std::vector<Glyph> layout(std::string_view text, int size);

/// Throws Error, with the package that has a font, if none is found.
void require_font();

}  // namespace paraiso::runtime
