// SPDX-License-Identifier: Apache-2.0
// Memory traffic of gathered rows of a table where a cache holds a part of them: Che's
// approximation of an LRU cache (Che, Tung and Wang, Hierarchical Web Caching Systems, IEEE JSAC
// 20(7), 2002, section III), over lines of the cache and the popularity of each row.
#pragma once

#include <cstdint>
#include <span>

#include "variants/core/device_traits.h"

namespace alsbench {

// Row i lies at byte i * row_bytes and is read offsets[i + 1] - offsets[i] times, `passes` times
// over, in no order that the cache could know.
struct GatheredTable {
  std::span<const int64_t> offsets;
  double row_bytes = 0;
  double passes = 1;
};

// Bytes that come from memory, by whole sectors of 32 bytes: of a line of 128 bytes the first time,
// and each time that it has left the cache before it is read again. `other_bytes` pass through the
// cache meanwhile, once each. At least one row must be read.
double missed_bytes(const GatheredTable& table, double other_bytes, double cache_bytes);

// How much of a table the L2 of a device holds that all of its multiprocessors read. In two halves
// that each keep what their own multiprocessors read, it stands twice: as much as one half holds
// (NVIDIA A100 Tensor Core GPU Architecture, "A100 L2 cache"; the same in H100).
double shared_cache_bytes(const DeviceTraits& traits);

}  // namespace alsbench
