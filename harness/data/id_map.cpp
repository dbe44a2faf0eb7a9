// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "base/error.h"
#include "harness/data/array_builder.h"
#include "harness/data/raw_ratings.h"
#include "kernels/cpu/first_error.h"

namespace alsbench {
namespace {

// The place of each of `ids` in `known`, whose first `sorted` ascend; those that it lacks are
// appended. Both ascend.
template <class Id>
std::vector<int32_t> places_in(std::vector<Id>& known, const std::vector<Id>& ids) {
  std::vector<int32_t> places;
  places.reserve(ids.size());
  const auto end = std::ssize(known);
  int64_t at = 0;
  for (const Id& id : ids) {
    at = std::lower_bound(known.begin() + at, known.begin() + end, id) - known.begin();
    const bool seen = at < end && known[static_cast<size_t>(at)] == id;
    places.push_back(static_cast<int32_t>(seen ? at : std::ssize(known)));
    if (!seen) known.push_back(id);
  }
  return places;
}

}  // namespace

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
