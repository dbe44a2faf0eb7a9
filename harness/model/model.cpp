// SPDX-License-Identifier: Apache-2.0
#include "harness/model/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <string_view>
#include <unordered_set>

#include "base/error.h"
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
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    ids.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return ids;
}

void check_ids(const fs::path& path, const std::vector<std::string>& ids, int64_t rows) {
  if (static_cast<int64_t>(ids.size()) != rows)
    fail(path, fmt::format("has {} ids for {} rows of factors", ids.size(), rows));
  std::unordered_set<std::string_view> seen(ids.size());
  for (size_t i = 0; i < ids.size(); ++i)
    if (!seen.insert(ids[i]).second)
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

// Opens and proves files at the same time.
std::vector<File> open_together(const ProvenFiles& files, const std::vector<std::string>& names) {
  std::vector<File> opened(names.size());
  std::vector<std::exception_ptr> errors(names.size());
#pragma omp parallel for schedule(dynamic, 1)
  for (size_t i = 0; i < names.size(); ++i) {
    try {
      opened[i] = files.open(names[i]);
    } catch (...) {
      errors[i] = std::current_exception();
    }
  }
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
  return opened;
}

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

ModelRecord read_model_record(const fs::path& folder) {
  const fs::path record_path = folder / kRecordFile;
  if (!fs::is_regular_file(record_path))
    throw UsageError(fmt::format(
        "{}: is no model: it has no {}; give a folder that `alsbench train --out` wrote",
        folder.string(), kRecordFile));
  return read_as_document<ModelRecord>(read_json(record_path), "training", record_path.string());
}

Model read_model(const fs::path& folder) {
  const ModelRecord record = read_model_record(folder);
  const std::vector<File> files = open_together(ProvenFiles(folder, record.files),
                                                {"x.npy", "users.txt", "theta.npy", "items.txt"});
  const Prediction& prediction = record.prediction;
  Model model;
  model.folder = folder;
  model.data_id = record.data.data.id;
  model.rank = record.options.rank;
  model.has_biases = has_biases(record.options.hyper);
  model.prediction = prediction;
  model.objective = {record.options.algorithm, record.options.hyper, record.options.lambda,
                     record.data.mean};
  model.users = read_side(folder, {"x.npy", "users.txt", files[0], files[1], record.data.data.users,
                                   model.rank, prediction.rated_zero_users});
  model.items =
      read_side(folder, {"theta.npy", "items.txt", files[2], files[3], record.data.data.items,
                         model.rank, prediction.rated_zero_items});
  return model;
}

}  // namespace alsbench
