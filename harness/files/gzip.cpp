// SPDX-License-Identifier: Apache-2.0
#include "harness/files/gzip.h"

#include <zlib.h>

#include <array>
#include <memory>
#include <new>

#include "harness/files/atomic_file.h"

namespace alsbench {

std::string document_text(const std::filesystem::path& path) {
  std::string bytes = read_whole_file(path);
  if (!is_gzip(bytes)) return bytes;
  const ReadBytes read = gzip_reader(path, bytes);
  std::string text;
  std::array<char, 1 << 16> piece;
  while (const size_t got = read(piece.data(), piece.size())) {
    text.append(piece.data(), got);
    check_document_length(path, text.size());
  }
  return text;
}

bool is_document_name(std::string_view name) {
  return name.ends_with(".json") || name.ends_with(".json.gz");
}

std::string gzip_of(std::string_view text) {
  constexpr int kGzipWindow = 15 + 16;
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
