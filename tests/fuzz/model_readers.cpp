// SPDX-License-Identifier: Apache-2.0
// Models, the pairs and users that they predict for, and checkpoints of trainings.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "harness/data/raw_ratings.h"
#include "harness/files/atomic_file.h"
#include "harness/files/file_lock.h"
#include "harness/files/hash.h"
#include "harness/model/model.h"
#include "harness/model/model_ids.h"
#include "harness/train/checkpoint.h"
#include "readers.h"
#include "tests/unit/model/written_model.h"

namespace alsbench::fuzz {
namespace {

namespace fs = std::filesystem;

// Gives the record of a model the size and hash of each of its files as they are.
void prove_again(const fs::path& folder) {
  std::vector<FileProof> proofs;
  for (const std::string& name : model_file_names()) {
    if (name == kRecordFile) continue;
    const std::string content = read_whole_file(folder / name);
    proofs.push_back({name, static_cast<int64_t>(content.size()), sha256(content)});
  }
  Json record = record_of(SmallModel());
  record["files"] = to_json(proofs);
  write_file_atomically(folder / kRecordFile, alsbench::text_of(record), Sync::no);
}

// One file of a model at a time. A hash shows every change; where the record has the hash of the
// changed file, the result must be a model still.
void add_model(const fs::path& folder, std::vector<Reader>& readers) {
  for (const bool proven : {true, false})
    for (const std::string& name : model_file_names()) {
      if (proven && name != "x.npy") continue;  // a hash is a hash
      const fs::path whole = folder / fmt::format("model-{}-{}", proven, name);
      fs::create_directories(whole);
      write(whole);
      const auto read = [whole, name, proven](const fs::path& file) {
        fs::copy_file(file, whole / name, fs::copy_options::overwrite_existing);
        if (!proven && name != kRecordFile) prove_again(whole);
        const Model model = read_model(whole);
        std::string text;
        for (int64_t user = 0; user <= model.users.rows(); ++user)
          for (int64_t item = 0; item <= model.items.rows(); ++item)
            text += fmt::format("{} ", model.predict(user, item));
        return text + fmt::format("{} {}", fmt::join(model.users.ids, " "),
                                  fmt::join(model.items.ids, " "));
      };
      readers.push_back({fmt::format("{}-{}", proven ? "proven" : "fitting", name),
                         {read_whole_file(whole / name)},
                         read,
                         proven});
    }
}

void add_pairs(std::vector<Reader>& readers) {
  readers.push_back({"pairs",
                     {"user,item\n1,2\n3,4\n", "a\tb\t5\n", "1::2\n", "1 2\n"},
                     [](const fs::path& file) {
                       const RawRatings raw = load_pairs(file);
                       return fmt::format("{} {}", raw.users.size(), raw.items.size());
                     }});
}

void add_users(const fs::path& folder, std::vector<Reader>& readers) {
  write(folder / "model-of-users");
  const auto model = std::make_shared<const Model>(read_model(folder / "model-of-users"));
  readers.push_back({"users", {"u1\nu3\n7\n", "u2"}, [model](const fs::path& file) {
                       return fmt::format("{}", fmt::join(ModelIds(*model).user_list(file), " "));
                     }});
}

std::string text_of(const Checkpoint& checkpoint) {
  std::string text = fmt::format("{} {} {} ", checkpoint.kept_iteration,
                                 checkpoint.copies.overflows, checkpoint.copies.magnitudes.size());
  for (const IterationRecord& record : checkpoint.iterations) text += to_json(record).dump();
  for (const auto* matrices : {&checkpoint.model, &checkpoint.kept})
    for (const ModelMatrix& matrix : *matrices)
      text += fmt::format("{} {}x{} {} ", matrix.name, matrix.rows, matrix.rank,
                          fmt::join(matrix.values, " "));
  return text;
}

// Its matrices are proven by its record, as a model's are.
void add_checkpoints(const fs::path& folder, std::vector<Reader>& readers) {
  const CheckpointNeeds needs{{{"algorithm", "als"}, {"rank", 2}}, 2, 1, 2, 10};
  Checkpoint checkpoint;
  checkpoint.iterations.push_back({.iteration = 1, .train_metric = 0.5, .test_metric = 0.6});
  checkpoint.model = {{"x", {1, 2, 3, 4}, 2, 2}, {"theta", {5, 6}, 1, 2}};
  checkpoint.kept = {{"x", {1, 0, 3, 4}, 2, 2}, {"theta", {5, 7}, 1, 2}};
  checkpoint.kept_iteration = 1;
  for (const char* name : {"x.npy", "kept_x.npy", kRecordFile}) {
    const fs::path whole = folder / fmt::format("checkpoint-{}", name);
    fs::create_directories(whole);
    FolderLock lock(whole);
    write_checkpoint(whole, checkpoint, needs.training, lock);
    readers.push_back({fmt::format("checkpoint-{}", name),
                       {read_whole_file(whole / name)},
                       [whole, name, needs](const fs::path& file) {
                         fs::copy_file(file, whole / name, fs::copy_options::overwrite_existing);
                         return text_of(read_checkpoint(whole, needs));
                       },
                       name != std::string_view(kRecordFile)});
  }
}

}  // namespace

void add_model_readers(const fs::path& folder, std::vector<Reader>& readers) {
  add_model(folder, readers);
  add_pairs(readers);
  add_users(folder, readers);
  add_checkpoints(folder, readers);
}

}  // namespace alsbench::fuzz
