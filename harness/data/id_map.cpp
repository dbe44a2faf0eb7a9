// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "harness/data/array_builder.h"
#include "harness/data/raw_ratings.h"
#include "harness/data/text_reader.h"
#include "kernels/cpu/first_error.h"

namespace alsbench {
namespace {

// The place of each of `ids` in `known`; those that it lacks are appended. Both ascend. A text that
// it lacks may be there in another writing: 7 for 7.0.
template <class Id>
std::vector<int32_t> places_in(std::vector<Id>& known, const std::vector<Id>& ids) {
  std::vector<int32_t> places;
  places.reserve(ids.size());
  const auto end = std::ssize(known);
  int64_t at = 0;
  for (const Id& id : ids) {
    at = std::lower_bound(known.begin() + at, known.begin() + end, id) - known.begin();
    bool seen = at < end && known[static_cast<size_t>(at)] == id;
    int64_t place = seen ? at : std::ssize(known);
    if constexpr (std::is_same_v<Id, std::string_view>)
      if (const auto other = seen ? std::nullopt : other_writing(id)) {
        const auto found = std::lower_bound(known.begin(), known.begin() + end, *other);
        seen = found != known.begin() + end && *found == *other;
        if (seen) place = found - known.begin();
      }
    places.push_back(static_cast<int32_t>(place));
    if (!seen) known.push_back(id);
  }
  return places;
}

// "7" of a column of numbers, or of the text "7.0".
std::string written(const RawIds& ids, size_t code) {
  if (!ids.text) return std::to_string(ids.numbers[code]);
  const std::string_view text = ids.texts[code];
  return other_writing(text).value_or(std::string(text));
}

}  // namespace

void write_numbers(RawIds& ids, std::vector<std::shared_ptr<const void>>& owners) {
  const auto texts = std::make_shared<std::vector<std::string>>();
  for (size_t code = 0; std::cmp_less(code, ids.distinct()); ++code)
    texts->push_back(written(ids, code));
  std::vector<std::string_view> sorted(texts->begin(), texts->end());
  std::ranges::sort(sorted);
  sorted.erase(std::ranges::unique(sorted).begin(), sorted.end());
  std::vector<int32_t> places;
  for (const std::string& text : *texts)
    places.push_back(static_cast<int32_t>(std::ranges::lower_bound(sorted, text) - sorted.begin()));
  ArrayBuilder<int32_t> codes(ids.size());
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t i = 0; i < codes.size(); ++i) codes[i] = places[static_cast<size_t>(ids.codes[i])];
  owners.push_back(texts);
  ids = RawIds();
  ids.text = true;
  ids.texts = std::move(sorted);
  ids.codes = codes.freeze();
}

IdMap::IdMap(const RawIds& training)
    : text_(training.text),
      stated_(training.stated),
      first_index_(training.first_index),
      numbers_(training.numbers),
      texts_(training.texts) {}

Array<int32_t> IdMap::add(const RawIds& test) {
  if (stated_ > 0) {
    // A test matrix larger than the training one appends its rows and columns.
    stated_ = std::max(stated_, test.stated);
    return test.codes;
  }
  const std::vector<int32_t> places =
      text_ ? places_in(texts_, test.texts) : places_in(numbers_, test.numbers);
  if (size() > std::numeric_limits<int32_t>::max())
    throw UsageError(
        "more than 2147483647 distinct ids; at most as many users or items are supported");
  ArrayBuilder<int32_t> compact(test.codes.size());
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t i = 0; i < compact.size(); ++i)
    compact[i] = places[static_cast<size_t>(test.codes[i])];
  return compact.freeze();
}

std::vector<std::string> IdMap::names() const {
  std::vector<std::string> names;
  if (!has_names()) return names;
  names.resize(static_cast<size_t>(size()));
  FirstError error;
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < names.size(); ++i)
    error.run([&] {
      if (text_)
        names[i] = texts_[i];
      else
        names[i] = std::to_string(stated_ > 0 ? i + first_index_ : numbers_[i]);
    });
  error.rethrow();
  return names;
}

}  // namespace alsbench
