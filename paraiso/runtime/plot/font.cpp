#include "paraiso/runtime/plot/font.hpp"

#include <ft2build.h>
#include FT_FREETYPE_H

#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string>

#include "paraiso/base/error.hpp"

namespace paraiso::runtime {
namespace {

// Where Debian, Fedora and Arch put DejaVu Sans.
constexpr const char* kFonts[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
};

std::string find_font() {
  if (const char* own = std::getenv("PARAISO_FONT"); own != nullptr && *own != '\0') return own;
  for (const char* font : kFonts)
    if (std::filesystem::exists(font)) return font;
  throw Error("no font to label pictures with: DejaVu Sans is not installed")
      .with_hint("`apt install fonts-dejavu-core` has it; or set PARAISO_FONT to a font file");
}

/// Invariant: `face` is an open font. One per process; FreeType's faces are not thread-safe.
struct Font {
  FT_Library library = nullptr;
  FT_Face face = nullptr;
  std::mutex mutex;

  Font() {
    const auto file = find_font();
    if (FT_Init_FreeType(&library) != 0) throw Error("FreeType can't start");
    if (FT_New_Face(library, file.c_str(), 0, &face) == 0) return;
    FT_Done_FreeType(library);
    throw Error("`" + file + "` is not a font that FreeType can read");
  }
  Font(const Font&) = delete;
  Font& operator=(const Font&) = delete;
  ~Font() { FT_Done_FreeType(library); }  // and its faces
};

Font& font() {
  static Font one;
  return one;
}

Glyph glyph_of(const FT_GlyphSlot slot, int pen) {
  Glyph glyph{pen + slot->bitmap_left,
              slot->bitmap_top,
              static_cast<int>(slot->bitmap.width),
              static_cast<int>(slot->bitmap.rows),
              {}};
  for (int row = 0; row < glyph.height; ++row) {
    const auto* start = slot->bitmap.buffer + row * slot->bitmap.pitch;
    glyph.coverage.insert(glyph.coverage.end(), start, start + glyph.width);
  }
  return glyph;
}

}  // namespace

std::vector<Glyph> layout(std::string_view text, int size) {
  std::vector<Glyph> glyphs;
  std::lock_guard lock(font().mutex);
  FT_Set_Pixel_Sizes(font().face, 0, static_cast<FT_UInt>(size));
  long pen = 0;  // 1/64 pixel
  for (unsigned char letter : text) {
    if (FT_Load_Char(font().face, letter, FT_LOAD_RENDER) != 0) continue;
    glyphs.push_back(glyph_of(font().face->glyph, static_cast<int>(pen / 64)));
    pen += font().face->glyph->advance.x;
  }
  return glyphs;
}

void require_font() { font(); }

}  // namespace paraiso::runtime
