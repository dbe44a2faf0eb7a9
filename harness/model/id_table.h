// SPDX-License-Identifier: Apache-2.0
// IdTable: which row of a model an id of a file stands for. Ids that the model does not know get
// the rows after its last one.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/data/raw_ratings.h"

namespace alsbench {

class IdTable {
 public:
  // The ids of rows 0, 1, ...
  explicit IdTable(std::vector<std::string> ids);

  // Whether ids are texts, so files must be read with theirs as texts ("07" is not 7).
  bool text() const { return text_; }
  int64_t known() const { return known_; }
  int64_t size() const { return static_cast<int64_t>(ids_.size()); }  // with the unknown ones
  const std::string& id(int64_t row) const { return ids_[static_cast<size_t>(row)]; }
  // Whether a text is an id of the model; false where ids are numbers.
  bool knows(const std::string& text) const { return texts_.contains(text); }
  // The row of each id; those that are new get one.
  Array<int32_t> rows_of(const RawIds& ids);

 private:
  int32_t known_row(const RawIds& ids, int32_t code) const;  // -1 where there is none
  int32_t row_of_unknown(const RawIds& ids, int32_t code);

  bool text_ = false;
  int64_t known_ = 0;
  std::vector<std::string> ids_;
  std::vector<std::pair<uint64_t, int32_t>> numbers_;  // ascending; of ids that are no texts
  std::unordered_map<std::string, int32_t> texts_, unknown_;
};

}  // namespace alsbench
