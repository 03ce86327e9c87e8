#include "paraiso/tune/replay/inflate.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <memory>

#include "paraiso/base/error.hpp"

namespace paraiso::tune {

namespace {

constexpr int kGzip = 16 + MAX_WBITS;  // zlib's way to ask for gzip's header and check sum

}  // namespace

std::string inflated(std::string data, std::size_t most) {
  if (!data.starts_with("\x1f\x8b")) return data;
  z_stream stream{};
  if (inflateInit2(&stream, kGzip) != Z_OK) throw Error("zlib can't be initialised");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> ended(&stream, inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(data.data());
  stream.avail_in = static_cast<uInt>(data.size());
  std::string text;
  auto buffer = std::make_unique<std::array<char, 1 << 16>>();
  int state = Z_OK;
  while (state == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer->data());
    stream.avail_out = static_cast<uInt>(buffer->size());
    state = inflate(&stream, Z_NO_FLUSH);
    text.append(buffer->data(), buffer->size() - stream.avail_out);
    if (state == Z_STREAM_END && stream.avail_in > 0) state = inflateReset(&stream);  // another one
    if (text.size() > most)
      throw Error(fmt::format("the compressed data are of more than {} MB", most >> 20));
  }
  if (state != Z_STREAM_END) throw Error("the compressed data are damaged or end too early");
  return text;
}

}  // namespace paraiso::tune
