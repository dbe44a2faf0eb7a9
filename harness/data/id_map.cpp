// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <parallel/algorithm>

#include "base/error.h"
#include "harness/data/raw_ratings.h"

namespace alsbench {
namespace {

template <class T>
void sort_unique(std::vector<T>& values) {
  __gnu_parallel::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

// The place of `value` in ascending names[begin, end), or -1.
template <class Name, class Value>
int64_t place_in(const std::vector<Name>& names, size_t begin, size_t end, const Value& value) {
  const auto first = names.begin() + static_cast<int64_t>(begin);
  const auto last = names.begin() + static_cast<int64_t>(end);
  const auto found = std::lower_bound(first, last, value);
  return found != last && *found == value ? found - names.begin() : -1;
}

// Distinct ids, ascending. Ids in a range not much wider than their number, the usual case, need no
// sort.
std::vector<uint64_t> distinct(const std::vector<uint64_t>& ids) {
  if (ids.empty()) return {};
  const uint64_t maximum = *std::max_element(ids.begin(), ids.end());
  std::vector<uint64_t> result;
  if (maximum / 16 <= ids.size()) {
    std::vector<bool> seen(maximum + 1);
    for (const uint64_t id : ids) seen[id] = true;
    for (uint64_t id = 0; id <= maximum; ++id) {
      if (seen[id]) result.push_back(id);
    }
    return result;
  }
  result = ids;
  sort_unique(result);
  return result;
}

void check_count(size_t count) {
  if (count > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    throw UsageError(
        fmt::format("{} distinct ids; at most 2147483647 users or items are supported", count));
  }
}

}  // namespace

IdMap::IdMap(const RawIds& ids, int64_t stated, uint64_t first_index)
    : text_(ids.text), stated_(stated), first_index_(first_index) {
  if (stated_ > 0) return;
  if (text_) {
    std::vector<std::string_view> texts = ids.texts;
    sort_unique(texts);
    texts_.assign(texts.begin(), texts.end());
  } else {
    numbers_ = distinct(ids.numbers);
  }
  sorted_ = names_count();
  check_count(sorted_);
}

void IdMap::append_unseen(const RawIds& ids) {
  if (text_) {
    std::vector<std::string> unseen;
    for (const std::string_view id : ids.texts) {
      if (place_in(texts_, 0, sorted_, id) < 0) unseen.emplace_back(id);
    }
    sort_unique(unseen);
    texts_.insert(texts_.end(), unseen.begin(), unseen.end());
  } else {
    std::vector<uint64_t> unseen;
    for (const uint64_t id : ids.numbers) {
      if (place_in(numbers_, 0, sorted_, id) < 0) unseen.push_back(id);
    }
    sort_unique(unseen);
    numbers_.insert(numbers_.end(), unseen.begin(), unseen.end());
  }
  check_count(names_count());
}

std::vector<int32_t> IdMap::map(const RawIds& ids) {
  const int64_t count = static_cast<int64_t>(ids.size());
  std::vector<int32_t> compact(ids.size());
  if (stated_ > 0) {
    // A test matrix larger than the training one appends its rows and columns.
    int64_t size = stated_;
#pragma omp parallel for schedule(static) reduction(max : size)  // cannot throw
    for (int64_t i = 0; i < count; ++i) {
      const uint64_t index = ids.numbers[static_cast<size_t>(i)] - first_index_;
      compact[static_cast<size_t>(i)] = static_cast<int32_t>(index);
      size = std::max(size, static_cast<int64_t>(index) + 1);
    }
    stated_ = size;
    return compact;
  }
  append_unseen(ids);
  const auto place = [&](const auto& names, const auto& id) {
    const int64_t seen = place_in(names, 0, sorted_, id);
    return static_cast<int32_t>(seen >= 0 ? seen : place_in(names, sorted_, names.size(), id));
  };
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t i = 0; i < count; ++i) {
    const size_t at = static_cast<size_t>(i);
    compact[at] = text_ ? place(texts_, ids.texts[at]) : place(numbers_, ids.numbers[at]);
  }
  return compact;
}

std::vector<std::string> IdMap::names() const {
  if (text_) return texts_;
  std::vector<std::string> names;
  if (!has_names()) return names;
  const size_t count = static_cast<size_t>(size());
  names.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    names.push_back(std::to_string(stated_ > 0 ? i + first_index_ : numbers_[i]));
  }
  return names;
}

}  // namespace alsbench
