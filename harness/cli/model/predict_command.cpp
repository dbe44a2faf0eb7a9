// SPDX-License-Identifier: Apache-2.0
// `alsbench predict`: what a model predicts for pairs of user and item.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "base/message.h"
#include "harness/cli/commands.h"
#include "harness/cli/model/model_options.h"
#include "harness/cli/output.h"
#include "harness/cli/ratings_options.h"
#include "harness/files/npy_header.h"
#include "harness/process/exit_code.h"

namespace alsbench {
namespace {

struct PredictOptions {
  ModelOptions model;
  TableOptions table;
  std::string pairs;
};

FilePlan file_plan(const PredictOptions& options) {
  FilePlan plan;
  reads_model(plan, options.model);
  plan.reads(options.pairs, "--pairs");
  plan.writes_or_prints(options.table.out, "-o", options.table.content());
  return plan;
}

// Which sides of a pair have no training rating.
const char* cold_text(const Model& model, int64_t user, int64_t item) {
  const bool cold_user = model.users.is_cold(user), cold_item = model.items.is_cold(item);
  if (cold_user && cold_item) return "both";
  if (cold_user) return "user";
  return cold_item ? "item" : "no";
}

constexpr int64_t kBlockRows = int64_t{1} << 14;

void write_text(const TableLines& lines, const Model& model, const ModelIds& ids,
                const RowPairs& pairs, const WriteText& write) {
  write(lines.header({"user", "item", "prediction", "cold"}));
  const auto format = [&](int64_t i, TextBlock& text) {
    const int64_t user = pairs.users[static_cast<size_t>(i)],
                  item = pairs.items[static_cast<size_t>(i)];
    lines.add(text, ids.users.id(user), ids.items.id(item),
              static_cast<float>(model.predict(user, item)), cold_text(model, user, item));
  };
  write_rows(static_cast<int64_t>(pairs.users.size()), kBlockRows, format, write);
}

void write_npy(const Model& model, const RowPairs& pairs, const WriteText& write) {
  write(npy_header("[('prediction', '<f4'), ('cold', '|u1')]",
                   fmt::format("({},)", pairs.users.size())));
  const auto format = [&](int64_t i, TextBlock& bytes) {
    const int64_t user = pairs.users[static_cast<size_t>(i)],
                  item = pairs.items[static_cast<size_t>(i)];
    bytes.add_bytes(static_cast<float>(model.predict(user, item)));
    bytes.add_bytes(static_cast<uint8_t>((model.users.is_cold(user) ? 1 : 0) +
                                         (model.items.is_cold(item) ? 2 : 0)));
  };
  write_rows(static_cast<int64_t>(pairs.users.size()), kBlockRows, format, write);
}

int run_predict(const PredictOptions& options) {
  file_plan(options).check();
  const Model model = read_model(options.model.folder);
  ModelIds ids(model);
  const RowPairs pairs = read_showing_progress(options.model, options.pairs, [&] {
    return ids.pairs(options.pairs, ColumnChoice(options.model.columns));
  });
  print_data_warnings(options.model, ids);
  write_lines(options.table.out, [&](const WriteText& write) {
    options.table.is_npy() ? write_npy(model, pairs, write)
                           : write_text(TableLines(options.table), model, ids, pairs, write);
  });
  const int64_t users = ids.users.size() - ids.users.known();
  const int64_t items = ids.items.size() - ids.items.known();
  if (!options.model.quiet && users + items > 0)
    print_message("{}: {} users and {} items are not in the model; their predictions are cold\n",
                  options.pairs, users, items);
  return kExitOk;
}

}  // namespace

void add_predict_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<PredictOptions>();
  CLI::App* command =
      app.add_subcommand("predict", "Predict the ratings of users and items with a model");
  add_model_option(*command, options->model);
  command
      ->add_option(
          "--pairs", options->pairs,
          "File of users and items: one pair per line, separated by tab, comma, '::' or blank")
      ->required();
  add_columns_option(*command, options->model.columns);
  add_table_options(*command, options->table, "with lines of user, item, prediction, cold",
                    "an array of prediction and cold");
  add_quiet_option(*command, options->model.quiet);
  result.runs(*command, [options] { return run_predict(*options); });
}

}  // namespace alsbench
