// SPDX-License-Identifier: Apache-2.0
// Model: a folder of `alsbench train --out` or of save_model, read and checked. Checks cover the
// record, the files' hashes, shapes, finite factors and ids. Formulas: docs/reference/models.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/data/csr.h"
#include "harness/model/npy.h"
#include "harness/model/prediction.h"
#include "variants/core/config.h"

namespace alsbench {

// The users or the items of a model.
struct ModelSide {
  NpyMatrix factors;
  std::vector<std::string> ids;  // of each row
  std::vector<uint8_t> cold;     // 1: the row has no training rating
  bool is_unit = false;          // rows have length 1: their products are cosines

  int64_t rows() const { return factors.rows; }
  const float* row(int64_t row) const { return factors.values.data() + row * factors.cols; }
  // Of rows past the last, too: ids that the model does not know.
  bool is_cold(int64_t row) const { return row >= rows() || cold[static_cast<size_t>(row)] != 0; }
};

// Of each row of a matrix of training ratings whether it has none.
std::vector<uint8_t> cold_rows(const Csr& ratings);

// Ends the source of a model with rows that were folded in.
inline constexpr const char* kFoldedIn = "; with rows that were folded in";

// Whether the last two columns of the factors hold biases, by what was trained with.
bool has_biases(const Config& hyper);

// Objective of a training, as far as new rows need it.
struct ModelObjective {
  std::string algorithm;
  Config hyper;
  double lambda = 0;
  double mean = 0;  // of the training ratings
};
void describe(Fields<ModelObjective>& fields);

struct Model {
  std::filesystem::path folder;
  std::string data_id;  // what it was trained on, as far as is known
  std::string source;   // what made the factors
  int64_t rank = 0;
  bool has_biases = false;  // whether the last two columns of the factors hold them
  Prediction prediction;
  std::optional<ModelObjective> objective;  // of another library's factors it may be unknown
  ModelSide users;
  ModelSide items;

  bool is_implicit() const { return prediction.feedback != kExplicitFeedback; }
  bool is_cold(int64_t user, int64_t item) const {
    return users.is_cold(user) || items.is_cold(item);
  }
  // Columns of the factors that say what a user or an item is like.
  int64_t features() const { return has_biases ? rank - 2 : rank; }
  // x . theta, summed in double; prediction.cold of cold cells.
  double predict(int64_t user, int64_t item) const;
};

// The names of the files that a model is read from.
const std::vector<std::string>& model_file_names();

// Throw UsageError that names the file, what is wrong with it and the remedy.
Model read_model(const std::filesystem::path& folder);
// The same where its record does not say what it minimised.
const ModelObjective& objective_of(const Model& model);

}  // namespace alsbench
