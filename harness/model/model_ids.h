// SPDX-License-Identifier: Apache-2.0
// ModelIds: files of ratings, pairs and users in the rows of a model.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/data/csr.h"
#include "harness/data/raw_ratings.h"
#include "harness/data/side.h"
#include "harness/model/model.h"

namespace alsbench {

// Which row of a model an id of a file stands for. Ids that the model does not know get the rows
// after its last one.
class IdTable {
 public:
  // The ids of rows 0, 1, ...
  explicit IdTable(std::vector<std::string> ids);

  // Whether ids are texts, so files must be read with theirs as texts ("07" is not 7).
  bool text() const { return text_; }
  // Whether a text is an id of the model; false where ids are numbers.
  bool knows(const std::string& text) const { return texts_.contains(text); }
  int64_t known() const { return known_; }
  int64_t size() const { return static_cast<int64_t>(ids_.size()); }  // with the unknown ones
  // The row of an id as a file has it: 7.0 is 7, unless it is an id itself. -1 where there is none.
  int64_t row_of(const std::string& text) const;
  const std::string& id(int64_t row) const { return ids_[static_cast<size_t>(row)]; }
  // The row of each id; those that are new get one.
  Array<int32_t> rows_of(const RawIds& ids);

 private:
  int32_t known_row(const RawIds& ids, int32_t code) const;  // -1 where there is none
  int32_t known_row(uint64_t number) const;
  int32_t known_row(const std::string& text) const;
  int32_t row_of_unknown(const RawIds& ids, int32_t code);

  bool text_ = false;
  int64_t known_ = 0;
  std::vector<std::string> ids_;
  std::vector<std::pair<uint64_t, int32_t>> numbers_;  // ascending; of ids that are no texts
  std::unordered_map<std::string, int32_t> texts_, unknown_;
};

// A file of ratings as an option names it.
struct RatingFile {
  std::filesystem::path path;
  std::string format;    // empty: by content
  ColumnChoice columns;  // which is what; empty: found
  RatingPart part = RatingPart::train;
  Duplicates duplicates = Duplicates::error;
  std::optional<Side> new_rows = {};  // whose ids need not be in the model
};

struct RowPairs {
  std::vector<int32_t> users, items;
};

class ModelIds {
 public:
  explicit ModelIds(const Model& model) : users(model.users.ids), items(model.items.ids) {}

  // All of these throw UsageError that names file, line, value and remedy.
  // Rows past those of the model are ids that it does not know.
  Csr ratings(const RatingFile& file);
  Csr ratings(const std::shared_ptr<const RatingSet>& set, RatingPart part);
  RowPairs pairs(const std::filesystem::path& path, const ColumnChoice& columns = {});
  // An id a line. A line that begins with # or % is a comment, unless it is an id of the model.
  std::vector<int32_t> user_list(const std::filesystem::path& path);
  std::vector<int32_t> item_list(const std::filesystem::path& path);

  // Warnings: comments that may be meant for lines, a first pair that may be a header, ids that cut
  // blanks have merged, new ids that may be none, and files half of whose users or items are
  // unknown. One whose users or items are all unknown is an error, unless they may be new.
  const std::vector<std::string>& warnings() const { return warnings_; }
  // How many lines of which file are left out, as --values says.
  const std::vector<std::string>& notes() const { return notes_; }

  IdTable users, items;

 private:
  Csr cells(const RatingFile& file, const RawRatings& raw);
  // `what`: "user" or "item".
  std::vector<int32_t> list(const std::filesystem::path& path, IdTable& table, const char* what);
  // In doubt, or refused, where the first pair may be a header of unknown names.
  void doubt_first_pair(const RawRatings& raw, const ColumnChoice& columns);
  // Warn of what stands in a text, and of new ids.
  void doubt_text(const std::filesystem::path& path, const std::string& doubt);
  void doubt_new_ids(const RatingFile& file);
  // In doubt, or refused, where the table lacks many of them.
  Array<int32_t> known_rows(const std::string& file, const RawIds& ids, IdTable& table);
  std::vector<std::string> warnings_, notes_;
  TextOptions text(const ColumnChoice& columns) const;
};

}  // namespace alsbench
