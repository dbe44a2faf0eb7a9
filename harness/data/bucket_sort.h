// SPDX-License-Identifier: Apache-2.0
// A stable parallel counting sort, the one way in which harness/data reorders ratings. The result
// does not depend on the number of parts.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/data/array_builder.h"
#include "kernels/cpu/first_error.h"

namespace alsbench {

// Parts for `elements` spread over `buckets`: as many as OpenMP threads, fewer where the counters
// would outgrow the elements.
int sort_parts(int64_t elements, int64_t buckets);

// visit(part, f) calls f(bucket, payload...) for every element of a part, in order; it is called
// twice. put(position, payload...) stores an element at its sorted position. Returns the offsets of
// the buckets (buckets + 1).
template <class Visit, class Put>
Array<int64_t> bucket_sort(int parts, int64_t buckets, const Visit& visit, const Put& put) {
  // counts[p][b]: elements of bucket b in part p; then the position of the next such element.
  std::vector<std::vector<int64_t>> counts(static_cast<size_t>(parts));
  FirstError error;
#pragma omp parallel for schedule(dynamic, 1)
  for (int part = 0; part < parts; ++part) {
    error.run([&] {
      counts[static_cast<size_t>(part)].assign(static_cast<size_t>(buckets), 0);
      int64_t* const mine = counts[static_cast<size_t>(part)].data();
      visit(part, [mine](int64_t bucket, auto&&...) { ++mine[bucket]; });
    });
  }
  error.rethrow();
  ArrayBuilder<int64_t> offsets(buckets + 1);
  int64_t total = 0;
  for (int64_t bucket = 0; bucket < buckets; ++bucket) {
    offsets[bucket] = total;
    for (auto& mine : counts) {
      const int64_t count = mine[static_cast<size_t>(bucket)];
      mine[static_cast<size_t>(bucket)] = total;
      total += count;
    }
  }
  offsets[buckets] = total;
#pragma omp parallel for schedule(dynamic, 1)  // cannot throw
  for (int part = 0; part < parts; ++part) {
    int64_t* const mine = counts[static_cast<size_t>(part)].data();
    visit(part,
          [&put, mine](int64_t bucket, auto&&... payload) { put(mine[bucket]++, payload...); });
  }
  return offsets.freeze();
}

}  // namespace alsbench
