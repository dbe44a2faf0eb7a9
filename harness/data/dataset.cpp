// SPDX-License-Identifier: Apache-2.0
#include "harness/data/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "harness/data/array_memory.h"
#include "harness/data/duplicates.h"
#include "harness/data/generator.h"
#include "harness/data/rating_times.h"
#include "harness/data/raw_ratings.h"
#include "harness/data/set_file.h"
#include "harness/data/split.h"
#include "harness/data/text_reader.h"
#include "harness/files/debug_log.h"
#include "harness/files/host_memory.h"
#include "harness/files/input_file.h"

namespace alsbench {
namespace {

struct TimedCells {
  Csr cells;
  std::vector<int64_t> ages;  // where the split asks for them
  Array<RatingTime> times;    // where they are kept
};

Holdout holdout_of(const DataRequest& request) {
  return {request.split_by, request.test_fraction, request.seed};
}

// A way that is asked for must not be passed over in silence.
void check_not_split(const DataRequest& request, int64_t test_ratings) {
  if (test_ratings > 0 && request.split_by != SplitBy::random)
    throw UsageError(
        fmt::format("{}: has {} test ratings of its own, so there is nothing to split by {}; "
                    "leave the split out",
                    request.path.string(), test_ratings, name_of(request.split_by)));
}

// The minimum memory of a set: its ratings by user and by item, and those for tests.
int64_t bytes_of(const SetSize& size) {
  constexpr int64_t kOffset = sizeof(int64_t), kCell = sizeof(int32_t) + sizeof(float);
  return kCell * (2 * size.train + size.test) + kOffset * (2 * size.users + size.items);
}

// Throws HostMemoryError where a set of so many ratings cannot be built: a file of a few bytes may
// state billions of rows.
void expect_memory_for(const IdMap& users, const IdMap& items, const SetSize& size) {
  int64_t bytes = bytes_of(size);
  for (const IdMap* ids : {&users, &items})
    if (ids->has_names()) bytes += ids->size() * static_cast<int64_t>(sizeof(std::string));
  require_host_memory(bytes);
}

// The same ratings in a larger shape: rows without ratings are appended.
Csr resized(const Csr& matrix, int64_t rows, int64_t cols) {
  std::vector<int64_t> offsets(matrix.offsets.begin(), matrix.offsets.end());
  offsets.resize(static_cast<size_t>(rows) + 1, matrix.nnz());
  return {rows, cols, Array<int64_t>(std::move(offsets)), matrix.indices, matrix.values};
}

Times kept_times(const DataRequest& request) {
  return request.keep_times ? Times::if_there : Times::left_out;
}

TextOptions train_options(const DataRequest& request) {
  return {{}, needs_times(request.split_by) ? Times::read : kept_times(request), request.choice()};
}

// For what only tells how a file is read: of two columns of times, the first.
TextOptions shown_options(const DataRequest& request) {
  TextOptions options = train_options(request);
  if (options.times == Times::if_there) options.times = Times::looked_for;
  return options;
}

// A rating that is kept whole keeps its own time, too.
OfSeveral counted_time(const DataRequest& request) {
  return request.duplicates == Duplicates::last ? OfSeveral::last : OfSeveral::latest;
}

RawRatings load_train(const DataRequest& request, Format format) {
  return load_raw(request.path, format, train_options(request));
}

// The training ratings as cells, duplicates resolved. What was read of them is freed on the way.
TimedCells cells_of_train(const DataRequest& request, Format format, RawRatings train) {
  const TextIds text{train.users.text, train.items.text};
  const auto describe = [&](int64_t row, int32_t col) {
    RawRatings again = load_train(request, format);
    if (text.users && !again.users.text) write_numbers(again.users, again.owners);
    if (text.items && !again.items.text) write_numbers(again.items, again.owners);
    return places_of_cell(again, again.users.codes.span(), again.items.codes.span(),
                          {static_cast<int32_t>(row), col, 0});
  };
  const int64_t rows = train.users.distinct(), cols = train.items.distinct();
  const bool timed = train.times.size() > 0;
  RatingColumns ratings{train.users.codes, train.items.codes, train.values};
  RatingColumns kept;
  std::vector<int64_t> ages;
  Array<RatingTime> times;
  if (timed) kept = ratings;
  if (needs_times(request.split_by)) ages = ages_of(train.times.span());
  if (request.keep_times) times = train.times;
  train = {};
  TimedCells result;
  result.cells =
      resolve_duplicates(csr_of(std::move(ratings), rows, cols), request.duplicates, describe);
  const auto rows_of = kept.rows.span(), cols_of = kept.cols.span();
  const OfSeveral counts = counted_time(request);
  if (!ages.empty()) result.ages = ages_of_cells(result.cells, rows_of, cols_of, ages, counts);
  if (times.size() > 0)
    result.times = times_of_cells(result.cells, rows_of, cols_of, times.span(), counts);
  return result;
}

// That of a separate test file. Where the training ratings are lists of items, a list of one length
// does not look like lists.
Format test_format(const DataRequest& request, Format train_format) {
  if (!request.format.empty()) return train_format;
  const Format found = format_of(request.test_path, "");
  const bool lists = train_format == Format::adjacency && found == Format::libmf;
  return lists ? Format::adjacency : found;
}

// The separate test ratings of a request; none when there are none.
RawRatings load_test(const DataRequest& request, Format train_format, TextIds text) {
  if (!request.test_path.empty())
    return load_raw(request.test_path, test_format(request, train_format),
                    {text, kept_times(request), request.choice()});
  return train_format == Format::cumf ? load_cumf_test(request.path) : RawRatings();
}

// Pairs, whose ratings are 1, judge no model of ratings.
void check_rated(const DataRequest& request, const RawRatings& train, const RawRatings& test) {
  if (test.values.size() > 0 && train.rated && !test.rated)
    throw UsageError(fmt::format("{}: has no ratings, and {} has; give test ratings with theirs",
                                 request.test_path.string(), request.path.string()));
}

// A column of ids that is text in the test ratings alone becomes text: its numbers stay those that
// the training ratings have, as for a model (IdTable).
void align_text(const DataRequest& request, RawRatings& train, RawRatings& test) {
  if (test.values.size() == 0) return;
  for (RawIds RawRatings::*const column : {&RawRatings::users, &RawRatings::items}) {
    if (!(test.*column).text || (train.*column).text || (train.*column).stated > 0) continue;
    write_numbers(train.*column, train.owners);
    write_numbers(test.*column, test.owners);
  }
  const bool aligned = train.users.text == test.users.text && train.items.text == test.items.text;
  if (!aligned || test.users.first_index != train.users.first_index ||
      (train.users.stated > 0) != (test.users.stated > 0)) {
    throw UsageError(
        fmt::format("{}: its ids are not comparable with those of {}; give both files "
                    "in the same format",
                    request.test_path.string(), request.path.string()));
  }
}

// A set file is complete, unless it has no test ratings and the request wants some.
RatingSet load_set_file(const DataRequest& request) {
  if (!request.test_path.empty()) {
    throw UsageError(fmt::format(
        "{}: takes no separate test ratings ({}); put both into one file with `alsbench data "
        "convert RATINGS --test FILE -o SET.alsset`",
        request.path.string(), request.test_path.string()));
  }
  check_columns(request.path, Format::alsset, request.choice());
  RatingSet set = read_set_file(request.path);
  check_not_split(request, set.test.nnz());
  const bool timed = needs_times(request.split_by);
  if (timed && set.times.size() == 0)
    throw UsageError(
        fmt::format("{}: holds no times; write it again with `alsbench data convert` from ratings "
                    "with times, or split by random or leave-one-out",
                    request.path.string()));
  const std::vector<int64_t> ages = timed ? ages_of(set.times.span()) : std::vector<int64_t>();
  if (!request.keep_times) set.times = set.test_times = {};
  set.id = request.path.string();
  if (set.test.nnz() > 0 || (takes_share(request.split_by) && request.test_fraction == 0))
    return set;
  split_set(set, holdout_of(request), ages);
  finish_set(set);
  return set;
}

// Throws UsageError where all test ratings are cold: they would judge nothing.
void check_not_cold(const DataRequest& request, const RatingSet& set) {
  std::vector<bool> trained(static_cast<size_t>(set.by_user.cols));
  for (const int32_t item : set.by_user.indices) trained[static_cast<size_t>(item)] = true;
  for (int64_t user = 0; user < set.test.rows; ++user) {
    if (set.by_user.offsets[user] == set.by_user.offsets[user + 1]) continue;
    for (int64_t i = set.test.offsets[user]; i < set.test.offsets[user + 1]; ++i)
      if (trained[static_cast<size_t>(set.test.indices[i])]) return;
  }
  throw UsageError(
      fmt::format("{}: none of its {} ratings has a user and an item that {} rates, so they "
                  "judge nothing; "
                  "give test ratings with the ids of the training ratings",
                  request.test_path.string(), set.test.nnz(), request.path.string()));
}

// One wrong bit would make a matrix of 2^31 rows.
void check_within(const RawRatings& train, const RawRatings& test) {
  const int64_t rows = train.users.stated, cols = train.items.stated;
  for (int64_t i = 0; i < test.values.size(); ++i) {
    const int32_t row = test.users.codes[i], col = test.items.codes[i];
    if (row < rows && col < cols) continue;
    throw UsageError(fmt::format(
        "{}: entry {} is at ({}, {}), outside the {} x {} of the training ratings; correct it, or "
        "add the R_train_csc files, whose indptr states all columns",
        test.pieces.front().text.file.string(), i + 1, row, col, rows, cols));
  }
}

RatingSet load_file(const DataRequest& request) {
  const Format format = format_of(request.path, request.format);
  if (format == Format::alsset) return load_set_file(request);
  RawRatings train = load_train(request, format);
  RawRatings test = load_test(request, format, {train.users.text, train.items.text});
  check_not_split(request, test.values.size());
  align_text(request, train, test);
  check_rated(request, train, test);
  if (format == Format::cumf) check_within(train, test);
  IdMap users(train.users), items(train.items);
  expect_memory_for(users, items,
                    {users.size(), items.size(), train.values.size(), test.values.size()});
  // The ids that are texts lie in them.
  const auto texts = train.users.text || train.items.text
                         ? train.owners
                         : std::vector<std::shared_ptr<const void>>();
  RatingSet set;
  set.id = request.path.string();
  set.left_out = train.left_out + test.left_out;
  TimedCells timed = cells_of_train(request, format, std::move(train));
  set.by_user = std::move(timed.cells);
  log_step("ratings: they are sorted by user");
  set.times = std::move(timed.times);
  if (test.values.size() == 0) {
    split_set(set, holdout_of(request), timed.ages);
  } else {
    const auto rows = users.add(test.users), cols = items.add(test.items);
    const Shape shape{.rows = users.size(), .cols = items.size()};
    set.test = cells_of(test, rows, cols, shape, request.duplicates);
    if (test.times.size() > 0)
      set.test_times = times_of_cells(set.test, rows.span(), cols.span(), test.times.span(),
                                      counted_time(request));
    set.by_user = resized(set.by_user, shape.rows, shape.cols);
    if (!request.test_path.empty()) check_not_cold(request, set);
  }
  log_step("ratings: test ratings are apart");
  set.users = users.names();
  set.items = items.names();
  log_step("ratings: ids are named");
  finish_set(set);
  log_step("ratings: both orders are there");
  return set;
}

std::string generated_id(const DataRequest& request) {
  std::string id = request.dataset;
  if (request.scale != 1) id += fmt::format("@{}", request.scale);
  if (request.uniform_row_length > 0) id += fmt::format(" uniform={}", request.uniform_row_length);
  if (request.empty_rows > 0) id += fmt::format(" empty_rows={}", request.empty_rows);
  if (request.empty_cols > 0) id += fmt::format(" empty_cols={}", request.empty_cols);
  return id + fmt::format(" seed={}", request.seed);
}

DatasetSpec spec_of(const DataRequest& request) {
  DatasetSpec spec = scaled(dataset_spec(request.dataset), request.scale);
  if (request.empty_rows > 0) spec.empty_rows = request.empty_rows;
  if (request.empty_cols > 0) spec.empty_cols = request.empty_cols;
  if (request.uniform_row_length > 0) {
    spec.user_degrees = {};
    spec.train_ratings =
        request.uniform_row_length *
        std::max<int64_t>(
            1, spec.rows - std::llround(spec.empty_rows * static_cast<double>(spec.rows)));
    spec.test_ratings = 0;
  }
  return spec;
}

SetSize size_of(const DatasetSpec& spec) {
  return {spec.rows, spec.cols, spec.train_ratings, spec.test_ratings};
}

RatingSet generate(const DataRequest& request, const DrawTarget& on) {
  const DatasetSpec spec = spec_of(request);
  const auto plan = plan_generator(spec, request.seed);  // small; refuses what cannot be
  require_host_memory(bytes_of(size_of(spec)));
  RatingSet set = generate_set(plan, on);
  set.id = generated_id(request);
  return set;
}

// The one rating is what a device gets where a stage reads none.
RatingSet sizes_alone(const Config& sizes) {
  RatingSet set;
  set.id = sizes.text();
  set.sizes = sizes;
  const std::vector<Rating> one{{0, 0, 1}};
  set.by_user = build_csr(one, 1, 1);
  set.test = build_csr({}, 1, 1);
  finish_set(set);
  return set;
}

void check(const DataRequest& request) {
  if (request.dataset.empty() == request.path.empty()) {
    throw UsageError("give either the name of a data set or the path of a rating file");
  }
  for (const std::filesystem::path& path : {request.path, request.test_path}) check_input(path);
  const auto check_share = [](const char* what, double share) {
    if (!(share >= 0 && share < 1)) {
      throw UsageError(fmt::format("{} {} is outside [0, 1)", what, share));
    }
  };
  if (takes_share(request.split_by)) check_share("test fraction", request.test_fraction);
  check_share("share of empty rows", request.empty_rows);
  check_share("share of empty columns", request.empty_cols);
}

}  // namespace

RatingSet load_rating_set(const DataRequest& request, const DrawTarget& on) {
  if (request.has_sizes()) return sizes_alone(request.sizes);
  check(request);
  const MemoryReuse reuse;
  return request.path.empty() ? generate(request, on) : load_file(request);
}

std::string reading_of(const DataRequest& request) {
  if (request.path.empty()) return "";
  const Format format = format_of(request.path, request.format);
  return reading_of(request.path, format, shown_options(request));
}

std::vector<std::vector<std::string>> first_ratings_of(const DataRequest& request, size_t count) {
  if (request.path.empty()) return {};
  const Format format = format_of(request.path, request.format);
  return first_ratings_of(request.path, format, shown_options(request), count);
}

std::vector<std::string> places_without_time(const DataRequest& request) {
  if (request.path.empty()) return {};
  const Format format = format_of(request.path, request.format);
  std::vector<std::string> places;
  const auto add = [&](const std::filesystem::path& path, Format own) {
    if (own == Format::alsset || !has_times(path, own, request.choice())) return;
    const RawRatings raw = load_raw(path, own, {{}, Times::if_there, request.choice()});
    if (raw.untimed >= 0) places.push_back(raw.place_of(raw.untimed));
  };
  add(request.path, format);
  if (!request.test_path.empty()) add(request.test_path, test_format(request, format));
  return places;
}

bool has_times(const DataRequest& request) {
  if (request.path.empty()) return false;
  const Format format = format_of(request.path, request.format);
  return format != Format::alsset && has_times(request.path, format, request.choice());
}

SetSize size_of(const RatingSet& set) {
  return {set.by_user.rows, set.by_user.cols, set.by_user.nnz(), set.test.nnz()};
}

std::optional<SetSize> size_before_loading(const DataRequest& request) {
  if (request.dataset.empty()) return std::nullopt;
  return size_of(spec_of(request));
}

bool worth_drawing_on_gpu(const DataRequest& request) {
  if (request.dataset.empty()) return false;
  const DatasetSpec spec = spec_of(request);
  return spec.train_ratings + spec.test_ratings >= kMinRatingsToDrawOnGpu;
}

}  // namespace alsbench
