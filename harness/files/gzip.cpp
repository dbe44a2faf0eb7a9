// SPDX-License-Identifier: Apache-2.0
#include "harness/files/gzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>

#include "harness/files/atomic_file.h"
#include "harness/files/file_descriptor.h"
#include "variants/core/error.h"

namespace alsbench {

std::string read_whole_file_unzipped(const std::filesystem::path& path) {
  errno = 0;
  FileDescriptor opened = open_to_read(path.c_str());
  if (opened) check_document_length(path, opened);
  const bool pipe = opened && is_pipe(opened);
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(
      opened ? gzdopen(opened.get(), "rb") : nullptr, gzclose);
  if (file)
    opened.release();  // zlib closes it
  else
    throw UsageError(fmt::format("cannot read '{}': {}", path.string(), std::strerror(errno)));
  std::string content;
  std::array<char, 1 << 16> chunk{};
  int count = 0;
  while ((count = gzread(file.get(), chunk.data(), chunk.size())) > 0) {
    content.append(chunk.data(), static_cast<size_t>(count));
    check_document_length(path, content.size());
  }
  int code = Z_OK;
  const std::string problem = gzerror(file.get(), &code);
  // A file cut short reads as far as it goes; only the code tells.
  if (count < 0 || (code != Z_OK && code != Z_STREAM_END))
    throw UsageError(fmt::format("cannot read '{}': {}; fetch or record it anew", path.string(),
                                 code == Z_ERRNO ? std::strerror(errno) : problem));
  if (content.empty() && pipe) refuse_idle_pipe(path);
  return content;
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
