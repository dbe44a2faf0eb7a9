// SPDX-License-Identifier: Apache-2.0
#include "harness/files/zip_archive.h"

#include <fmt/format.h>

#include <new>

#include "base/error.h"
#include "harness/files/atomic_file.h"

namespace alsbench {

ZipArchive open_zip(std::string_view bytes, std::string& why) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* const source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  if (source == nullptr) throw std::bad_alloc();
  ZipArchive zip(zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error), zip_discard);
  if (!zip) {
    why = zip_error_strerror(&error);
    zip_source_free(source);
  }
  zip_error_fini(&error);
  return zip;
}

void write_zip(const std::filesystem::path& path,
               const std::vector<std::pair<std::string, std::string>>& members,
               zip_uint32_t level) {
  replace_file(path, [&](const std::filesystem::path& temporary) {
    int code = 0;
    ZipArchive zip(zip_open(temporary.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code), zip_discard);
    if (!zip) throw EnvironmentError(fmt::format("libzip error {}", code));
    const auto check = [&](bool good) {
      if (!good) throw EnvironmentError(zip_strerror(zip.get()));
    };
    for (const auto& [name, content] : members) {
      zip_source_t* const source = zip_source_buffer(zip.get(), content.data(), content.size(), 0);
      check(source != nullptr);
      const zip_int64_t index = zip_file_add(zip.get(), name.c_str(), source, ZIP_FL_OVERWRITE);
      if (index < 0) zip_source_free(source);
      check(index >= 0);
      const auto at = static_cast<zip_uint64_t>(index);
      const zip_int32_t method = level > 0 ? ZIP_CM_DEFLATE : ZIP_CM_STORE;
      check(zip_set_file_compression(zip.get(), at, method, level) == 0);
      check(zip_file_set_mtime(zip.get(), at, 0, 0) == 0);
    }
    check(zip_close(zip.get()) == 0);
    static_cast<void>(zip.release());  // freed by zip_close
  });
}

}  // namespace alsbench
