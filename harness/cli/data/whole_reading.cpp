// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/data/whole_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/message.h"
#include "harness/cli/ratings_options.h"
#include "harness/cli/text_table.h"
#include "harness/data/dataset.h"
#include "harness/data/raw_ratings.h"
#include "harness/data/text_reader.h"
#include "harness/record/escape.h"

namespace alsbench {
namespace {

const char* kind_of(const std::vector<std::string>& ids) {
  uint64_t number = 0;
  const auto is_number = [&](const std::string& id) {
    return parse_id(id, number) == IdKind::number;
  };
  return std::ranges::all_of(ids, is_number) ? "numbers" : "texts";
}

// How a format is read that leaves no choice of columns.
const char* fixed_layout(Format format) {
  switch (format) {
    case Format::netflix:
      return "lines of 'movie:', then user, rating and date; fields end at ','";
    case Format::kddcup:
      return "lines of 'user|count', then item and rating; fields end at tabs";
    case Format::matrix_market:
      return "user, item and rating as indices from 1; fields end at blanks";
    case Format::alsset:
      return "a whole set with its ids";
    default:
      return "a binary matrix with indices from 0";
  }
}

std::string id_at(const std::vector<std::string>& ids, int64_t row) {
  return ids.empty() ? std::to_string(row) : ids[static_cast<size_t>(row)];
}

// The first ratings of a set, by user and item, below the columns' names.
std::vector<std::vector<std::string>> first_cells_of(const RatingSet& set, int64_t count) {
  std::vector<std::vector<std::string>> rows{{"user", "item", "rating"}};
  const Csr& cells = set.by_user;
  for (int64_t user = 0; user < cells.rows && cells.offsets[user] < count; ++user)
    for (int64_t i = cells.offsets[user]; i < std::min(cells.offsets[user + 1], count); ++i)
      rows.push_back({id_at(set.users, user), id_at(set.items, cells.indices[i]),
                      fmt::format("{}", cells.values[i])});
  return rows;
}

}  // namespace

void print_whole_reading(const DataRequest& request, const RatingSet& set) {
  if (request.path.empty()) return;
  DataRequest timed = request;  // the column of times is told, too
  timed.keep_times = true;
  std::string reading = reading_of(timed);
  if (reading.empty()) {
    const Format format = format_of(request.path, request.format);
    reading = fmt::format("{}: {}", name_of(format), fixed_layout(format));
  }
  const std::string left_out = left_out_of(request, set);
  print_message("{}: read as {}; ids of users are {}, of items {}{}{}\n",
                visible(request.path.string()), reading, kind_of(set.users), kind_of(set.items),
                left_out.empty() ? "" : "; ", left_out);
  std::vector<std::vector<std::string>> first = first_ratings_of(timed, 3);
  if (first.empty()) first = first_cells_of(set, 3);
  TextTable table(first.front());
  for (size_t i = 1; i < first.size(); ++i) table.add(first[i]);
  print_message("{}\n", table.text());
}

}  // namespace alsbench
