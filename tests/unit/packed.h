// SPDX-License-Identifier: Apache-2.0
// Files as gzip, zstd and zip write them.
#pragma once

#include <zip.h>
#include <zstd.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "harness/files/atomic_file.h"

namespace alsbench {

// With a checksum, as the command `zstd` does.
inline std::string zstd_of(std::string_view text) {
  const std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(),
                                                                   ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(
      ZSTD_compress2(context.get(), packed.data(), packed.size(), text.data(), text.size()));
  return packed;
}

// The bytes of an archive with these files; `scratch` is a name that it may write under.
inline std::string zip_of(const std::filesystem::path& scratch,
                          const std::map<std::string, std::string>& files) {
  int code = 0;
  zip_t* const zip = zip_open(scratch.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  for (const auto& [name, text] : files)
    zip_file_add(zip, name.c_str(), zip_source_buffer(zip, text.data(), text.size(), 0), 0);
  zip_close(zip);
  const std::string bytes = read_whole_file(scratch);
  std::filesystem::remove(scratch);
  return bytes;
}

}  // namespace alsbench
