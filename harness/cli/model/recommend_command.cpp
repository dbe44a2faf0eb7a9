// SPDX-License-Identifier: Apache-2.0
// `alsbench recommend`: the items that a model scores highest for each user.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <future>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/message.h"
#include "harness/cli/commands.h"
#include "harness/cli/model/model_options.h"
#include "harness/cli/validators.h"
#include "harness/device/device.h"
#include "harness/device/device_selection.h"
#include "harness/files/debug_log.h"
#include "harness/files/npy_header.h"
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
  plan.writes_or_prints(options.table.out, "-o");
  return plan;
}

constexpr int64_t kNobody = -1;

// Whom to recommend to, and who gets nothing.
struct Audience {
  std::vector<int32_t> users;
  std::vector<int64_t> place_in_users;  // of each user that was asked for; or kNobody
  std::vector<std::string> unknown, cold;
  std::optional<Csr> seen;  // their items that are excluded
};

// `ids`: where the users are named.
Audience audience_of(const RecommendOptions& options, const Model& model, ModelIds* ids) {
  Audience audience;
  const bool all = options.users.empty();
  std::vector<int32_t> asked;
  if (!all) asked = ids->user_list(options.users);
  const int64_t count = all ? model.users.rows() : static_cast<int64_t>(asked.size());
  for (int64_t i = 0; i < count; ++i) {
    const auto user = all ? static_cast<int32_t>(i) : asked[static_cast<size_t>(i)];
    audience.place_in_users.push_back(kNobody);
    if (user >= model.users.rows())
      audience.unknown.push_back(ids->users.id(user));
    else if (model.users.is_cold(user))
      audience.cold.push_back(model.users.ids[static_cast<size_t>(user)]);
    else {
      audience.place_in_users.back() = static_cast<int64_t>(audience.users.size());
      audience.users.push_back(user);
    }
  }
  return audience;
}

void warn_of(const std::vector<std::string>& users, const char* why) {
  if (!users.empty())
    print_message("alsbench: warning: {} users get nothing, since {}: {}\n", users.size(), why,
                  abbreviated_list(users));
}

// Users that a thread writes at a time, of k answers of so many bytes: a block outweighs waiting
// for its turn, and stays in a cache.
int64_t block_users(size_t k, size_t answer_bytes) {
  constexpr size_t kBytes = size_t{1} << 19;
  return static_cast<int64_t>(std::max<size_t>(1, kBytes / answer_bytes / k));
}

class TextWriter {
 public:
  TextWriter(const TableLines& lines, const Model& model, const Audience& audience,
             const WriteText& write)
      : lines_(lines), model_(model), audience_(audience), write_(write) {
    write(lines.header({"user", "rank", "item", "score"}));
  }

  void add(const Recommender::Found& found) const {
    const auto format = [&](int64_t i, TextBlock& text) {
      const auto at = static_cast<size_t>(i);
      const int32_t user = audience_.users[found.begin + at];
      const auto items = found.items(at);
      const auto scores = found.scores(at);
      for (size_t rank = 0; rank < items.size(); ++rank)
        lines_.add(text, model_.users.ids[static_cast<size_t>(user)], rank + 1,
                   model_.items.ids[static_cast<size_t>(items[rank])], scores[rank]);
    };
    constexpr size_t kUsualLine = 32;
    write_rows(static_cast<int64_t>(found.users), block_users(found.k, kUsualLine), format, write_);
  }

 private:
  TableLines lines_;
  const Model& model_;
  const Audience& audience_;
  const WriteText& write_;
};

// An array with a row for each user that was asked for.
class ArrayWriter {
 public:
  ArrayWriter(size_t k, const Audience& audience, const WriteText& write)
      : k_(k), audience_(audience), write_(write) {
    write(npy_header("[('item', '<i4'), ('score', '<f4')]",
                     fmt::format("({}, {})", audience.place_in_users.size(), k)));
  }

  // The users in `found`, and those before them who get nothing.
  void add(const Recommender::Found& found) {
    int64_t end = next_;
    for (size_t left = found.users; left > 0; ++end)
      if (audience_.place_in_users[static_cast<size_t>(end)] != kNobody) --left;
    write_until(end, found);
  }
  void end() { write_until(static_cast<int64_t>(audience_.place_in_users.size()), {}); }

 private:
  void write_until(int64_t end, const Recommender::Found& found) {
    const auto format = [&](int64_t i, TextBlock& bytes) {
      const int64_t place = audience_.place_in_users[static_cast<size_t>(next_ + i)];
      const size_t first = (static_cast<size_t>(place) - found.begin) * k_;
      for (size_t rank = 0; rank < k_; ++rank) {
        bytes.add_bytes(place == kNobody ? int32_t{-1} : found.all_items[first + rank]);
        bytes.add_bytes(place == kNobody ? -std::numeric_limits<float>::infinity()
                                         : found.all_scores[first + rank]);
      }
    };
    write_rows(end - next_, block_users(k_, sizeof(int32_t) + sizeof(float)), format, write_);
    next_ = end;
  }

  size_t k_;
  const Audience& audience_;
  const WriteText& write_;
  int64_t next_ = 0;  // of the users that were asked for
};

void write_recommendations(const RecommendOptions& options, Device& device, const Model& model,
                           const Audience& audience, const WriteText& write) {
  Recommender recommender(device, model.items);
  const Csr* const seen = audience.seen ? &*audience.seen : nullptr;
  const auto recommend = [&](auto& writer) {
    recommender.recommend({&model.users, audience.users}, {seen, audience.users}, options.k,
                          [&](const Recommender::Found& found) { writer.add(found); });
  };
  if (options.table.is_npy()) {
    ArrayWriter array(static_cast<size_t>(recommender.at_most(options.k)), audience, write);
    recommend(array);
    array.end();
  } else {
    TextWriter text(TableLines(options.table), model, audience, write);
    recommend(text);
  }
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
  auto opening = std::async([&] { return open_device(one_device(options.device)); });
  Model model = read_model(options.model.folder);
  log_step("recommend: the model is read");
  std::optional<ModelIds> ids;
  for (const std::string* file : {&options.users, &options.seen, &options.items, &options.without})
    if (!file->empty() && !ids) ids.emplace(model);
  if (ids) choose_candidates(options, *ids, model.items);
  Audience audience = audience_of(options, model, ids ? &*ids : nullptr);
  if (!options.seen.empty())
    audience.seen = read_showing_progress(options.model, options.seen, [&] {
      return ids->ratings(rating_file(options.model, options.seen, RatingPart::train));
    });
  if (ids) print_data_warnings(*ids);
  const auto device = opening.get();
  device->use();
  log_step("recommend: the device is open");
  write_lines(options.table.out, [&](const WriteText& write) {
    write_recommendations(options, *device, model, audience, write);
    log_step("recommend: all is written");
  });
  log_step("recommend: the file is on the disk");
  warn_of(audience.unknown, "they are not in the model");
  warn_of(audience.cold, "they have no training rating");
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
  for (const char* of_seen : {"--format", "--columns", "--duplicates"})
    command->get_option(of_seen)->needs(seen);
  add_table_options(*command, options->table, "with lines of user, rank, item, score",
                    "an array of item and score");
  command->add_flag("-q,--quiet", options->model.quiet, "Print no notes on stderr");
  command->callback(
      [&result, options] { result.action = [options] { return run_recommend(*options); }; });
}

}  // namespace alsbench
