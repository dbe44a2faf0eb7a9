// SPDX-License-Identifier: Apache-2.0
#include "harness/model/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <future>
#include <string_view>
#include <utility>
#include <variant>

#include "base/error.h"
#include "harness/data/id_dictionary.h"
#include "harness/data/text_reader.h"
#include "harness/files/strict_json.h"
#include "harness/model/model_record.h"
#include "harness/record/document.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& file, const std::string& what) {
  refuse_model_file(file, what);
}

std::vector<std::string> ids_in(std::string_view text) {
  std::vector<std::string> ids;
  ids.reserve(static_cast<size_t>(line_ends_in(text)) + 1);
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    ids.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return ids;
}

// Whether each id comes behind the one before it, as texts do or as numbers do: the usual order,
// in which none comes twice.
bool ascend(const std::vector<std::string>& ids) {
  const auto falls = [&](const auto& before) {
    return std::adjacent_find(ids.begin(), ids.end(), std::not_fn(before)) != ids.end();
  };
  const auto shorter = [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  };
  return !falls(std::less<>()) || !falls(shorter);
}

void check_ids(const fs::path& path, const std::vector<std::string>& ids, int64_t rows) {
  if (static_cast<int64_t>(ids.size()) != rows)
    fail(path, fmt::format("has {} ids for {} rows of factors", ids.size(), rows));
  if (ascend(ids)) return;
  IdDictionary<std::string_view> seen;
  for (size_t i = 0; i < ids.size(); ++i)
    if (seen.code_of(ids[i]) != i)
      fail(path, fmt::format("line {} holds the id '{}' once more", i + 1, ids[i]));
}

void check_finite(const fs::path& path, const NpyMatrix& factors) {
  const int64_t count = factors.values.size();
  int64_t first = count;
#pragma omp parallel for schedule(static) reduction(min : first)  // cannot throw
  for (int64_t i = 0; i < count; ++i)
    if (!std::isfinite(factors.values[i])) first = std::min(first, i);
  if (first < count)
    fail(path, fmt::format("row {}, factor {} is {}", first / factors.cols, first % factors.cols,
                           factors.values[first]));
}

std::vector<uint8_t> cold_rows(const ModelSide& side, const std::vector<int64_t>& rated) {
  std::vector<uint8_t> cold(static_cast<size_t>(side.rows()));
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t row = 0; row < side.rows(); ++row)
    cold[static_cast<size_t>(row)] = is_zero_row(side.row(row), side.factors.cols) ? 1 : 0;
  for (const int64_t row : rated) cold[static_cast<size_t>(row)] = 0;
  return cold;
}

using File = std::shared_ptr<const MappedFile>;

// Proves files while they are read: a hash takes as long as all other checks.
class Proofs {
 public:
  Proofs(const ProvenFiles& files, const std::vector<std::string>& names,
         const std::vector<File>& opened) {
    for (size_t i = 0; i < names.size(); ++i)
      proofs_.push_back(
          std::async(std::launch::async, [&, i] { files.prove(names[i], *opened[i]); }));
  }
  // Throws what the first that is not proven says.
  void get() {
    for (std::future<void>& proof : proofs_) proof.get();
  }

 private:
  std::vector<std::future<void>> proofs_;
};

// A side's files, and what the record says of them.
struct SideFiles {
  std::string factors, ids;
  File factors_file, ids_file;
  int64_t rows = 0, rank = 0;
  const std::vector<int64_t>& rated_zero_rows;
};

ModelSide read_side(const fs::path& folder, const SideFiles& expected) {
  const fs::path path = folder / expected.factors;
  ModelSide side;
  side.factors = npy_matrix(expected.factors_file, path.string());
  if (side.rows() != expected.rows || side.factors.cols != expected.rank)
    fail(path, fmt::format("is {} x {} in place of the {} x {} that {} states", side.rows(),
                           side.factors.cols, expected.rows, expected.rank, kRecordFile));
  check_finite(path, side.factors);
  side.ids = ids_in(expected.ids_file->text());
  check_ids(folder / expected.ids, side.ids, side.rows());
  for (const int64_t row : expected.rated_zero_rows)
    if (row < 0 || row >= side.rows() || !is_zero_row(side.row(row), expected.rank))
      fail(folder / kRecordFile,
           fmt::format("row {} of {} is no row of zeros", row, expected.factors));
  side.cold = cold_rows(side, expected.rated_zero_rows);
  return side;
}

}  // namespace

