// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/train/model_output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/error.h"
#include "harness/data/side.h"
#include "harness/model/npy.h"

namespace alsbench {

void make_model_folder(const std::filesystem::path& folder, const char* option) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && ::access(folder.c_str(), W_OK) != 0)
    error = std::error_code(errno, std::generic_category());
  if (error)
    throw EnvironmentError(fmt::format(
        "{}: cannot write into a folder '{}': {}; choose a writable folder with free space", option,
        folder.string(), error.message()));
}

std::vector<ModelFile> matrix_files(const std::vector<ModelMatrix>& matrices,
                                    std::string_view prefix) {
  std::vector<ModelFile> files;
  for (const ModelMatrix& matrix : matrices)
    files.push_back({fmt::format("{}{}.npy", prefix, matrix.name),
                     [&] { return npy_bytes(matrix.values, matrix.rows, matrix.rank); }});
  return files;
}

std::vector<ModelFile> files_of(const RatingSet& set, const TrainResult& result) {
  std::vector<ModelFile> files = matrix_files(result.model);
  files.push_back({"users.txt", [&] { return id_map_text(set.users, set.by_user.rows); }});
  files.push_back({"items.txt", [&] { return id_map_text(set.items, set.by_item.rows); }});
  return files;
}

Prediction prediction_of(const RatingSet& set, const Algorithm& algorithm,
                         const TrainResult& result) {
  Prediction prediction{algorithm.feedback, cold_prediction(set, algorithm.feedback), {}, {}};
  for (const ModelMatrix& matrix : result.model) {
    const bool users = matrix.name == name_of(Side::x);
    (users ? prediction.rated_zero_users : prediction.rated_zero_items) =
        rated_zero_rows(set.side(users), matrix.values, matrix.rank);
  }
  return prediction;
}

}  // namespace alsbench
