// SPDX-License-Identifier: Apache-2.0
// ColumnChoice: what --columns says, which column of a text file is user, item, rating and time;
// and what --values says of the ratings in it.
#pragma once

#include <array>
#include <string>

#include "harness/data/name_values.h"

namespace alsbench {

enum class ColumnRole { user, item, rating, time };
constexpr std::array kColumnRoles{ColumnRole::user, ColumnRole::item, ColumnRole::rating,
                                  ColumnRole::time};
const char* name_of(ColumnRole role);

// In place of a column of ratings: there is none, and each line counts as 1. Of times: they are
// left out.
constexpr const char* kNoColumn = "none";

// How --columns is written, for help texts and remedies.
constexpr const char* kColumnsForm = "--columns user=..,item=..,rating=..,time=..";

// A name of the header or a number from 1 for each role; empty where the choice does not say.
class ColumnChoice {
 public:
  ColumnChoice() = default;
  // Of a text such as "user=buyer_id,item=1"; an empty one chooses nothing. Throws UsageError.
  explicit ColumnChoice(const std::string& text, const std::string& values = "");

  const std::string& of(ColumnRole role) const { return columns_[static_cast<size_t>(role)]; }
  bool empty() const;
  const NameValues& values() const { return values_; }

 private:
  std::array<std::string, kColumnRoles.size()> columns_;
  NameValues values_;
};

}  // namespace alsbench
