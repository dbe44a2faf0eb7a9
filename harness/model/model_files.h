// SPDX-License-Identifier: Apache-2.0
// The files of a model's folder: factors and ids, and the record, which proves the others: it has
// the bytes and the SHA-256 of each.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/files/file_content.h"
#include "harness/files/mapped_file.h"
#include "harness/record/fields/fields.h"

namespace alsbench {

class FolderLock;

inline constexpr const char* kRecordFile = "record.json";

struct ModelFile {
  std::string name;
  FileContent content;
};

// A file's entry in the record.
struct FileProof {
  std::string name;
  int64_t bytes = 0;
  std::string sha256;  // as sha256sum prints it

  friend bool operator==(const FileProof&, const FileProof&) = default;
};
void describe(Fields<FileProof>& fields);

// One original id a line, of so many rows: line i (from 0) is id_of(i), the id of row i of the
// factors.
FileContent id_lines(int64_t rows, std::function<std::string(int64_t row)> id_of);
// The same of a set's ids, which must outlive it. Generated sets have none: the row number stands
// for it.
FileContent id_lines(int64_t rows, const std::vector<std::string>& ids);

// A folder that a training will write: the option that names it, the files that are written, and
// what tells from a record whether the training may replace it.
struct ClaimedFolder {
  std::filesystem::path path;  // empty: none is written
  const char* option = "";
  std::vector<std::string> files;
  bool (*is_ours)(const Json& record) = nullptr;
  const char* ours = "";  // "a model"
};

// One that takes the place of a model alone.
ClaimedFolder claimed_model(const std::filesystem::path& out, const char* option = "--out");

// Throws UsageError where the folder holds a file of one of those names, and no record that is
// ours: what other trainings and people left is never replaced.
void check_replaceable(const ClaimedFolder& folder);

// A folder that is made and locked: before a training, not after it. Where nothing is written into
// it, it goes again, with the folders above it that were made for it.
class HeldFolder {
 public:
  // Throws EnvironmentError; UsageError where another process holds it, or it is not replaceable.
  explicit HeldFolder(const ClaimedFolder& folder);
  ~HeldFolder();
  HeldFolder(const HeldFolder&) = delete;
  HeldFolder& operator=(const HeldFolder&) = delete;

  FolderLock& lock() { return *lock_; }

 private:
  struct MadeFolders {
    std::vector<std::filesystem::path> paths;  // the deepest first
    ~MadeFolders();                            // removes those that are empty
  };

  std::unique_ptr<FolderLock> lock_;
  MadeFolders made_;  // which go while the lock is held
};

// Writes the files into the folder, and the record with `files` as the last: all or none of them,
// as replace_together does. `lock` is on the folder.
void write_model(const std::filesystem::path& folder, const std::vector<ModelFile>& files,
                 const Json& record, FolderLock& lock);

// Throws UsageError: the file, what is wrong with it, and the remedy.
[[noreturn]] void refuse_model_file(const std::filesystem::path& file, const std::string& what);

// The files of a folder that write_model made, each opened against its proof.
class ProvenFiles {
 public:
  ProvenFiles(std::filesystem::path folder, const std::vector<FileProof>& proofs)
      : folder_(std::move(folder)), proofs_(proofs) {}

  // Throws UsageError where it is missing or not what was written.
  std::shared_ptr<const MappedFile> open(const std::string& name) const;
  // The same in two steps, since hashes take time: as long as was written, and as was written.
  std::shared_ptr<const MappedFile> open_unproven(const std::string& name) const;
  void prove(const std::string& name, const MappedFile& file) const;

 private:
  const FileProof& proof_of(const std::string& name) const;

  std::filesystem::path folder_;
  const std::vector<FileProof>& proofs_;
};

}  // namespace alsbench
