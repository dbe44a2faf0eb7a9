// SPDX-License-Identifier: Apache-2.0
// Where a RatingSet comes from: a file of any supported format, or a generator of a known shape;
// and the cache of both.
#pragma once

#include <future>
#include <optional>
#include <string>
#include <vector>

#include "harness/data/csr.h"
#include "harness/data/data_request.h"
#include "harness/data/draw_rows.h"

namespace alsbench {

// Loads or generates, compacts ids, splits, builds both orders. Throws UsageError naming file,
// line, value and remedy. `on` draws generated sets.
RatingSet load_rating_set(const DataRequest& request, const DrawTarget& on = {});
// The same through the binary cache: mapped where it has the set, else loaded and written there
// for the next time. It is under $ALSBENCH_CACHE_DIR, else
// $XDG_CACHE_HOME/alsbench, else ~/.cache/alsbench.
RatingSet cached_rating_set(const DataRequest& request, const DrawTarget& on = {});

// The same, but one thread writes the cache while the set is used, and the end waits for it. Where
// variants are measured, nothing should work beside them.
class CachedSet {
 public:
  explicit CachedSet(const DataRequest& request, const DrawTarget& on = {});
  ~CachedSet();
  CachedSet(const CachedSet&) = delete;
  CachedSet& operator=(const CachedSet&) = delete;

  const RatingSet& operator*() const { return set_; }

 private:
  RatingSet set_;
  std::future<std::string> writing_;  // what could not be written
};

// How the file of a request is read, by its first line: "csv: user 'uid', item 'sku', rating
// 'qty'; fields end at ','". Empty of a format that leaves no choice, and of a generated set.
std::string reading_of(const DataRequest& request);
// The fields of the columns that are read, of the first `count` ratings, below the columns' names:
// {{"user", "item", "rating"}, {"7", "12", "3.5"}}. Empty where reading_of is.
std::vector<std::vector<std::string>> first_ratings_of(const DataRequest& request, size_t count);

// Whether the ratings of the file have times, by its first line; false of a set file, which must be
// read.
bool has_times(const DataRequest& request);
// "r.csv:17", the first rating of each file of the request whose time is none. Reads files that
// have times once more.
std::vector<std::string> places_without_time(const DataRequest& request);

// How large a set is, for what must be known before it is there.
struct SetSize {
  int64_t users = 0, items = 0;
  int64_t train = 0, test = 0;  // ratings
};
SetSize size_of(const RatingSet& set);
// Of a generated set, by its specification; nothing of a file, which must be read first.
std::optional<SetSize> size_before_loading(const DataRequest& request);

// Whether the request is a generated set so large that a GPU, where there is one, should draw it.
bool worth_drawing_on_gpu(const DataRequest& request);

// Names of the shipped generator specifications (configs/datasets/*.json, embedded in the binary).
std::vector<std::string> dataset_names();

}  // namespace alsbench
