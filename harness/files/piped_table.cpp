// SPDX-License-Identifier: Apache-2.0
#include "harness/files/piped_table.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <sstream>

#include "base/error.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVariable = "ALSBENCH_TABLES";  // lines of PIPE STATUS KIND PATH
// The status of a table: one of these, and what went wrong behind it.
// Of a whole one lines COLUMN OBJECTION, about columns that cannot be ids.
constexpr std::string_view kWhole = "0 ", kUsage = "2 ", kEnvironment = "3 ";

std::map<fs::path, PipedTable> tables_in(const char* text) {
  std::map<fs::path, PipedTable> tables;
  std::istringstream lines(text == nullptr ? "" : text);
  PipedTable table;
  std::string path;
  while (lines >> table.pipe >> table.status >> table.kind && std::getline(lines.ignore(1), path))
    tables.emplace(path, table);
  return tables;
}

std::string rest_of(int pipe) {
  std::string text;
  std::array<char, 4096> part{};
  while (true) {
    const ssize_t got = ::read(pipe, part.data(), part.size());
    if (got > 0) text.append(part.data(), static_cast<size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR)) return text;
  }
}

using Objections = std::map<size_t, std::string>;  // by column

std::map<fs::path, Objections>& objections() {
  static std::map<fs::path, Objections> of_tables;
  return of_tables;
}

void keep_objections(const fs::path& path, const std::string& text) {
  std::istringstream lines(text);
  size_t column = 0;
  std::string objection;
  while (lines >> column && std::getline(lines.ignore(1), objection))
    objections()[path].emplace(column, objection);
}

}  // namespace

const PipedTable* piped_table(const fs::path& path) {
  static const std::map<fs::path, PipedTable> tables = tables_in(std::getenv(kVariable));
  const auto found = tables.find(path);
  return found == tables.end() ? nullptr : &found->second;
}

void check_read_to_end(const fs::path& path, const PipedTable& table) {
  const std::string status = rest_of(table.status);
  if (status.starts_with(kWhole)) return keep_objections(path, status.substr(kWhole.size()));
  if (status.starts_with(kUsage)) throw UsageError(status.substr(kUsage.size()));
  if (status.starts_with(kEnvironment)) throw EnvironmentError(status.substr(kEnvironment.size()));
  throw EnvironmentError(fmt::format(
      "{}: the process that reads it was ended; run it again, with more memory if that ran out",
      path.string()));
}

std::string objection_to_ids(const fs::path& path, size_t column) {
  const auto table = objections().find(path);
  if (table == objections().end()) return "";
  const auto found = table->second.find(column);
  return found == table->second.end() ? "" : found->second;
}

std::string place_of(const fs::path& path, int64_t line) {
  if (piped_table(path) == nullptr) return fmt::format("{}:{}", path.string(), line);
  return line > 1 ? fmt::format("{}: row {}", path.string(), line - 1) : path.string();
}

}  // namespace alsbench
