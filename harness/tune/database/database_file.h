// SPDX-License-Identifier: Apache-2.0
// The files of the tuning database: read as a whole, and changed under a lock.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/record/json.h"
#include "harness/tune/database/tuned_entry.h"

namespace alsbench {

// The entries of a database file's text; throws UsageError naming `source` and the place.
std::vector<TunedEntry> parse_tuned(const std::string& text, const std::string& source);

// An entry with its JSON, which may have fields that this program does not know.
struct FiledEntry {
  TunedEntry entry;
  Json json;
};
using FiledEntries = std::map<std::string, FiledEntry>;  // by key

// Throws UsageError where the file is damaged or not there.
FiledEntries read_database(const std::filesystem::path& path);

// Throws what update_database would throw of a damaged file or one of several names, before
// anything is measured.
void check_database(const std::filesystem::path& path);

// Changes the entries of a file under a lock, and writes it as a whole. All else in the file is
// kept, also fields that this program does not know. Makes the file and its folder. Throws
// UsageError where the file is damaged or has hard links, which is then left as it is, and
// EnvironmentError where it cannot be written.
void update_database(const std::filesystem::path& path,
                     const std::function<void(FiledEntries&)>& change);
// Adds entries in this way; those of equal keys are replaced.
void add_to_database(const std::filesystem::path& path, const std::vector<TunedEntry>& entries);

}  // namespace alsbench
