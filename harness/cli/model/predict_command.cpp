// SPDX-License-Identifier: Apache-2.0
// `alsbench predict`: what a model predicts for pairs of user and item.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iterator>
#include <memory>
#include <string>

#include "base/message.h"
#include "harness/cli/commands.h"
#include "harness/cli/model/model_options.h"
#include "harness/cli/output.h"
#include "harness/cli/ratings_options.h"
#include "harness/process/exit_code.h"

namespace alsbench {
namespace {

struct PredictOptions {
  ModelOptions model;
  std::string pairs, out;
};

FilePlan file_plan(const PredictOptions& options) {
  FilePlan plan;
  reads_model(plan, options.model);
  plan.reads(options.pairs, "--pairs");
  plan.writes_or_prints(options.out, "-o");
  return plan;
}

// Which sides of a pair have no training rating.
const char* cold_text(const Model& model, int64_t user, int64_t item) {
  const bool cold_user = model.users.is_cold(user), cold_item = model.items.is_cold(item);
  if (cold_user && cold_item) return "both";
  if (cold_user) return "user";
  return cold_item ? "item" : "no";
}

void write_predictions(const Model& model, const ModelIds& ids, const RowPairs& pairs,
                       const WriteText& write) {
  constexpr size_t kChunk = size_t{1} << 16;
  fmt::memory_buffer text;
  fmt::format_to(std::back_inserter(text), "user\titem\tprediction\tcold\n");
  for (size_t i = 0; i < pairs.users.size(); ++i) {
    const int64_t user = pairs.users[i], item = pairs.items[i];
    fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\n", ids.users.id(user),
                   ids.items.id(item), static_cast<float>(model.predict(user, item)),
                   cold_text(model, user, item));
    if (text.size() < kChunk) continue;
    write({text.data(), text.size()});
    text.clear();
  }
  write({text.data(), text.size()});
}

int run_predict(const PredictOptions& options) {
  file_plan(options).check();
  const Model model = read_model(options.model.folder);
  ModelIds ids(model);
  const RowPairs pairs = ids.pairs(options.pairs, options.model.columns);
  print_data_warnings(ids);
  write_lines(options.out,
              [&](const WriteText& write) { write_predictions(model, ids, pairs, write); });
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
  command
      ->add_option(kOutFlags, options->out,
                   "Output file with lines of user, item, prediction, cold; or stdout")
      ->default_str(kStdout)
      ->type_name("F");
  command->add_flag("-q,--quiet", options->model.quiet, "Print no notes on stderr");
  command->callback(
      [&result, options] { result.action = [options] { return run_predict(*options); }; });
}

}  // namespace alsbench
