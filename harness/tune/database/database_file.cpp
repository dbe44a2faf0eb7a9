// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/database/database_file.h"

#include <fmt/format.h>

#include "base/error.h"
#include "harness/files/atomic_file.h"
#include "harness/files/file_lock.h"
#include "harness/files/gzip.h"
#include "harness/files/link_target.h"
#include "harness/files/strict_json.h"
#include "harness/record/document.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

// The document of a file with its entries still as JSON; what is wrong names source and place.
Json parse_document(const std::string& text, const std::string& source) {
  Json json = parse_json(text, source);
  if (!json.is_object() || !json.contains("schema_version") ||
      !json["schema_version"].is_string() || !json.contains("entries") ||
      !json["entries"].is_array())
    throw UsageError(fmt::format(
        "{}: is no tuning database (an object with schema_version and entries)", source));
  check_schema_version(json["schema_version"], kSchemaVersion, source);
  return json;
}

TunedEntry parse_entry(const JsonField& json, const std::string& source) {
  try {
    return read_as<TunedEntry>(json);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}; mend or remove the entry", source, error.what()));
  }
}

std::vector<TunedEntry> entries_of(const Json& document, const std::string& source) {
  std::vector<TunedEntry> entries;
  for (const JsonField& entry : JsonField(document).at("entries").elements())
    entries.push_back(parse_entry(entry, source));
  return entries;
}

FiledEntries filed_entries(const Json& document, const std::string& source) {
  FiledEntries filed;
  for (const JsonField& json : JsonField(document).at("entries").elements()) {
    TunedEntry entry = parse_entry(json, source);
    std::string key = key_of(entry);
    filed.insert_or_assign(std::move(key), FiledEntry{std::move(entry), json.value()});
  }
  return filed;
}

// A file is replaced, not changed: its other names would keep the old one.
void expect_one_name(const fs::path& path) {
  std::error_code none;
  const auto names = fs::hard_link_count(path, none);
  if (none || names == 1) return;
  throw UsageError(fmt::format(
      "'{}' has {} names (hard links), and only this one would get the new entries; remove the "
      "others, or make them symbolic links",
      path.string(), names));
}

}  // namespace

std::vector<TunedEntry> parse_tuned(const std::string& text, const std::string& source) {
  return entries_of(parse_document(text, source), source);
}

FiledEntries read_database(const fs::path& path) {
  return filed_entries(parse_document(document_text(path), path.string()), path.string());
}

void check_database(const fs::path& path) {
  expect_one_name(path);
  if (fs::exists(path)) parse_tuned(document_text(path), path.string());
}

void update_database(const fs::path& path, const std::function<void(FiledEntries&)>& change) {
  const FileLock lock(link_target(path).string() + ".lock");  // one for all its names
  expect_one_name(path);
  Json document = to_json(TunedDocument());
  const bool packed = fs::exists(path) && is_gzip(read_whole_file(path));  // and stays so
  if (fs::exists(path)) document = parse_document(document_text(path), path.string());
  FiledEntries entries = filed_entries(document, path.string());
  change(entries);
  document["entries"] = Json::array();  // in order of key, so files can be compared
  for (const auto& [key, filed] : entries) document["entries"].push_back(filed.json);
  const std::string text = text_by_lines(document, "entries");
  write_file_atomically(path, packed ? gzip_of(text) : text);
}

void add_to_database(const fs::path& path, const std::vector<TunedEntry>& entries) {
  update_database(path, [&](FiledEntries& filed) {
    for (const TunedEntry& entry : entries)
      filed.insert_or_assign(key_of(entry), FiledEntry{entry, to_json(entry)});
  });
}

}  // namespace alsbench
