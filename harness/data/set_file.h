// SPDX-License-Identifier: Apache-2.0
// The program's own binary file of a whole rating set (.alsset). It holds both orders, test ratings
// ids and times as the arrays in memory, so it is mapped, not parsed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "harness/data/csr.h"
#include "harness/files/atomic_file.h"

namespace alsbench {

// Raised with every change of the layout.
constexpr uint32_t kSetFileVersion = 6;
// The first bytes of such a file.
constexpr std::string_view kSetFileMagic = "ALSBSET\n";

bool is_set_file(const std::filesystem::path& path);
// Maps the file; every byte is checked against the hashes it holds, in parallel. The result is a
// valid set, whoever wrote the file: sections lie in the file, offsets ascend, indices are in
// range, and both orders hold the same ratings. Throws UsageError naming the file, what is wrong
// with it and the remedy.
RatingSet read_set_file(const std::filesystem::path& path);
// Throws EnvironmentError when it cannot write.
void write_set_file(const std::filesystem::path& path, const RatingSet& set, Sync sync = Sync::yes);

}  // namespace alsbench
