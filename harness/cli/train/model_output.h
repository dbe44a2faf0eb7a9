// SPDX-License-Identifier: Apache-2.0
// What `alsbench train --out` makes of a training, beside the record: the folder, the files of
// factors and ids, and how the model predicts.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/data/csr.h"
#include "harness/model/model_files.h"
#include "harness/model/prediction.h"
#include "harness/train/train.h"

namespace alsbench {

// Makes the folder that `option` names: before the training, not after it. Throws EnvironmentError.
void make_model_folder(const std::filesystem::path& folder, const char* option);

// "x.npy" and "theta.npy", or with a prefix before. Their contents are of `matrices`, which must
// outlive them.
std::vector<ModelFile> matrix_files(const std::vector<ModelMatrix>& matrices,
                                    std::string_view prefix = "");

// The same with the ids. Their contents are of `set` and `result`, which must outlive them.
std::vector<ModelFile> files_of(const RatingSet& set, const TrainResult& result);

Prediction prediction_of(const RatingSet& set, const Algorithm& algorithm,
                         const TrainResult& result);

}  // namespace alsbench
