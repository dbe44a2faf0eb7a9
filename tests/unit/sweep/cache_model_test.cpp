// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/worker/cache_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <numeric>
#include <random>
#include <unordered_map>
#include <vector>

namespace alsbench {
namespace {

// Row i is read reads[i] times.
std::vector<int64_t> offsets_of(const std::vector<int64_t>& reads) {
  std::vector<int64_t> offsets(reads.size() + 1, 0);
  std::partial_sum(reads.begin(), reads.end(), offsets.begin() + 1);
  return offsets;
}

// A few rows are read often and most seldom.
std::vector<int64_t> popular_rows(size_t count) {
  std::vector<int64_t> reads(count);
  for (size_t i = 0; i < count; ++i) reads[i] = 1 + static_cast<int64_t>(20000 / (1 + i));
  std::shuffle(reads.begin(), reads.end(), std::mt19937(1));
  return reads;
}

// Bytes that an LRU cache of 128-byte lines misses where the reads come in random order.
double simulated(const std::vector<int64_t>& reads, int64_t row_bytes, size_t cache_lines) {
  std::vector<int64_t> order;
  for (size_t row = 0; row < reads.size(); ++row)
    order.insert(order.end(), static_cast<size_t>(reads[row]), static_cast<int64_t>(row));
  std::shuffle(order.begin(), order.end(), std::mt19937(2));
  std::list<int64_t> lines;
  std::unordered_map<int64_t, std::list<int64_t>::iterator> places;
  double missed = 0;
  for (const int64_t row : order)
    for (int64_t byte = row * row_bytes, end = byte + row_bytes; byte < end;) {
      const int64_t line = byte / 128, next = std::min(end, (line + 1) * 128);
      if (const auto found = places.find(line); found != places.end())
        lines.erase(found->second);
      else
        missed += static_cast<double>((next + 31) / 32 * 32 - byte / 32 * 32);
      lines.push_front(line);
      places[line] = lines.begin();
      if (lines.size() > cache_lines) places.erase(lines.back()), lines.pop_back();
      byte = next;
    }
  return missed;
}

TEST(CacheModel, ReadsEachRowOnceWhereTheCacheHoldsAll) {
  const auto offsets = offsets_of({3, 1, 4, 1, 5});
  EXPECT_DOUBLE_EQ(missed_bytes({offsets, 128, 2}, 1e9, 2e9), 5 * 128);
}

TEST(CacheModel, ReadsEachTimeWithoutACache) {
  const auto offsets = offsets_of({3, 1, 4, 1, 5});
  EXPECT_NEAR(missed_bytes({offsets, 208, 2}, 0, 1e-3), 28 * 224, 1);
}

TEST(CacheModel, IsNearASimulatedCache) {
  const std::vector<int64_t> reads = popular_rows(20000);
  const auto offsets = offsets_of(reads);
  for (const int64_t row_bytes : {64, 208, 400})
    for (const size_t lines : {1000, 5000, 20000}) {
      const double expected = simulated(reads, row_bytes, lines);
      const double cache_bytes = 128.0 * static_cast<double>(lines);
      const double model = missed_bytes({offsets, static_cast<double>(row_bytes)}, 0, cache_bytes);
      EXPECT_NEAR(model / expected, 1, 0.03) << row_bytes << " bytes, " << lines << " lines";
    }
}

TEST(CacheModel, WhatPassesThroughTakesRoom) {
  const auto offsets = offsets_of(popular_rows(20000));
  EXPECT_GT(missed_bytes({offsets, 208}, 1e8, 1e6), missed_bytes({offsets, 208}, 0, 1e6));
}

TEST(CacheModel, AnL2OfTwoHalvesHoldsWhatAllReadTwice) {
  DeviceTraits traits;
  traits.backend = Backend::cuda;
  traits.l2_bytes = 100;
  traits.architecture = 90;
  EXPECT_EQ(shared_cache_bytes(traits), 50);
  traits.architecture = 86;
  EXPECT_EQ(shared_cache_bytes(traits), 100);
}

}  // namespace
}  // namespace alsbench
