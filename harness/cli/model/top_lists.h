// SPDX-License-Identifier: Apache-2.0
// Lists of a Recommender's answers as a table: lines of text, or an array with an element for each
// list.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/model/model_options.h"
#include "harness/model/recommender.h"

namespace alsbench {

// Rows of a side that were asked for, and which of them get a list.
struct AskedRows {
  static constexpr int64_t kNone = -1;
  static constexpr int32_t kUnknown = -1;

  std::vector<int32_t> all;                // rows of the side, or kUnknown
  std::vector<int32_t> rows;               // that get one
  std::vector<int64_t> places;             // in `rows`, of each of all; or kNone
  std::vector<std::string> unknown, cold;  // ids of those that get none
};

// `chosen`: rows of the table `ids`; without, all of the side. Rows that are cold in `side` get
// none.
AskedRows asked_rows(const ModelSide& side, const std::optional<std::vector<int32_t>>& chosen,
                     const IdTable* ids);
// `who`: "users". Warns on stderr of those that get nothing; `cold`: why rows of zeros do not.
void warn_of_missing(const AskedRows& asked, std::string_view who,
                     const char* cold = "they have no training rating");

// Subject of lists: rows that ask, and rows that answer.
struct TopLists {
  const AskedRows& asked;
  const ModelSide& askers;
  const ModelSide& answers;
  std::array<std::string_view, 4> columns;  // of a line: "user", "rank", "item", "score"
  int k;                                    // answers of a list at most
  const Csr* seen;                          // by row of the askers, no answers; may be null
};

// Asks for the best of each row, and writes them as the table says.
void write_top_lists(const TableOptions& table, const TopLists& lists, Recommender& recommender,
                     const WriteText& write);

}  // namespace alsbench
