// SPDX-License-Identifier: Apache-2.0
#include "harness/files/gzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <memory>
#include <new>

#include "base/error.h"
#include "harness/files/atomic_file.h"

namespace alsbench {

namespace {

constexpr int kGzipWindow = 15 + 16;

[[noreturn]] void refuse(const std::filesystem::path& path, const char* why) {
  throw UsageError(fmt::format("cannot read '{}': its gzip data {}; fetch or record it again",
                               path.string(), why));
}

// A gzip file is one member after another.
std::string unpacked(const std::filesystem::path& path, std::string_view packed) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> owner(&stream, inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string text;
  std::array<char, 1 << 16> chunk{};
  int code = Z_OK;
  do {
    if (code == Z_STREAM_END) inflateReset(&stream);
    stream.next_out = reinterpret_cast<Bytef*>(chunk.data());
    stream.avail_out = static_cast<uInt>(chunk.size());
    code = inflate(&stream, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (code == Z_BUF_ERROR) refuse(path, "ends too early");
    if (code != Z_OK && code != Z_STREAM_END)
      refuse(path, fmt::format("is damaged ({})", stream.msg ? stream.msg : "no reason").c_str());
    text.append(chunk.data(), chunk.size() - stream.avail_out);
    check_document_length(path, text.size());
  } while (code != Z_STREAM_END || stream.avail_in > 0);
  return text;
}

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string document_text(const std::filesystem::path& path) {
  std::string bytes = read_whole_file(path);
  return is_gzip(bytes) ? unpacked(path, bytes) : bytes;
}

bool is_document_name(std::string_view name) {
  return name.ends_with(".json") || name.ends_with(".json.gz");
}

std::string gzip_of(std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, 9, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> owner(&stream, deflateEnd);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  return packed;
}

}  // namespace alsbench
