// SPDX-License-Identifier: Apache-2.0
// Tables of Parquet, Arrow or JSON lines. The Python package's command reads them, and hands them
// over as CSV in pipes: python/alsbench/arrow.py. They keep the names of their files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace alsbench {

struct PipedTable {
  int pipe = -1;    // of the CSV
  int status = -1;  // of a pipe that says how reading ended
  std::string kind;
};

// The table that a path names; nullptr where it names none.
const PipedTable* piped_table(const std::filesystem::path& path);

// Waits for the word that the table was read to its end. Throws UsageError or EnvironmentError with
// what the package says of a table that it could not read.
void check_read_to_end(const std::filesystem::path& path, const PipedTable& table);

// Objection to the ids of a column, counted from 0, of a table that was read to its end; empty
// where there is none. The package alone knows the columns' types.
std::string objection_to_ids(const std::filesystem::path& path, size_t column);

// A line of a file for messages: "r.csv:3", or "r.parquet: row 2" of a table, whose header is a
// line.
std::string place_of(const std::filesystem::path& path, int64_t line);

}  // namespace alsbench
