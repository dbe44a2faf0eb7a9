// SPDX-License-Identifier: Apache-2.0
// `alsbench fold-in`: a model with more rows of users or items, or with other ones.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/message.h"
#include "harness/algorithms/fold_in.h"
#include "harness/cli/commands.h"
#include "harness/cli/model/model_options.h"
#include "harness/cli/output.h"
#include "harness/device/device_selection.h"
#include "harness/device/opening_team.h"
#include "harness/model/model_files.h"
#include "harness/model/model_matrix.h"
#include "harness/model/model_record.h"
#include "harness/process/exit_code.h"

namespace alsbench {
namespace {

struct FoldInOptions {
  ModelOptions model;
  std::string data, out;
  std::string device = kAutoDevice;
  bool items = false;

  Side side() const { return items ? Side::theta : Side::x; }
};

FilePlan file_plan(const FoldInOptions& options) {
  FilePlan plan;
  reads_model(plan, options.model);
  plan.reads(options.data, "--data");
  plan.writes_folder(options.out, "--out", model_file_names());
  return plan;
}

// The ratings of the rows that have some, in their order. `left_out`: of columns that the other
// side of the model has no factors of.
struct NewRows {
  std::vector<int32_t> rows;
  Csr ratings;
  int64_t left_out = 0;
};

NewRows new_rows(const Csr& ratings, const ModelSide& fixed) {
  NewRows result;
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> indices;
  std::vector<float> values;
  for (int64_t row = 0; row < ratings.rows; ++row) {
    const int64_t begin = ratings.offsets[row], end = ratings.offsets[row + 1];
    if (begin == end) continue;
    for (int64_t k = begin; k < end; ++k) {
      if (fixed.is_cold(ratings.indices[k])) {
        ++result.left_out;
        continue;
      }
      indices.push_back(ratings.indices[k]);
      values.push_back(ratings.values[k]);
    }
    offsets.push_back(static_cast<int64_t>(indices.size()));
    result.rows.push_back(static_cast<int32_t>(row));
  }
  result.ratings = {static_cast<int64_t>(result.rows.size()), fixed.rows(),
                    Array<int64_t>(std::move(offsets)), Array<int32_t>(std::move(indices)),
                    Array<float>(std::move(values))};
  return result;
}

// All rows of a side, with the new ones in their places.
ModelMatrix with_rows(const std::string& name, const ModelSide& side, const NewRows& added,
                      const std::vector<float>& factors, int64_t rows) {
  ModelMatrix matrix{name, {}, rows, side.factors.cols};
  matrix.values.assign(side.factors.values.begin(), side.factors.values.end());
  matrix.values.resize(static_cast<size_t>(rows * matrix.rank));
  for (size_t i = 0; i < added.rows.size(); ++i)
    std::copy_n(factors.begin() + static_cast<int64_t>(i) * matrix.rank, matrix.rank,
                matrix.values.begin() + added.rows[i] * matrix.rank);
  return matrix;
}

// Rows of zeros that are not cold: those before, unless they are new, and new ones.
std::vector<int64_t> rated_zeros(std::vector<int64_t> before, const NewRows& added,
                                 const std::vector<float>& factors, int64_t rank) {
  std::erase_if(before, [&](int64_t row) {
    return std::binary_search(added.rows.begin(), added.rows.end(), row);
  });
  for (const int64_t row : rated_zero_rows(added.ratings, factors, rank))
    before.push_back(added.rows[static_cast<size_t>(row)]);
  std::sort(before.begin(), before.end());
  return before;
}

// The model's record, with the rows that were made.
Json record_of(const FoldInOptions& options, const NewRows& added,
               const std::vector<float>& factors, const FoldInRecord& made) {
  AnyModelRecord any = read_model_record(options.model.folder);
  return std::visit(
      [&](auto& record) {
        record.rows(!options.items) += made.added;
        auto& zeros =
            options.items ? record.prediction.rated_zero_items : record.prediction.rated_zero_users;
        const auto rank = std::ssize(factors) / std::ssize(added.rows);
        zeros = rated_zeros(zeros, added, factors, rank);
        record.fold_ins.push_back(made);
        return to_json(record);
      },
      any);
}

void write(const FoldInOptions& options, const ModelIds& ids, const ModelMatrix& made,
           const ModelMatrix& kept, const Json& record) {
  HeldFolder held(claimed_model(options.out));
  const auto id_file = [](const char* name, const IdTable& table, int64_t rows) {
    return ModelFile{name, id_lines(rows, [&table](int64_t row) { return table.id(row); })};
  };
  const std::vector<ModelMatrix> matrices =
      options.items ? std::vector{kept, made} : std::vector{made, kept};
  std::vector<ModelFile> files = matrix_files(matrices);
  files.push_back(id_file("users.txt", ids.users, matrices[0].rows));
  files.push_back(id_file("items.txt", ids.items, matrices[1].rows));
  write_model(options.out, files, record, held.lock());
}

int run_fold_in(const FoldInOptions& options) {
  file_plan(options).check();
  check_replaceable(claimed_model(options.out));
  OpeningTeam opening(options.device, open_chosen_device);
  const Model model = read_model(options.model.folder);
  const Side side = options.side();
  const ModelSide &fixed = options.items ? model.users : model.items,
                  &own = options.items ? model.items : model.users;
  require_ratings(options.model, model, options.data, "fold-in");
  ModelIds ids(model);
  RatingFile file = rating_file(options.model, options.data, RatingPart::train);
  file.new_rows = side;
  const Csr ratings =
      read_showing_progress(options.model, file.path, [&] { return ids.ratings(file); });
  print_data_warnings(options.model, ids);
  const NewRows added = new_rows(options.items ? transpose(ratings) : ratings, fixed);
  if (added.ratings.nnz() == 0)
    throw UsageError(
        fmt::format("{}: all of its ratings are of {} that the model has no factors "
                    "of; give ratings of those that it was trained on",
                    options.data, options.items ? "users" : "items"));
  if (added.left_out > 0)
    print_message(
        "alsbench: warning: {} ratings are left out: the model has no factors of their {}\n",
        added.left_out, options.items ? "users" : "items");
  const std::vector<float> factors =
      FoldIn(objective_of(model), side, fixed.factors).rows(opening.get().device(), added.ratings);
  const int64_t rows = (options.items ? ids.items : ids.users).size();
  const ModelMatrix kept{std::string(name_of(other(side))),
                         {fixed.factors.values.begin(), fixed.factors.values.end()},
                         fixed.rows(),
                         model.rank};
  const int64_t more = rows - own.rows();
  const FoldInRecord fold_in{options.data, options.items ? "items" : "users", added.ratings.nnz(),
                             more, std::ssize(added.rows) - more};
  write(options, ids, with_rows(std::string(name_of(side)), own, added, factors, rows), kept,
        record_of(options, added, factors, fold_in));
  if (!options.model.quiet)
    print_message("alsbench: {}: {} {} replaced, {} added\n", options.out, fold_in.replaced,
                  fold_in.side, fold_in.added);
  return kExitOk;
}

}  // namespace

void add_fold_in_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<FoldInOptions>();
  CLI::App* command = app.add_subcommand(
      "fold-in", "Add users or items to a model by their ratings, without training it again");
  add_model_option(*command, options->model);
  command
      ->add_option("--data", options->data,
                   "All ratings of the users to add; of one that the model has, in place of those "
                   "before")
      ->required();
  command->add_option("--out", options->out, "Folder for the new model")->required();
  command->add_flag("--items", options->items, "Add items in place of users");
  command->add_option("-d,--device", options->device, kOneDevice);
  add_rating_file_options(*command, options->model);
  add_quiet_option(*command, options->model.quiet);
  result.runs(*command, [options] { return run_fold_in(*options); });
}

}  // namespace alsbench
