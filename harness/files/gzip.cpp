// SPDX-License-Identifier: Apache-2.0
#include "harness/files/gzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "variants/core/error.h"

namespace alsbench {

std::string read_whole_file_unzipped(const std::filesystem::path& path) {
  errno = 0;
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file)
    throw UsageError(fmt::format("cannot read '{}': {}", path.string(), std::strerror(errno)));
  std::string content;
  std::array<char, 1 << 16> chunk{};
  int count = 0;
  while ((count = gzread(file.get(), chunk.data(), chunk.size())) > 0)
    content.append(chunk.data(), static_cast<size_t>(count));
  int code = Z_OK;
  const std::string problem = gzerror(file.get(), &code);
  // A file cut short reads as far as it goes; only the code tells.
  if (count < 0 || (code != Z_OK && code != Z_STREAM_END))
    throw UsageError(fmt::format("cannot read '{}': {}; fetch or record it anew", path.string(),
                                 code == Z_ERRNO ? std::strerror(errno) : problem));
  return content;
}

}  // namespace alsbench
