// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/model/top_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "base/message.h"
#include "harness/files/npy_header.h"

namespace alsbench {
namespace {

// Lists that a thread writes at a time, of k answers of so many bytes: a block outweighs waiting
// for its turn, and stays in a cache.
int64_t lists_of_block(size_t k, size_t answer_bytes) {
  constexpr size_t kBytes = size_t{1} << 19;
  return static_cast<int64_t>(std::max<size_t>(1, kBytes / answer_bytes / k));
}

class TextWriter {
 public:
  TextWriter(const TableLines& lines, const TopLists& lists, const WriteText& write)
      : lines_(lines), lists_(lists), write_(write) {
    const auto& [asker, rank, answer, score] = lists.columns;
    write(lines_.header({asker, rank, answer, score}));
  }

  void add(const Recommender::Found& found) const {
    const auto format = [&](int64_t i, TextBlock& text) {
      const auto at = static_cast<size_t>(i);
      const int32_t asker = lists_.asked.rows[found.begin + at];
      const auto answers = found.items(at);
      const auto scores = found.scores(at);
      for (size_t rank = 0; rank < answers.size(); ++rank)
        lines_.add(text, lists_.askers.ids[static_cast<size_t>(asker)], rank + 1,
                   lists_.answers.ids[static_cast<size_t>(answers[rank])], scores[rank]);
    };
    constexpr size_t kUsualLine = 32;
    write_rows(static_cast<int64_t>(found.users), lists_of_block(found.k, kUsualLine), format,
               write_);
  }

 private:
  TableLines lines_;
  const TopLists& lists_;
  const WriteText& write_;
};

// An array with a list for each row that was asked for: the row, its answers and their scores.
class ArrayWriter {
 public:
  ArrayWriter(size_t k, const TopLists& lists, const WriteText& write)
      : k_(k),
        asked_(lists.asked),
        write_(write),
        no_answers_(k, AskedRows::kUnknown),
        no_scores_(k, -std::numeric_limits<float>::infinity()) {
    const auto& [asker, rank, answer, score] = lists.columns;
    write(npy_header(fmt::format("[('{}', '<i4'), ('{}', '<i4', ({},)), ('{}', '<f4', ({},))]",
                                 asker, answer, k, score, k),
                     fmt::format("({},)", asked_.places.size())));
  }

  // The lists in `found`, and those before them that are empty.
  void add(const Recommender::Found& found) {
    int64_t end = next_;
    for (size_t left = found.users; left > 0; ++end)
      if (asked_.places[static_cast<size_t>(end)] != AskedRows::kNone) --left;
    write_until(end, found);
  }
  void end() { write_until(static_cast<int64_t>(asked_.places.size()), {}); }

 private:
  void write_until(int64_t end, const Recommender::Found& found) {
    const auto format = [&](int64_t i, TextBlock& bytes) {
      const auto at = static_cast<size_t>(next_ + i);
      const int64_t place = asked_.places[at];
      const bool none = place == AskedRows::kNone;
      const size_t first = none ? 0 : (static_cast<size_t>(place) - found.begin) * k_;
      bytes.add_bytes(asked_.all[at]);
      bytes.add_bytes_of(none ? std::span(no_answers_) : found.all_items.subspan(first, k_));
      bytes.add_bytes_of(none ? std::span(no_scores_) : found.all_scores.subspan(first, k_));
    };
    write_rows(end - next_, lists_of_block(k_, sizeof(int32_t) + sizeof(float)), format, write_);
    next_ = end;
  }

  size_t k_;
  const AskedRows& asked_;
  const WriteText& write_;
  const std::vector<int32_t> no_answers_;
  const std::vector<float> no_scores_;
  int64_t next_ = 0;  // of the rows that were asked for
};

}  // namespace

AskedRows asked_rows(const ModelSide& side, const std::optional<std::vector<int32_t>>& chosen,
                     const IdTable* ids) {
  AskedRows asked;
  const int64_t count = chosen ? static_cast<int64_t>(chosen->size()) : side.rows();
  for (int64_t i = 0; i < count; ++i) {
    const int32_t row = chosen ? (*chosen)[static_cast<size_t>(i)] : static_cast<int32_t>(i);
    asked.places.push_back(AskedRows::kNone);
    asked.all.push_back(row < side.rows() ? row : AskedRows::kUnknown);
    if (row >= side.rows())
      asked.unknown.push_back(ids->id(row));
    else if (side.is_cold(row))
      asked.cold.push_back(side.ids[static_cast<size_t>(row)]);
    else {
      asked.places.back() = static_cast<int64_t>(asked.rows.size());
      asked.rows.push_back(row);
    }
  }
  return asked;
}

void warn_of_missing(const AskedRows& asked, std::string_view who, const char* cold) {
  const auto warn = [&](const std::vector<std::string>& ids, const char* why) {
    if (!ids.empty())
      print_message("alsbench: warning: {} {} get nothing, since {}: {}\n", ids.size(), who, why,
                    abbreviated_list(ids));
  };
  warn(asked.unknown, "they are not in the model");
  warn(asked.cold, cold);
}

void write_top_lists(const TableOptions& table, const TopLists& lists, Recommender& recommender,
                     const WriteText& write) {
  const auto recommend = [&](auto& writer) {
    recommender.recommend({&lists.askers, lists.asked.rows}, {lists.seen, lists.asked.rows},
                          lists.k, [&](const Recommender::Found& found) { writer.add(found); });
  };
  if (table.is_npy()) {
    ArrayWriter array(static_cast<size_t>(recommender.at_most(lists.k)), lists, write);
    recommend(array);
    array.end();
  } else {
    TextWriter text(TableLines(table), lists, write);
    recommend(text);
  }
}

}  // namespace alsbench
