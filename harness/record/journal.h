// SPDX-License-Identifier: Apache-2.0
// Journal: the append-only file of a run's records, one a line: "LENGTH CRC32C JSON\n", synced
// before append() returns. A run that ended says so in a last record, and so does one that its
// budget ended and that may be continued.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/files/file_descriptor.h"
#include "harness/record/json.h"

namespace alsbench {

// CRC-32C (Castagnoli): the checksum of the journal's lines.
uint32_t crc32c(std::string_view bytes);

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

// The struct of a record, by its codec. Throws UsageError that names the journal, the record's
// number from 0 and the place in it.
template <class Read>
auto read_record(const JournalContent& content, size_t number, const std::filesystem::path& path,
                 const Read& read) {
  return read_written(content.records[number], path.string() + ": record " + std::to_string(number),
                      read);
}

// Whether there is something to go on from. A process that was killed before its first record may
// have left an empty file.
bool has_journal(const std::filesystem::path& path);
// A run that did not end.
struct UnfinishedRun {
  int64_t records = 0;  // beyond the first, that a new journal would lose; 0: the run ended
  std::string budget;   // what ended this part of it, as end_part() was told; "": nobody says
};
// Throws UsageError where another process writes the journal now.
UnfinishedRun unfinished_run(const std::filesystem::path& path);

struct ResumedJournal;

// The file is locked for as long as the object lives: no two processes write one journal.
class Journal {
 public:
  // A new journal that begins with `head`, in place of what was there. Throws EnvironmentError
  // where it cannot be written, UsageError where another process writes it.
  static Journal create(const std::filesystem::path& path, const Json& head);
  // Goes on after the last complete line; the first append cuts off a torn tail. Throws as create()
  // does, and UsageError where the file cannot be read.
  static ResumedJournal resume(const std::filesystem::path& path);

  // Throws EnvironmentError when the record could not be brought to the disk; none of it is left
  // in the file then.
  void append(const Json& record);
  // The run has ended and its results are written: the journal may be replaced. Throws as append().
  void finish();
  // Its results are written, but `budget` ended the run before its end. Throws as append().
  void end_part(const std::string& budget);
  const std::filesystem::path& path() const { return path_; }

 private:
  Journal(const std::filesystem::path& path, int flags);

  std::filesystem::path path_;
  FileDescriptor fd_;
  int64_t intact_bytes_ = 0;  // the length after the last complete record
  bool torn_tail_ = false, finished_ = false;
};

// A journal that is resumed, and what it held.
struct ResumedJournal {
  Journal journal;
  JournalContent content;
};

}  // namespace alsbench
