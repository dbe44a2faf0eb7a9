// SPDX-License-Identifier: Apache-2.0
#include "harness/model/model_matrix.h"

#include <fmt/format.h>

#include <utility>

#include "harness/data/side.h"
#include "harness/model/npy.h"

namespace alsbench {

std::array<ModelMatrix, 2> matrices_of_model(int64_t users, int64_t items, int64_t rank) {
  return {{{std::string(name_of(Side::x)), {}, users, rank},
           {std::string(name_of(Side::theta)), {}, items, rank}}};
}

std::vector<ModelFile> matrix_files(const std::vector<ModelMatrix>& matrices,
                                    std::string_view prefix) {
  std::vector<ModelFile> files;
  for (const ModelMatrix& matrix : matrices)
    files.push_back({fmt::format("{}{}.npy", prefix, matrix.name),
                     npy_content(matrix.values, matrix.rows, matrix.rank)});
  return files;
}

std::vector<ModelFile> files_of(const RatingSet& set, const std::vector<ModelMatrix>& model) {
  std::vector<ModelFile> files = matrix_files(model);
  files.push_back({"users.txt", id_lines(set.by_user.rows, set.users)});
  files.push_back({"items.txt", id_lines(set.by_item.rows, set.items)});
  return files;
}

Prediction prediction_of(const RatingSet& set, const std::string& feedback,
                         const std::vector<ModelMatrix>& model) {
  Prediction prediction{feedback, cold_prediction(set, feedback), {}, {}};
  for (const ModelMatrix& matrix : model) {
    const bool users = matrix.name == name_of(Side::x);
    (users ? prediction.rated_zero_users : prediction.rated_zero_items) =
        rated_zero_rows(set.side(users), matrix.values, matrix.rank);
  }
  return prediction;
}

ModelSide trained_side(const RatingSet& set, bool users, std::vector<ModelMatrix>& model) {
  ModelSide side;
  for (ModelMatrix& matrix : model)
    if ((matrix.name == name_of(Side::x)) == users)
      side.factors = {Array<float>(std::move(matrix.values)), matrix.rows, matrix.rank};
  side.cold = cold_rows(set.side(users));
  side.ids = users ? set.users : set.items;
  return side;
}

}  // namespace alsbench
