// SPDX-License-Identifier: Apache-2.0
#include "harness/model/id_table.h"

#include <algorithm>
#include <optional>

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

int32_t IdTable::known_row(const RawIds& ids, size_t i) const {
  if (text_) {
    const auto found =
        texts_.find(ids.text ? std::string(ids.texts[i]) : std::to_string(ids.numbers[i]));
    return found == texts_.end() ? -1 : found->second;
  }
  const auto number = ids.text ? number_in(ids.texts[i]) : std::optional(ids.numbers[i]);
  if (!number) return -1;
  const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), std::pair(*number, 0));
  return found == numbers_.end() || found->first != *number ? -1 : found->second;
}

int32_t IdTable::row_of_unknown(const RawIds& ids, size_t i) {
  std::string id = ids.text ? std::string(ids.texts[i]) : std::to_string(ids.numbers[i]);
  const auto [at, is_new] = unknown_.emplace(std::move(id), static_cast<int32_t>(ids_.size()));
  if (is_new) ids_.push_back(at->first);
  return at->second;
}

std::vector<int32_t> IdTable::rows_of(const RawIds& ids) {
  std::vector<int32_t> rows(ids.size());
  const auto count = static_cast<int64_t>(ids.size());
  FirstError error;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < count; ++i)
    error.run([&] { rows[static_cast<size_t>(i)] = known_row(ids, static_cast<size_t>(i)); });
  error.rethrow();
  for (size_t i = 0; i < rows.size(); ++i)
    if (rows[i] < 0) rows[i] = row_of_unknown(ids, i);
  return rows;
}

}  // namespace alsbench
