// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/top_k.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "kernels/cpu/blas.h"
#include "kernels/cpu/simd/simd.h"

namespace alsbench {
namespace {

constexpr float kNone = -std::numeric_limits<float>::infinity();
constexpr int64_t kPollInterval = 16;  // scores that are compared with the threshold at once
constexpr int kCandidateSlot = 1;      // of scratch memory

struct Candidate {
  float score;
  int32_t item;
};

bool better(const Candidate& a, const Candidate& b) {
  return a.score != b.score ? a.score > b.score : a.item < b.item;
}

// The best k of the scores that are offered, items in ascending order. It keeps up to twice as many
// and then halves them, so most scores cost a comparison with the threshold alone.
class Best {
 public:
  // `memory`: capacity(k) candidates.
  Best(Candidate* memory, int64_t k) : kept_(memory), k_(k) {}
  static int64_t capacity(int64_t k) { return 2 * k + kPollInterval; }

  // Scores of `count` items from `first` on; those of -infinity are never kept. `scores` may be
  // read to the next multiple of kPollInterval.
  void offer(const float* scores, int64_t count, int32_t first) {
    for (int64_t at = 0; at < count; at += kPollInterval) {
      int any = 0;
      for (int64_t i = at; i < at + kPollInterval; ++i) any |= scores[i] > threshold_ ? 1 : 0;
      if (any == 0) continue;
      for (int64_t i = at; i < std::min(at + kPollInterval, count); ++i)
        if (scores[i] > threshold_) kept_[count_++] = {scores[i], first + static_cast<int32_t>(i)};
      if (count_ >= 2 * k_) halve();
    }
  }

  void write(int32_t* items, float* scores) {
    const int64_t found = std::min(count_, k_);
    std::partial_sort(kept_, kept_ + found, kept_ + count_, better);
    for (int64_t i = 0; i < k_; ++i) {
      items[i] = i < found ? kept_[i].item : -1;
      scores[i] = i < found ? kept_[i].score : kNone;
    }
  }

 private:
  // An item that comes later loses against equal scores: what is no better than the worst of k is
  // none of them.
  void halve() {
    std::nth_element(kept_, kept_ + k_ - 1, kept_ + count_, better);
    count_ = k_;
    threshold_ = kept_[k_ - 1].score;
  }

  Candidate* kept_;
  int64_t k_, count_ = 0;
  float threshold_ = kNone;
};

const float* row_of(const FactorsView& factors, int64_t row) {
  return static_cast<const float*>(factors.data) + row * factors.pitch;
}

// Takes the items of a row's `seen` in [first, first + count) out of their scores.
void leave_out(const RatingsView& seen, int64_t row, int64_t first, int64_t count, float* scores) {
  const int32_t *begin = seen.indices + seen.offsets[row],
                *end = seen.indices + seen.offsets[row + 1];
  for (const int32_t* at = std::lower_bound(begin, end, first); at != end && *at < first + count;
       ++at)
    scores[*at - first] = kNone;
}

// Candidates of `rows` rows for each thread; k is at least 1.
Candidate* candidates(const TopKParams& params, int64_t rows, const CpuResources& resources) {
  const int64_t count = rows * Best::capacity(params.k) * resources.threads;
  return static_cast<Candidate*>(
      resources.scratch(kCandidateSlot, count * static_cast<int64_t>(sizeof(Candidate))));
}

void write(const TopKParams& params, int64_t row, Best& best) {
  best.write(params.items + row * params.k, params.scores + row * params.k);
}

}  // namespace

void top_k_rows(const TopKParams& params, const CpuResources& resources) {
  const int64_t items = params.theta.rows, padded = CpuResources::padded(items);
  float* scratch = resources.thread_scratch(items);
  Candidate* memory = candidates(params, 1, resources);
  parallel_rows(params.x.rows, resources.threads, [&](int64_t row, int thread) {
    float* scores = scratch + thread * padded;
    std::fill(scores + items, scores + padded, kNone);
    for (int64_t item = 0; item < items; ++item)
      scores[item] = simd().dot(row_of(params.x, row), row_of(params.theta, item), params.x.rank);
    leave_out(params.seen, row, 0, items, scores);
    Best best(memory + thread * Best::capacity(params.k), params.k);
    best.offer(scores, items, 0);
    write(params, row, best);
  });
}

void top_k_blocked(const TopKParams& params, const TopKTile& tile, const CpuResources& resources) {
  const int64_t rows = params.x.rows, items = params.theta.rows,
                area = int64_t{tile.rows} * tile.items;
  const int64_t capacity = Best::capacity(params.k);
  float* scratch = resources.thread_scratch(area);
  Candidate* memory = candidates(params, tile.rows, resources);
  const SingleThreadedBlas single;
  const auto recommend = [&](int64_t block, int thread) {
    const int64_t begin = block * tile.rows, count = std::min<int64_t>(tile.rows, rows - begin);
    float* scores = scratch + thread * CpuResources::padded(area);
    std::vector<Best> best;
    best.reserve(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i)
      best.emplace_back(memory + (int64_t{thread} * tile.rows + i) * capacity, params.k);
    for (int64_t first = 0; first < items; first += tile.items) {
      const int64_t width = std::min<int64_t>(tile.items, items - first);
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(count),
                  static_cast<int>(width), params.x.rank, 1.0f, row_of(params.x, begin),
                  params.x.pitch, row_of(params.theta, first), params.theta.pitch, 0.0f, scores,
                  tile.items);
      for (int64_t i = 0; i < count; ++i) {
        float* row = scores + i * tile.items;
        std::fill(row + width, row + CpuResources::padded(width), kNone);
        leave_out(params.seen, begin + i, first, width, row);
        best[static_cast<size_t>(i)].offer(row, width, static_cast<int32_t>(first));
      }
    }
    for (int64_t i = 0; i < count; ++i) write(params, begin + i, best[static_cast<size_t>(i)]);
  };
  parallel_rows((rows + tile.rows - 1) / tile.rows, resources.threads, recommend, 1);
}

}  // namespace alsbench
