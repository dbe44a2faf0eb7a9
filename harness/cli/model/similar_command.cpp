// SPDX-License-Identifier: Apache-2.0
// `alsbench similar`: the items, or users, whose factors are most alike.
#include <CLI/CLI.hpp>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "harness/cli/commands.h"
#include "harness/cli/model/model_options.h"
#include "harness/cli/model/top_lists.h"
#include "harness/cli/output.h"
#include "harness/cli/validators.h"
#include "harness/device/device.h"
#include "harness/device/device_selection.h"
#include "harness/device/opening_team.h"
#include "harness/model/recommender.h"
#include "harness/process/exit_code.h"

namespace alsbench {
namespace {

struct SimilarOptions {
  ModelOptions model;
  TableOptions table;
  std::string of = "items";
  std::string ids;  // file
  std::string device = kAutoDevice;
  int k = 10;

  bool users() const { return of == "users"; }
};

FilePlan file_plan(const SimilarOptions& options) {
  FilePlan plan;
  reads_model(plan, options.model);
  plan.reads(options.ids, "--ids");
  plan.writes_or_prints(options.table.out, "-o", options.table.content());
  return plan;
}

// Each row has seen itself, so it is no answer to itself.
Csr own_rows(int64_t rows) {
  std::vector<int64_t> offsets(static_cast<size_t>(rows) + 1);
  std::vector<int32_t> indices(static_cast<size_t>(rows));
  std::iota(offsets.begin(), offsets.end(), 0);
  std::iota(indices.begin(), indices.end(), 0);
  return {rows, rows, Array(std::move(offsets)), Array(std::move(indices)), {}};
}

int run_similar(const SimilarOptions& options) {
  file_plan(options).check();
  OpeningTeam opening(options.device, open_chosen_device);
  Model model = read_model(options.model.folder);
  std::optional<ModelIds> ids;
  std::optional<std::vector<int32_t>> chosen;
  if (!options.ids.empty()) {
    ids.emplace(model);
    chosen = options.users() ? ids->user_list(options.ids) : ids->item_list(options.ids);
    print_data_warnings(options.model, *ids);
  }
  ModelSide& read = options.users() ? model.users : model.items;
  ModelSide side = unit_side(read, model.features());
  side.ids = std::move(read.ids);
  const IdTable* const table = !ids ? nullptr : options.users() ? &ids->users : &ids->items;
  const AskedRows asked = asked_rows(side, chosen, table);
  const Csr own = own_rows(side.rows());
  Device& device = opening.get().device();
  const TopLists lists{asked,     side,
                       side,      {options.users() ? "user" : "item", "rank", "similar", "cosine"},
                       options.k, &own};
  write_lines(options.table.out, [&](const WriteText& write) {
    Recommender recommender(device, side);
    write_top_lists(options.table, lists, recommender, write);
  });
  warn_of_missing(asked, options.of, "their factors are zero");
  return kExitOk;
}

}  // namespace

void add_similar_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<SimilarOptions>();
  CLI::App* command =
      app.add_subcommand("similar", "Find the items or users whose factors are most alike");
  add_model_option(*command, options->model);
  command->add_option("--of", options->of, "items or users")
      ->check(CLI::IsMember({"items", "users"}))
      ->capture_default_str();
  command->add_option("--ids", options->ids, "File with one id per line (default: all)");
  command->add_option("-k", options->k, "Number of similar items or users for each")
      ->check(above_zero())
      ->capture_default_str();
  command->add_option("-d,--device", options->device, kOneDevice);
  add_table_options(*command, options->table, "with lines of id, rank, similar, cosine",
                    "an array of row, similar ones and cosines");
  add_quiet_option(*command, options->model.quiet);
  result.runs(*command, [options] { return run_similar(*options); });
}

}  // namespace alsbench
