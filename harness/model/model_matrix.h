// SPDX-License-Identifier: Apache-2.0
// ModelMatrix: a factor matrix of a model in memory, on its way from a training to its file.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/data/csr.h"
#include "harness/model/model.h"
#include "harness/model/model_files.h"
#include "harness/model/prediction.h"

namespace alsbench {

// rows x rank, row-major.
struct ModelMatrix {
  std::string name;  // that of its file: "x"
  std::vector<float> values;
  int64_t rows = 0;
  int64_t rank = 0;
};

// The matrices that a model of so many users and items has, in their order, without values.
std::array<ModelMatrix, 2> matrices_of_model(int64_t users, int64_t items, int64_t rank);

// "x.npy" and "theta.npy", or with a prefix before. Their contents are of `matrices`, which must
// outlive them.
std::vector<ModelFile> matrix_files(const std::vector<ModelMatrix>& matrices,
                                    std::string_view prefix = "");

// The same with the ids. Their contents are of `set` and `model`, which must outlive them.
std::vector<ModelFile> files_of(const RatingSet& set, const std::vector<ModelMatrix>& model);

// How a model that was trained on these ratings predicts.
Prediction prediction_of(const RatingSet& set, const std::string& feedback,
                         const std::vector<ModelMatrix>& model);

// A side of a model that was trained on these ratings. Takes its factors from `model`.
ModelSide trained_side(const RatingSet& set, bool users, std::vector<ModelMatrix>& model);

}  // namespace alsbench
