// SPDX-License-Identifier: Apache-2.0
#include "harness/train/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "harness/data/side.h"
#include "harness/files/file_lock.h"
#include "harness/files/strict_json.h"
#include "harness/model/model.h"
#include "harness/model/model_files.h"
#include "harness/model/npy.h"
#include "harness/record/document.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVersion = "2.1.0";
constexpr std::string_view kKept = "kept_";

std::vector<ModelMatrix> matrices_in(const fs::path& folder, const ProvenFiles& files,
                                     const JsonField& names, std::string_view prefix) {
  std::vector<ModelMatrix> matrices;
  for (const JsonField& name : names.elements()) {
    const std::string file = fmt::format("{}{}.npy", prefix, name.text());
    const NpyMatrix matrix = npy_matrix(files.open(file), (folder / file).string());
    matrices.push_back(
        {name.text(), {matrix.values.begin(), matrix.values.end()}, matrix.rows, matrix.cols});
  }
  return matrices;
}

Json names_of(const std::vector<ModelMatrix>& matrices) {
  Json names = Json::array();
  for (const ModelMatrix& matrix : matrices) names.push_back(matrix.name);
  return names;
}

// Names the first member in which two trainings differ. `place` is the option and its folder.
void check_same(const std::string& place, const Json& of_checkpoint, const Json& asked,
                const char* remedy) {
  for (const auto& [key, value] : asked.items())
    if (!of_checkpoint.contains(key) || of_checkpoint.at(key) != value)
      throw UsageError(
          fmt::format("{}: the checkpoint is of a training with {} {} in place of {}; {}", place,
                      key, of_checkpoint.contains(key) ? of_checkpoint.at(key).dump() : "none",
                      value.dump(), remedy));
}

// A checkpoint that this training would replace is one of its own.
void check_own(const fs::path& folder, const Json& training) {
  const fs::path path = folder / kRecordFile;
  if (!fs::is_regular_file(path)) return;
  const Json record = read_json(path);
  const auto of_checkpoint = record.find("training");
  if (of_checkpoint != record.end() && of_checkpoint->is_object())
    check_same(fmt::format("--checkpoint {}", folder.string()), *of_checkpoint, training,
               "name a new or an empty folder");
}

[[noreturn]] void refuse(const fs::path& folder, const std::string& what) {
  throw UsageError(
      fmt::format("--resume {}: {}; resume from an unmodified checkpoint", folder.string(), what));
}

// Both matrices, of the training's shapes.
void check_model(const fs::path& folder, const std::vector<ModelMatrix>& model,
                 const CheckpointNeeds& needs) {
  const auto wanted = matrices_of_model(needs.users, needs.items, needs.rank);
  const auto alike = [](const ModelMatrix& a, const ModelMatrix& b) { return a.name == b.name; };
  if (!std::equal(model.begin(), model.end(), wanted.begin(), wanted.end(), alike))
    refuse(folder,
           fmt::format("{} does not list {} and {}", kRecordFile, wanted[0].name, wanted[1].name));
  for (size_t i = 0; i < wanted.size(); ++i)
    if (model[i].rows != wanted[i].rows || model[i].rank != wanted[i].rank)
      refuse(folder,
             fmt::format("{}.npy has {} x {} factors where the training has {} x {}", model[i].name,
                         model[i].rows, model[i].rank, wanted[i].rows, wanted[i].rank));
}

// The hashes hold, which says nothing of who wrote them.
void check_fits(const fs::path& folder, const Checkpoint& checkpoint,
                const CheckpointNeeds& needs) {
  check_model(folder, checkpoint.model, needs);
  if (!checkpoint.kept.empty()) check_model(folder, checkpoint.kept, needs);
  const auto done = static_cast<int>(checkpoint.iterations.size());
  for (int i = 0; i < done; ++i)
    if (checkpoint.iterations[static_cast<size_t>(i)].iteration != i + 1)
      refuse(folder, fmt::format("iteration {} is in the place of iteration {}",
                                 checkpoint.iterations[static_cast<size_t>(i)].iteration, i + 1));
  if (checkpoint.kept_iteration < 0 || checkpoint.kept_iteration > done ||
      (checkpoint.kept_iteration == 0) != checkpoint.kept.empty())
    refuse(folder, fmt::format("kept_iteration is {}, with {} iterations and {} kept matrices",
                               checkpoint.kept_iteration, done, checkpoint.kept.size()));
  if (checkpoint.copies.overflows < 0)
    refuse(folder, fmt::format("overflows is {}", checkpoint.copies.overflows));
  const auto magnitudes = std::ssize(checkpoint.copies.magnitudes);
  if (magnitudes != 0 && magnitudes != needs.rank)
    refuse(folder,
           fmt::format("it has {} magnitudes where the rank is {}", magnitudes, needs.rank));
  if (done >= needs.iterations)
    throw UsageError(fmt::format(
        "--resume {}: the checkpoint is of iteration {}, and --iterations is {}; ask for more",
        folder.string(), done, needs.iterations));
}

}  // namespace