std::vector<uint8_t> cold_rows(const Csr& ratings) {
  std::vector<uint8_t> cold;
  for (int64_t row = 0; row < ratings.rows; ++row)
    cold.push_back(ratings.offsets[row] == ratings.offsets[row + 1] ? 1 : 0);
  return cold;
}

bool has_biases(const Config& hyper) { return hyper.is("biases", "on"); }

double Model::predict(int64_t user, int64_t item) const {
  if (is_cold(user, item)) return prediction.cold;
  const float *x = users.row(user), *theta = items.row(item);
  double sum = 0;
  for (int64_t i = 0; i < rank; ++i)
    sum += static_cast<double>(x[i]) * static_cast<double>(theta[i]);
  return sum;
}

const std::vector<std::string>& model_file_names() {
  static const std::vector<std::string> names{"x.npy", "theta.npy", "users.txt", "items.txt",
                                              kRecordFile};
  return names;
}

const ModelObjective& objective_of(const Model& model) {
  if (!model.objective)
    throw UsageError(fmt::format(
        "{}: does not say what the model minimised, which new rows need; import it again with "
        "--regularization",
        (model.folder / kRecordFile).string()));
  return *model.objective;
}

AnyModelRecord read_model_record(const fs::path& folder) {
  const fs::path record_path = folder / kRecordFile;
  if (!fs::is_regular_file(record_path))
    throw UsageError(fmt::format(
        "{}: is no model: it has no {}; give a folder that `alsbench train --out` wrote",
        folder.string(), kRecordFile));
  const Json json = read_json(record_path);
  if (text_at(json, "kind") == kSavedModelKind)
    return read_as_document<SavedModelRecord>(json, kSavedModelKind, record_path.string());
  return read_as_document<ModelRecord>(json, "training", record_path.string());
}

namespace {

// Parts of a model that its record holds.
Model model_of(const ModelRecord& record) {
  const TrainedOptions& options = record.options;
  Model model;
  model.data_id = record.data.data.id;
  model.source = fmt::format("alsbench train, {}", model.data_id);
  model.rank = options.rank;
  model.objective =
      ModelObjective{options.algorithm, options.hyper, options.lambda, record.data.mean};
  return model;
}

Model model_of(const SavedModelRecord& record) {
  Model model;
  model.data_id = model.source = record.source;
  model.rank = record.rank;
  model.objective = record.objective;
  return model;
}

template <class Record>
Model model_in(const fs::path& folder, Record record) {
  const ProvenFiles files(folder, record.files);
  const std::vector<std::string> names{"x.npy", "users.txt", "theta.npy", "items.txt"};
  std::vector<File> opened;
  for (const std::string& name : names) opened.push_back(files.open_unproven(name));
  Proofs proofs(files, names, opened);
  const Prediction& prediction = record.prediction;
  Model model = model_of(record);
  model.folder = folder;
  model.has_biases = model.objective && has_biases(model.objective->hyper);
  model.prediction = prediction;
  if (!record.fold_ins.empty()) model.source += kFoldedIn;
  try {
    model.users = read_side(folder, {names[0], names[1], opened[0], opened[1], record.rows(true),
                                     model.rank, prediction.rated_zero_users});
    model.items = read_side(folder, {names[2], names[3], opened[2], opened[3], record.rows(false),
                                     model.rank, prediction.rated_zero_items});
  } catch (const UsageError&) {
    proofs.get();  // what is wrong with a file that was changed is that it was changed
    throw;
  }
  proofs.get();
  return model;
}

}  // namespace

Model read_model(const fs::path& folder) {
  return std::visit([&](auto record) { return model_in(folder, std::move(record)); },
                    read_model_record(folder));
}

}  // namespace alsbench
