// SPDX-License-Identifier: Apache-2.0
// Documents that may be compressed with gzip, and text as gzip writes it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "harness/files/unpack.h"

namespace alsbench {

// The text of a document that someone hands to the program, compressed with gzip or not. Throws
// UsageError where it cannot be read, is damaged or is longer than any document.
std::string document_text(const std::filesystem::path& path);

// Whether a file of a folder is a document by its name: .json, or .json.gz.
bool is_document_name(std::string_view name);

// The text as a gzip file. The same text gives the same bytes.
std::string gzip_of(std::string_view text);

}  // namespace alsbench
