// SPDX-License-Identifier: Apache-2.0
#include "harness/model/save_model.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/error.h"
#include "harness/model/model_files.h"
#include "harness/model/model_record.h"
#include "harness/model/npy.h"
#include "harness/record/document.h"

namespace alsbench {
namespace {

// Rows of zeros that are not cold. Throws UsageError for what readers refuse.
std::vector<int64_t> checked_zero_rows(const ModelSide& side, const std::string& name) {
  std::vector<int64_t> zeros;
  for (int64_t row = 0; row < side.rows(); ++row) {
    for (int64_t i = 0; i < side.factors.cols; ++i)
      if (!std::isfinite(side.row(row)[i]))
        throw UsageError(fmt::format("{}: factor {} of row {} is {}; train the model again", name,
                                     i, row, side.row(row)[i]));
    const bool zero = is_zero_row(side.row(row), side.factors.cols);
    if (side.is_cold(row) && !zero)
      throw UsageError(fmt::format("{}: row {} is cold, and is not zero; set it to 0", name, row));
    if (zero && !side.is_cold(row)) zeros.push_back(row);
  }
  return zeros;
}

SavedModelRecord record_of(const Model& model) {
  if (model.has_biases && !model.objective)
    throw UsageError("the model has biases, and no objective that says so; set its objective");
  SavedModelRecord record;
  record.provenance = provenance();
  record.source = model.source;
  record.users = model.users.rows();
  record.items = model.items.rows();
  record.rank = model.rank;
  record.objective = model.objective;
  record.prediction = {model.prediction.feedback, model.prediction.cold,
                       checked_zero_rows(model.users, "user_factors"),
                       checked_zero_rows(model.items, "item_factors")};
  return record;
}

}  // namespace

void save_model(const Model& model, const std::filesystem::path& folder) {
  const ClaimedFolder claimed = claimed_model(folder, "folder");
  check_replaceable(claimed);
  const Json record = to_json(record_of(model));
  read_as_document<SavedModelRecord>(record, kSavedModelKind, folder.string());  // or it throws
  HeldFolder held(claimed);
  const auto matrix = [](const char* name, const ModelSide& side) {
    return ModelFile{name, npy_content(side.factors.values.span(), side.rows(), side.factors.cols)};
  };
  const std::vector<ModelFile> files{matrix("x.npy", model.users),
                                     matrix("theta.npy", model.items),
                                     {"users.txt", id_lines(model.users.rows(), model.users.ids)},
                                     {"items.txt", id_lines(model.items.rows(), model.items.ids)}};
  write_model(folder, files, record, held.lock());
}

}  // namespace alsbench
