#include <png.h>

#include <csetjmp>

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/plot/canvas.hpp"

namespace paraiso::runtime {
namespace {

void append(png_structp png, png_bytep data, png_size_t bytes) {
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<char*>(data), bytes);
}

void nothing_to_flush(png_structp) {}

// libpng leaves by longjmp if it fails, so nothing in here may need a destructor.
bool encode(png_structp png, png_infop info, png_uint_32 width, png_uint_32 height, png_bytepp rows,
            png_textp notes, int note_count, std::string* bytes) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_write_fn(png, bytes, append, nothing_to_flush);
  png_set_IHDR(png, info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_text(png, info, notes, note_count);
  png_set_rows(png, info, rows);
  png_write_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
  return true;
}

}  // namespace

std::string Canvas::png(const std::vector<std::pair<std::string, std::string>>& notes) const {
  static_assert(sizeof(Colour) == 3, "a row of colours is a row of PNG samples");
  std::vector<png_bytep> rows;
  for (int y = 0; y < height_; ++y)
    rows.push_back(const_cast<png_bytep>(reinterpret_cast<png_const_bytep>(&pixels_[index(0, y)])));
  std::vector<png_text> texts(notes.size());
  for (std::size_t i = 0; i < notes.size(); ++i) {
    texts[i].compression = PNG_TEXT_COMPRESSION_NONE;
    texts[i].key = const_cast<char*>(notes[i].first.c_str());
    texts[i].text = const_cast<char*>(notes[i].second.c_str());
  }
  std::string bytes;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png != nullptr ? png_create_info_struct(png) : nullptr;
  const bool ok = info != nullptr && encode(png, info, static_cast<png_uint_32>(width_),
                                            static_cast<png_uint_32>(height_), rows.data(),
                                            texts.data(), static_cast<int>(texts.size()), &bytes);
  png_destroy_write_struct(&png, &info);
  if (!ok) throw Error("libpng can't encode a picture");
  return bytes;
}

}  // namespace paraiso::runtime