std::vector<std::string> checkpoint_files() {
  std::vector<std::string> files{kRecordFile};
  for (const std::string& name : model_file_names())
    if (name.ends_with(".npy"))
      for (const std::string_view prefix : {std::string_view(), kKept})
        files.push_back(fmt::format("{}{}", prefix, name));
  return files;
}

ClaimedFolder claimed_folder(const CheckpointOptions& options) {
  return {options.folder, "--checkpoint", checkpoint_files(),
          [](const Json& record) { return record.contains("checkpoint_version"); }, "a checkpoint"};
}

Checkpoints::Checkpoints(const CheckpointOptions& options, CheckpointNeeds needs, bool leads)
    : options_(options), needs_(std::move(needs)) {
  if (!options.folder.empty() && leads) {
    held_ = std::make_shared<HeldFolder>(claimed_folder(options));
    check_own(options.folder, needs_.training);
  }
  if (!options.resume.empty()) resumed_ = read_checkpoint(options.resume, needs_);
}

void Checkpoints::use_in(TrainOptions& train) const {
  if (resumed_) train.resume = &*resumed_;
  if (options_.folder.empty()) return;
  train.checkpoint_every = options_.every;
  train.checkpoint = [this](const Checkpoint& checkpoint) {
    write_checkpoint(options_.folder, checkpoint, needs_.training, held_->lock());
  };
}

void write_checkpoint(const fs::path& folder, const Checkpoint& checkpoint, const Json& training,
                      FolderLock& lock) {
  std::vector<ModelFile> files = matrix_files(checkpoint.model);
  for (ModelFile& file : matrix_files(checkpoint.kept, kKept)) files.push_back(std::move(file));
  write_model(folder, files,
              Json{{"checkpoint_version", kVersion},
                   {"training", training},
                   {"model", names_of(checkpoint.model)},
                   {"kept", names_of(checkpoint.kept)},
                   {"kept_iteration", checkpoint.kept_iteration},
                   {"overflows", checkpoint.copies.overflows},
                   {"magnitudes", checkpoint.copies.magnitudes},
                   {"iterations", to_json(checkpoint.iterations)}},
              lock);
}

Checkpoint read_checkpoint(const fs::path& folder, const CheckpointNeeds& needs) {
  const fs::path path = folder / kRecordFile;
  if (!fs::is_regular_file(path))
    throw UsageError(fmt::format(
        "--resume {}: holds no checkpoint; name a folder that --checkpoint wrote, or start without "
        "--resume",
        folder.string()));
  const Json json = read_json(path);
  const JsonField record(json, path.string());
  check_schema_version(record.at("checkpoint_version").text(), kVersion, path.string());
  check_same(fmt::format("--resume {}", folder.string()), record.at("training").value(),
             needs.training, "resume with the original options and ratings");
  const auto proofs = read_as<std::vector<FileProof>>(record.at("files"));
  const ProvenFiles files(folder, proofs);
  Checkpoint checkpoint;
  checkpoint.iterations = list_of(record.at("iterations"), read_as<IterationRecord>);
  checkpoint.model = matrices_in(folder, files, record.at("model"), "");
  checkpoint.kept = matrices_in(folder, files, record.at("kept"), kKept);
  checkpoint.kept_iteration = record.at("kept_iteration").integer32();
  checkpoint.copies.overflows = record.at("overflows").integer();
  if (const auto magnitudes = record.find("magnitudes"))  // from 2.1 on
    checkpoint.copies.magnitudes = read_as<std::vector<float>>(*magnitudes);
  check_fits(folder, checkpoint, needs);
  return checkpoint;
}

}  // namespace alsbench
