// SPDX-License-Identifier: Apache-2.0
#include "harness/record/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "harness/files/atomic_file.h"
#include "harness/files/file_lock.h"
#include "harness/files/strict_json.h"

namespace alsbench {
namespace {

constexpr size_t kChecksumDigits = 8;
const Json kFinished{{"kind", "finished"}};  // the last record
constexpr const char* kOverBudget = "over_budget";

// The record of one line without its newline, or why there is none.
std::optional<Json> parse_line(std::string_view line, std::string& problem) {
  size_t length = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), length);
  const auto digits = static_cast<size_t>(end - line.data());
  if (error != std::errc() || line.size() < digits + kChecksumDigits + 2 || line[digits] != ' ' ||
      line[digits + 1 + kChecksumDigits] != ' ') {
    problem = "is not of the form LENGTH CRC32C JSON";
    return std::nullopt;
  }
  const std::string_view checksum = line.substr(digits + 1, kChecksumDigits);
  const std::string_view text = line.substr(digits + kChecksumDigits + 2);
  if (text.size() != length) {
    problem = fmt::format("holds {} bytes where {} were written", text.size(), length);
    return std::nullopt;
  }
  if (checksum != fmt::format("{:08x}", crc32c(text))) {
    problem = "has a wrong checksum";
    return std::nullopt;
  }
  try {
    return parse_json(std::string(text), "its JSON");
  } catch (const UsageError& refusal) {
    problem = std::string("is refused: ") + refusal.what();
    return std::nullopt;
  }
}

[[noreturn]] void throw_unwritable(const std::filesystem::path& path) {
  throw EnvironmentError(
      fmt::format("cannot write the journal '{}': {}; choose a writable folder with free space",
                  path.string(), std::strerror(errno)));
}

void lock(const FileDescriptor& fd, const std::filesystem::path& path) {
  if (!take_lock(fd))
    throw UsageError(
        fmt::format("{}: another process writes this journal; wait for its end, or give this run "
                    "other names",
                    path.string()));
}

bool is_finished(const JournalContent& content) {
  return !content.records.empty() && content.records.back() == kFinished;
}

bool is_end_of_part(const Json& record) { return text_at(record, "kind") == kOverBudget; }

}  // namespace

std::string journal_line(const Json& record) {
  // Bytes of a worker's log may be anything; a journal is UTF-8.
  const std::string text = record.dump(-1, ' ', false, Json::error_handler_t::replace);
  return fmt::format("{} {:08x} {}\n", text.size(), crc32c(text), text);
}

JournalContent parse_journal(std::string_view text) {
  JournalContent content;
  size_t begin = 0;
  for (int64_t number = 1; begin < text.size(); ++number) {
    const size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) {
      content.torn_tail = true;
      return content;
    }
    std::string problem;
    if (auto record = parse_line(text.substr(begin, end - begin), problem))
      content.records.push_back(std::move(*record));
    else
      content.problems.push_back(fmt::format("line {} {}", number, problem));
    begin = end + 1;
    content.intact_bytes = static_cast<int64_t>(begin);
  }
  return content;
}

JournalContent read_journal(const std::filesystem::path& path) {
  return parse_journal(read_whole_file(path));
}

bool has_journal(const std::filesystem::path& path) {
  std::error_code none;
  return std::filesystem::exists(path, none) && std::filesystem::file_size(path, none) != 0;
}

UnfinishedRun unfinished_run(const std::filesystem::path& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return {};
  const FileDescriptor fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  lock(fd, path);
  const JournalContent content = read_journal(path);
  if (content.records.empty() || is_finished(content)) return {};
  const auto ends = std::ranges::count_if(content.records, is_end_of_part);
  return {static_cast<int64_t>(content.records.size()) - 1 - ends,
          is_end_of_part(content.records.back()) ? text_at(content.records.back(), "budget") : ""};
}

Journal::Journal(const std::filesystem::path& path, int flags)
    : path_(path), fd_(open(path.c_str(), flags | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0666)) {
  if (!fd_) throw_unwritable(path);
  lock(fd_, path);
}

Journal Journal::create(const std::filesystem::path& path, const Json& head) {
  std::error_code ignored;  // open() reports what matters
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), ignored);
  Journal journal(path, O_WRONLY | O_CREAT);
  if (ftruncate(journal.fd_.get(), 0) != 0) throw_unwritable(path);
  journal.append(head);
  sync_folder(path.parent_path());
  return journal;
}

ResumedJournal Journal::resume(const std::filesystem::path& path) {
  Journal journal(path, O_WRONLY);
  JournalContent content = read_journal(path);
  journal.intact_bytes_ = content.intact_bytes;
  journal.torn_tail_ = content.torn_tail;
  journal.finished_ = is_finished(content);
  return {std::move(journal), std::move(content)};
}

void Journal::append(const Json& record) {
  const std::string line = journal_line(record);
  if (torn_tail_ && ftruncate(fd_.get(), intact_bytes_) != 0) throw_unwritable(path_);
  torn_tail_ = finished_ = false;
  try {
    write_all(fd_.get(), line, path_.string());
    if (!sync_to_disk(fd_.get())) throw_unwritable(path_);
  } catch (const EnvironmentError&) {
    // A tail that cannot be cut back is ignored by readers.
    static_cast<void>(ftruncate(fd_.get(), intact_bytes_) == 0);
    throw;
  }
  intact_bytes_ += static_cast<int64_t>(line.size());
}

void Journal::finish() {
  if (!finished_) append(kFinished);
  finished_ = true;
}

void Journal::end_part(const std::string& budget) {
  append({{"kind", kOverBudget}, {"budget", budget}});
}

namespace {

constexpr uint32_t kPolynomial = 0x82F63B78;  // reflected, RFC 3720 appendix B.4

constexpr std::array<uint32_t, 256> kTable = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    table[byte] = crc;
  }
  return table;
}();

}  // namespace

uint32_t crc32c(std::string_view bytes) {
  uint32_t crc = ~0u;
  for (const char byte : bytes)
    crc = (crc >> 8) ^ kTable[(crc ^ static_cast<uint8_t>(byte)) & 0xFF];
  return ~crc;
}

}  // namespace alsbench
