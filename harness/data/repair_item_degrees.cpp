// SPDX-License-Identifier: Apache-2.0
#include "harness/data/repair_item_degrees.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <parallel/algorithm>
#include <span>
#include <tuple>
#include <vector>

#include "harness/data/generator.h"
#include "kernels/cpu/first_error.h"

namespace alsbench {
namespace {

// A rating that its item may give away.
struct Offer {
  int32_t rank = 0;  // of the item
  int32_t row = 0;
  uint64_t word = 0;  // random

  // Items of few ratings come first, while there is most to choose from; then by chance.
  bool operator<(const Offer& other) const {
    return std::tie(other.rank, word, row) < std::tie(rank, other.word, other.row);
  }
};

class DegreeRepair {
 public:
  DegreeRepair(const GeneratorPlan& plan, int32_t* indices, float* values)
      : plan_(plan),
        indices_(indices),
        values_(values),
        key_(stream_key(plan.seed, Stream::settle)),
        surplus_(drawn_degrees()) {
    for (size_t rank = 0; rank < plan.item_degrees.size(); ++rank) {
      int64_t& surplus = surplus_[static_cast<size_t>(plan.item_of_rank[rank])];
      surplus -= plan.item_degrees[rank];
      for (int64_t i = surplus; i < 0; ++i) wanted_.push_back(plan.item_of_rank[rank]);
    }
  }

  void run() {
    constexpr size_t kAhead = 8;
    const std::vector<Offer> all = offers();
    for (size_t i = 0; i < all.size(); ++i) {
      if (i + 2 * kAhead < all.size())
        __builtin_prefetch(&plan_.row_offsets[static_cast<size_t>(all[i + 2 * kAhead].row)]);
      if (i + kAhead < all.size()) ask_for(all[i + kAhead].row);
      const int32_t item = plan_.item_of_rank[static_cast<size_t>(all[i].rank)];
      if (surplus_[static_cast<size_t>(item)] > 0) give(all[i].row, item);
    }
  }

 private:
  // Rows come in random order, and each would otherwise be waited for.
  void ask_for(int64_t row) const {
    const int64_t begin = plan_.row_offsets[static_cast<size_t>(row)];
    __builtin_prefetch(indices_ + begin, 1);
    __builtin_prefetch(values_ + begin, 1);
  }

  std::span<int32_t> items_of(int64_t row) const {
    const auto r = static_cast<size_t>(row);
    return {indices_ + plan_.row_offsets[r], indices_ + plan_.row_offsets[r + 1]};
  }

  std::vector<int64_t> drawn_degrees() const {
    std::vector<int64_t> degrees(static_cast<size_t>(plan_.spec.cols));
    FirstError error;
#pragma omp parallel
    {
      std::vector<int64_t> mine;
      error.run([&] { mine.resize(degrees.size()); });
#pragma omp barrier
#pragma omp for schedule(static) nowait
      for (int64_t i = 0; i < plan_.row_offsets.back(); ++i)
        error.run([&] { ++mine[static_cast<size_t>(indices_[i])]; });
#pragma omp critical(alsbench_settle)
      for (size_t item = 0; item < mine.size(); ++item) degrees[item] += mine[item];
    }
    error.rethrow();
    return degrees;
  }

  // A random choice of the ratings of every item that has too many: about three times the surplus,
  // since not every row is of use.
  std::vector<Offer> offers() const {
    std::vector<int32_t> rank_of(surplus_.size());
    std::vector<uint64_t> limit(surplus_.size());  // below which a rating's word is to be
    for (size_t rank = 0; rank < plan_.item_degrees.size(); ++rank) {
      const auto item = static_cast<size_t>(plan_.item_of_rank[rank]);
      rank_of[item] = static_cast<int32_t>(rank);
      if (surplus_[item] <= 0) continue;
      const double share = static_cast<double>(3 * surplus_[item] + 8) /
                           static_cast<double>(plan_.item_degrees[rank] + surplus_[item]);
      limit[item] = share < 1 ? static_cast<uint64_t>(std::ldexp(share, 64))
                              : std::numeric_limits<uint64_t>::max();
    }
    std::vector<Offer> offers;
    FirstError error;
#pragma omp parallel
    {
      std::vector<Offer> mine;
#pragma omp for schedule(dynamic, 1024) nowait
      for (int64_t row = 0; row < plan_.spec.rows; ++row) {
        for (const int32_t item : items_of(row)) {
          const uint64_t word =
              random_word(key_, static_cast<uint64_t>(row), static_cast<uint64_t>(item));
          if (word >= limit[static_cast<size_t>(item)]) continue;
          error.run([&] {
            mine.push_back({rank_of[static_cast<size_t>(item)], static_cast<int32_t>(row), word});
          });
        }
      }
#pragma omp critical(alsbench_settle)
      error.run([&] { offers.insert(offers.end(), mine.begin(), mine.end()); });
    }
    error.rethrow();
    __gnu_parallel::sort(offers.begin(), offers.end());
    return offers;
  }

  // Puts one of the wanted ratings that the row lacks, if chance finds any, in the place of `item`.
  void give(int64_t row, int32_t item) {
    constexpr int kAttempts = 16;
    const std::span<int32_t> items = items_of(row);
    for (int attempt = 0; attempt < kAttempts && !wanted_.empty(); ++attempt) {
      const uint64_t word = random_word(mix64(key_), draws_++, 0);
      int32_t& other = wanted_[multiply_high(word, wanted_.size())];
      if (std::binary_search(items.begin(), items.end(), other)) continue;
      replace(row, item, other);
      --surplus_[static_cast<size_t>(item)];
      ++surplus_[static_cast<size_t>(other)];
      other = wanted_.back();
      wanted_.pop_back();
      return;
    }
  }

  // The items of the row stay in ascending order.
  void replace(int64_t row, int32_t item, int32_t other) {
    const std::span<int32_t> items = items_of(row);
    float* const values = values_ + plan_.row_offsets[static_cast<size_t>(row)];
    const auto place = [&](int32_t which) {
      return std::lower_bound(items.begin(), items.end(), which) - items.begin();
    };
    const auto from = place(item), to = place(other);
    const auto close_gap = [&](auto* array) {
      if (from < to)
        std::copy(array + from + 1, array + to, array + from);
      else
        std::copy_backward(array + to, array + from, array + from + 1);
    };
    close_gap(items.data());
    close_gap(values);
    const auto at = from < to ? to - 1 : to;
    const auto user = static_cast<uint64_t>(row), liked = static_cast<uint64_t>(other);
    items[static_cast<size_t>(at)] = other;
    values[at] = rating_value(
        plan_.values,
        signal_of(plan_.values, latent_user(plan_.values, user), latent_item(plan_.values, liked)),
        user, liked);
  }

  const GeneratorPlan& plan_;
  int32_t* const indices_;
  float* const values_;
  const uint64_t key_;
  std::vector<int64_t> surplus_;  // by item; below zero: ratings that it lacks
  std::vector<int32_t> wanted_;   // an item as often as it lacks ratings
  uint64_t draws_ = 0;
};

}  // namespace

void repair_item_degrees(const GeneratorPlan& plan, int32_t* indices, float* values) {
  DegreeRepair(plan, indices, values).run();
}

}  // namespace alsbench
