// SPDX-License-Identifier: Apache-2.0
#include "harness/model/id_table.h"

#include <algorithm>
#include <optional>

#include "harness/data/array_builder.h"
#include "harness/data/text_reader.h"
#include "kernels/cpu/first_error.h"

namespace alsbench {
namespace {

std::optional<uint64_t> number_in(std::string_view text) {
  uint64_t number = 0;
  if (parse_id(text, number) != IdKind::number) return std::nullopt;
  return number;
}

// As a column of numbers is written: 7, not 07.
bool is_written_number(const std::string& id) {
  const auto number = number_in(id);
  return number && std::to_string(*number) == id;
}

std::string id_text(const RawIds& ids, int32_t code) {
  return ids.text ? std::string(ids.texts[static_cast<size_t>(code)])
                  : std::to_string(ids.number(code));
}

}  // namespace

IdTable::IdTable(std::vector<std::string> ids)
    : text_(!std::all_of(ids.begin(), ids.end(), is_written_number)),
      known_(static_cast<int64_t>(ids.size())),
      ids_(std::move(ids)) {
  for (size_t row = 0; row < ids_.size(); ++row) {
    if (text_)
      texts_.emplace(ids_[row], static_cast<int32_t>(row));
    else
      numbers_.emplace_back(*number_in(ids_[row]), static_cast<int32_t>(row));
  }
  std::sort(numbers_.begin(), numbers_.end());
}

int32_t IdTable::known_row(const RawIds& ids, int32_t code) const {
  if (text_) {
    const auto found = texts_.find(id_text(ids, code));
    return found == texts_.end() ? -1 : found->second;
  }
  const auto number =
      ids.text ? number_in(ids.texts[static_cast<size_t>(code)]) : std::optional(ids.number(code));
  if (!number) return -1;
  const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), std::pair(*number, 0));
  return found == numbers_.end() || found->first != *number ? -1 : found->second;
}

int32_t IdTable::row_of_unknown(const RawIds& ids, int32_t code) {
  const auto [at, is_new] = unknown_.emplace(id_text(ids, code), static_cast<int32_t>(ids_.size()));
  if (is_new) ids_.push_back(at->first);
  return at->second;
}

Array<int32_t> IdTable::rows_of(const RawIds& ids) {
  std::vector<int32_t> row_of(static_cast<size_t>(ids.distinct()));
  FirstError error;
#pragma omp parallel for schedule(static)
  for (size_t code = 0; code < row_of.size(); ++code)
    error.run([&] { row_of[code] = known_row(ids, static_cast<int32_t>(code)); });
  error.rethrow();
  // New ids get rows in the order in which they come.
  if (std::find(row_of.begin(), row_of.end(), -1) != row_of.end())
    for (const int32_t code : ids.codes) {
      int32_t& row = row_of[static_cast<size_t>(code)];
      if (row < 0) row = row_of_unknown(ids, code);
    }
  ArrayBuilder<int32_t> rows(ids.size());
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t i = 0; i < rows.size(); ++i) rows[i] = row_of[static_cast<size_t>(ids.codes[i])];
  return rows.freeze();
}

}  // namespace alsbench
