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

  // Takes what one that was offered other items has kept.
  void merge(const Best& other) {
    for (int64_t i = 0; i < other.count_; ++i) {
      kept_[count_++] = other.kept_[i];
      if (count_ == 2 * k_) halve();
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

// Candidates of `rows` rows; k is at least 1.
Candidate* candidates(const TopKParams& params, int64_t rows, const CpuResources& resources) {
  const int64_t count = rows * Best::capacity(params.k);
  return static_cast<Candidate*>(
      resources.scratch(kCandidateSlot, count * static_cast<int64_t>(sizeof(Candidate))));
}

void write(const TopKParams& params, int64_t row, Best& best) {
  best.write(params.items + row * params.k, params.scores + row * params.k);
}

// Into how many parts the items are cut where there are fewer blocks of rows than threads. A part
// has tiles of its own, and items for more than its own best.
int64_t item_parts(const TopKParams& params, const TopKTile& tile, int64_t blocks, int threads) {
  const int64_t least = std::max<int64_t>(tile.items, 2 * int64_t{params.k});
  return std::clamp<int64_t>(threads / std::max<int64_t>(blocks, 1), 1,
                             std::max<int64_t>(1, params.theta.rows / least));
}

// A block of rows from `first_row` on, and a part of the items.
struct Part {
  int64_t first_row, part, parts;
};

// Scores of `width` items from `first` on with `rows` rows, a row of the tile each.
void multiply(const TopKParams& params, const TopKTile& tile, int64_t first_row, int64_t rows,
              int64_t first, int64_t width, float* scores) {
  const float *x = row_of(params.x, first_row), *theta = row_of(params.theta, first);
  const int items = static_cast<int>(width), rank = params.x.rank;
  if (params.x.rows == 1)  // reads theta once, and packs nothing
    simd().row_products(theta, width, params.theta.pitch, x, rank, scores);
  else
    blas().cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(rows), items, rank,
                       1.0f, x, params.x.pitch, theta, params.theta.pitch, 0.0f, scores,
                       tile.items);
}

// Offers the part's items to the block's rows. `scores`: a tile.
void search_part(const TopKParams& params, const TopKTile& tile, const Part& part, float* scores,
                 std::vector<Best>& best) {
  const int64_t items = params.theta.rows, tiles = (items + tile.items - 1) / tile.items;
  const auto rows = static_cast<int64_t>(best.size());
  for (int64_t at = part.part * tiles / part.parts; at < (part.part + 1) * tiles / part.parts;
       ++at) {
    const int64_t first = at * tile.items, width = std::min<int64_t>(tile.items, items - first);
    multiply(params, tile, part.first_row, rows, first, width, scores);
    for (int64_t i = 0; i < rows; ++i) {
      float* row = scores + i * tile.items;
      std::fill(row + width, row + CpuResources::padded(width), kNone);
      leave_out(params.seen, part.first_row + i, first, width, row);
      best[static_cast<size_t>(i)].offer(row, width, static_cast<int32_t>(first));
    }
  }
}

}  // namespace

void top_k_rows(const TopKParams& params, const CpuResources& resources) {
  const int64_t items = params.theta.rows, padded = CpuResources::padded(items);
  float* scratch = resources.thread_scratch(items);
  Candidate* memory = candidates(params, resources.threads, resources);
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
  const int64_t blocks = (params.x.rows + tile.rows - 1) / tile.rows;
  const int64_t parts = item_parts(params, tile, blocks, resources.threads);
  const int64_t units = blocks * parts, area = int64_t{tile.rows} * tile.items;
  float* scratch = resources.thread_scratch(area);
  // Those of a part stay until its block is merged; a block alone is written by its thread.
  const int64_t held = parts == 1 ? resources.threads : units;
  Candidate* memory = candidates(params, held * tile.rows, resources);
  const SingleThreadedBlas single;
  const auto best_of = [&](int64_t place) {
    return Best(memory + place * Best::capacity(params.k), params.k);
  };
  std::vector<std::vector<Best>> found(static_cast<size_t>(units));
  const auto search = [&](int64_t unit, int thread) {
    const int64_t block = unit / parts, first = block * tile.rows;
    std::vector<Best>& best = found[static_cast<size_t>(unit)];
    for (int64_t i = 0; i < std::min<int64_t>(tile.rows, params.x.rows - first); ++i)
      best.push_back(best_of((parts == 1 ? thread : unit) * tile.rows + i));
    search_part(params, tile, {first, unit % parts, parts},
                scratch + thread * CpuResources::padded(area), best);
    if (parts == 1)
      for (size_t i = 0; i < best.size(); ++i)
        write(params, first + static_cast<int64_t>(i), best[i]);
  };
  parallel_rows(units, static_cast<int>(std::min<int64_t>(resources.threads, units)), search, 1);
  if (parts == 1) return;
  for (int64_t row = 0; row < params.x.rows; ++row) {
    const auto part_of = [&](int64_t part) -> Best& {
      return found[static_cast<size_t>(row / tile.rows * parts + part)]
                  [static_cast<size_t>(row % tile.rows)];
    };
    for (int64_t part = 1; part < parts; ++part) part_of(0).merge(part_of(part));
    write(params, row, part_of(0));
  }
}

}  // namespace alsbench
