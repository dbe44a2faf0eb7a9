// SPDX-License-Identifier: Apache-2.0
// Journal: the append-only file of a run's records, one a line: "LENGTH CRC32C JSON\n", synced
// before append() returns. `alsbench run` writes one, --resume and tuning's replay read it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/files/file_descriptor.h"
#include "harness/record/json.h"

namespace alsbench {

struct JournalContent {
  std::vector<Json> records;          // every complete record, in order
  std::vector<std::string> problems;  // "line 3: checksum differs": skipped lines before the last
  bool torn_tail = false;             // the last line was cut off; it is ignored
  int64_t intact_bytes = 0;           // up to the end of the last complete line
};

// The records of a journal's text. A damaged line is reported and skipped, never guessed at.
JournalContent parse_journal(std::string_view text);
// The same of a file; throws UsageError where it cannot be read.
JournalContent read_journal(const std::filesystem::path& path);

std::string journal_line(const Json& record);

class Journal {
 public:
  // A new, empty journal; replaces what was there.
  static Journal create(const std::filesystem::path& path);
  // Goes on after the last complete line; a torn tail is cut off.
  static Journal resume(const std::filesystem::path& path, const JournalContent& content);

  // Throws EnvironmentError when the record could not be brought to the disk; none of it is left
  // in the file then.
  void append(const Json& record);

 private:
  Journal(FileDescriptor fd, std::filesystem::path path, int64_t intact_bytes)
      : fd_(std::move(fd)), path_(std::move(path)), intact_bytes_(intact_bytes) {}
  FileDescriptor fd_;
  std::filesystem::path path_;
  int64_t intact_bytes_;  // the length after the last complete record
};

}  // namespace alsbench
