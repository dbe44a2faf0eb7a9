// SPDX-License-Identifier: Apache-2.0
#include "harness/model/model_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "harness/files/atomic_file.h"
#include "harness/files/file_lock.h"
#include "harness/files/hash.h"
#include "harness/files/strict_json.h"
#include "harness/model/model.h"
#include "harness/model/model_record.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

// Whether the folder has a record that is about to take its name: the last file of several that a
// killed process replaced.
bool has_unfinished_record(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(fmt::format("{}.", kRecordFile)) && name.ends_with(kTemporaryEnding))
      return true;
  }
  return false;
}

bool is_ours(const ClaimedFolder& folder) {
  const fs::path record = folder.path / kRecordFile;
  if (!fs::is_regular_file(record)) return has_unfinished_record(folder.path);
  try {
    const Json json = read_json(record);
    return json.is_object() && folder.is_ours(json);
  } catch (const UsageError&) {
    return false;  // no JSON
  }
}

// Writes the file. Returns its proof.
FileProof written(const ModelFile& file, const WriteText& write) {
  FileProof proof{file.name, 0, ""};
  Sha256 hash;
  file.content([&](std::string_view text) {
    hash.add(text);
    proof.bytes += std::ssize(text);
    write(text);
  });
  proof.sha256 = hash.hex();
  return proof;
}

}  // namespace

void describe(Fields<FileProof>& fields) {
  fields.record("file_proof", "Size and hash of a file of a model.");
  fields("name", &FileProof::name);
  fields("bytes", &FileProof::bytes).range(Range::Kind::from_0);
  fields("sha256", &FileProof::sha256, "as sha256sum prints it");
}

FileContent id_lines(int64_t rows, std::function<std::string(int64_t row)> id_of) {
  return [rows, id_of = std::move(id_of)](const WriteText& write) {
    constexpr size_t kPiece = size_t{1} << 20;
    std::string text;
    for (int64_t row = 0; row < rows; ++row) {
      text += id_of(row);
      text += '\n';
      if (text.size() < kPiece && row + 1 < rows) continue;
      write(text);
      text.clear();
    }
  };
}

FileContent id_lines(int64_t rows, const std::vector<std::string>& ids) {
  return id_lines(rows, [&ids](int64_t row) {
    return ids.empty() ? std::to_string(row) : ids[static_cast<size_t>(row)];
  });
}

ClaimedFolder claimed_model(const fs::path& out, const char* option) {
  return {out, option, model_file_names(),
          [](const Json& record) {
            const Json kind = record.value("kind", Json());
            return kind == "training" || kind == kSavedModelKind;
          },
          "a model"};
}

void check_replaceable(const ClaimedFolder& folder) {
  std::error_code none;
  if (folder.path.empty() || !fs::is_directory(folder.path, none)) return;
  const auto found =
      std::find_if(folder.files.begin(), folder.files.end(), [&](const std::string& name) {
        return fs::symlink_status(folder.path / name, none).type() != fs::file_type::not_found;
      });
  if (found == folder.files.end() || is_ours(folder)) return;
  throw UsageError(fmt::format(
      "{} {}: holds '{}' and is not {}, so it is not replaced; name a new or an empty folder",
      folder.option, folder.path.string(), *found, folder.ours));
}

HeldFolder::MadeFolders::~MadeFolders() {
  std::error_code left;  // where something is in it
  for (const fs::path& path : paths)
    if (!left) fs::remove(path, left);
}

HeldFolder::HeldFolder(const ClaimedFolder& folder) {
  std::error_code error;
  std::vector<fs::path> missing, made;  // the deepest first
  for (fs::path path = fs::absolute(folder.path, error).lexically_normal();
       !path.empty() && !fs::exists(path, error); path = path.parent_path())
    missing.push_back(path);
  for (size_t i = missing.size(); i-- > 0 && !error;)  // another process may make one meanwhile
    if (fs::create_directory(missing[i], error)) made.insert(made.begin(), missing[i]);
  if (!error) fs::create_directories(folder.path, error);
  if (!error && ::access(folder.path.c_str(), W_OK) != 0)
    error = std::error_code(errno, std::generic_category());
  if (error)
    throw EnvironmentError(fmt::format(
        "{}: cannot write into a folder '{}': {}; choose a writable folder with free space",
        folder.option, folder.path.string(), error.message()));
  lock_ = std::make_unique<FolderLock>(folder.path);
  made_.paths = std::move(made);  // where another process holds it, they are that one's
  check_replaceable(folder);
}

HeldFolder::~HeldFolder() = default;

void write_model(const std::filesystem::path& folder, const std::vector<ModelFile>& files,
                 const Json& record, FolderLock& lock) {
  std::vector<FileProof> proofs(files.size());
  std::vector<NewFile> all;
  for (size_t i = 0; i < files.size(); ++i)
    all.push_back({folder / files[i].name,
                   [&, i](const WriteText& write) { proofs[i] = written(files[i], write); }});
  all.push_back({folder / kRecordFile, [&](const WriteText& write) {  // once the others are written
                   Json proven = record;
                   proven["files"] = to_json(proofs);
                   write(text_of(proven));
                 }});
  replace_together(all, &lock);
}

void refuse_model_file(const std::filesystem::path& file, const std::string& what) {
  throw UsageError(
      fmt::format("{}: {}; copy the model again, or train it again", file.string(), what));
}

std::shared_ptr<const MappedFile> ProvenFiles::open(const std::string& name) const {
  auto file = open_unproven(name);
  prove(name, *file);
  return file;
}

std::shared_ptr<const MappedFile> ProvenFiles::open_unproven(const std::string& name) const {
  const std::filesystem::path path = folder_ / name;
  if (!std::filesystem::is_regular_file(path)) refuse_model_file(path, "is missing");
  auto file = MappedFile::open(path);
  const auto bytes = std::ssize(file->text());
  if (const FileProof& proof = proof_of(name); bytes != proof.bytes)
    refuse_model_file(path, fmt::format("has {} bytes in place of the {} that {} states", bytes,
                                        proof.bytes, kRecordFile));
  return file;
}

void ProvenFiles::prove(const std::string& name, const MappedFile& file) const {
  const FileProof& proof = proof_of(name);
  if (const std::string hash = sha256(file.text()); hash != proof.sha256)
    refuse_model_file(
        folder_ / name,
        fmt::format("has the SHA-256 {} in place of {}, which {} states: it was changed", hash,
                    proof.sha256, kRecordFile));
}

const FileProof& ProvenFiles::proof_of(const std::string& name) const {
  const auto proof = std::find_if(proofs_.begin(), proofs_.end(),
                                  [&](const FileProof& file) { return file.name == name; });
  if (proof == proofs_.end())
    refuse_model_file(folder_ / kRecordFile, fmt::format("its 'files' lack {}", name));
  return *proof;
}

}  // namespace alsbench
