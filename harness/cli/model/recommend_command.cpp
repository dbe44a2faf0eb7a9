// SPDX-License-Identifier: Apache-2.0
// `alsbench recommend`: the items that a model scores highest for each user.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <memory>
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
#include "harness/files/debug_log.h"
#include "harness/model/recommender.h"
#include "harness/process/exit_code.h"

namespace alsbench {
namespace {

struct RecommendOptions {
  ModelOptions model;
  TableOptions table;
  std::string users, seen;
  std::string items, without;  // candidates, and items that are none
  std::string device = kAutoDevice;
  int k = 10;
};

FilePlan file_plan(const RecommendOptions& options) {
  FilePlan plan;
  reads_model(plan, options.model);
  plan.reads(options.users, "--users");
  plan.reads(options.seen, "--seen");
  plan.reads(options.items, "--items");
  plan.reads(options.without, "--without");
  plan.writes_or_prints(options.table.out, "-o", options.table.content());
  return plan;
}

// Items that are not to be recommended are taken for cold ones.
void choose_candidates(const RecommendOptions& options, ModelIds& ids, ModelSide& items) {
  const auto mark = [&](const std::string& file, std::vector<uint8_t>& marks, uint8_t value) {
    for (const int32_t item : ids.item_list(file))
      if (item < items.rows()) marks[static_cast<size_t>(item)] = value;
  };
  if (!options.items.empty()) {
    std::vector<uint8_t> others(items.cold.size(), 1);
    mark(options.items, others, 0);
    std::ranges::transform(items.cold, others, items.cold.begin(), std::bit_or<>());
  }
  if (!options.without.empty()) mark(options.without, items.cold, 1);
  if (std::ranges::count(items.cold, 0) == 0)
    throw UsageError(
        "no item is left to recommend: --items has none with training ratings, or --without all");
}

int run_recommend(const RecommendOptions& options) {
  file_plan(options).check();
  OpeningTeam opening(options.device, open_chosen_device);
  Model model = read_model(options.model.folder);
  log_step("recommend: the model is read");
  std::optional<ModelIds> ids;
  for (const std::string* file : {&options.users, &options.seen, &options.items, &options.without})
    if (!file->empty() && !ids) ids.emplace(model);
  if (ids) choose_candidates(options, *ids, model.items);
  std::optional<std::vector<int32_t>> users;
  if (!options.users.empty()) users = ids->user_list(options.users);
  const AskedRows asked = asked_rows(model.users, users, ids ? &ids->users : nullptr);
  std::optional<Csr> seen;
  if (!options.seen.empty())
    seen = read_showing_progress(options.model, options.seen, [&] {
      return ids->ratings(rating_file(options.model, options.seen, RatingPart::train));
    });
  if (ids) print_data_warnings(options.model, *ids);
  Device& device = opening.get().device();
  log_step("recommend: the device is open");
  write_lines(options.table.out, [&](const WriteText& write) {
    Recommender recommender(device, model.items);
    write_top_lists(options.table,
                    {asked,
                     model.users,
                     model.items,
                     {"user", "rank", "item", "score"},
                     options.k,
                     seen ? &*seen : nullptr},
                    recommender, write);
    log_step("recommend: all is written");
  });
  log_step("recommend: the file is on the disk");
  warn_of_missing(asked, "users");
  return kExitOk;
}

}  // namespace

void add_recommend_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<RecommendOptions>();
  CLI::App* command = app.add_subcommand(
      "recommend", "Recommend the items that a model scores highest for each user");
  add_model_option(*command, options->model);
  command->add_option("--users", options->users,
                      "File with one user id per line (default: all users)");
  command->add_option("-k", options->k, "Number of items for a user")
      ->check(above_zero())
      ->capture_default_str();
  CLI::Option* seen = command->add_option(
      "--seen", options->seen, "Ratings whose items are excluded, such as the training ratings");
  command->add_option("--items", options->items,
                      "File with one item id per line: the only ones to recommend");
  command->add_option("--without", options->without,
                      "File with one item id per line: left out for every user");
  command->add_option("-d,--device", options->device, kOneDevice);
  add_rating_file_options(*command, options->model);
  for (const char* of_seen : {"--format", "--columns", "--values", "--duplicates"})
    command->get_option(of_seen)->needs(seen);
  add_table_options(*command, options->table, "with lines of user, rank, item, score",
                    "an array of user, items and scores");
  add_quiet_option(*command, options->model.quiet);
  result.runs(*command, [options] { return run_recommend(*options); });
}

}  // namespace alsbench
