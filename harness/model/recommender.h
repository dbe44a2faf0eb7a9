// SPDX-License-Identifier: Apache-2.0
// Recommender: the items with the largest x . theta for users of a model, by a variant of the stage
// top_k. Items without a training rating are never recommended.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "harness/data/array_builder.h"
#include "harness/data/csr.h"
#include "harness/device/device.h"
#include "harness/model/model.h"
#include "harness/problem/device_problem.h"

namespace alsbench {

// Rows of a side's factors that ask for items. They are not cold.
struct Askers {
  const ModelSide* side = nullptr;
  std::span<const int32_t> rows;
};

// Items that are not recommended: to the asker at i those in row rows[i] of the ratings, and to all
// askers those of a list. Rows past the last have none. Columns are items of the model, and may be
// more.
struct Seen {
  const Csr* ratings = nullptr;  // null: nothing is seen
  std::span<const int32_t> rows;
  std::span<const int32_t> without = {};  // ascending; its length is added to that of each row
};

// Asked again, it copies nothing but the factors of those who ask, and the answers.
class Recommender {
 public:
  // The best items of users begin, begin + 1, ... of the list.
  struct Found {
    size_t begin = 0, users = 0, k = 0;
    std::span<const int32_t> all_items;  // users x k: rows, best first; -1 where there are fewer
    std::span<const float> all_scores;   // likewise; minus infinity

    // Of a user from 0 on: as many as there are. Items of equal scores are in the order of their
    // rows.
    std::span<const int32_t> items(size_t user) const;
    std::span<const float> scores(size_t user) const;
  };
  using Visit = std::function<void(const Found&)>;

  // Device and items must outlive it. Cold items are not recommended.
  Recommender(Device& device, const ModelSide& items);

  // Calls visit for blocks of the askers in their order. Fewer than k items are found where fewer
  // are left. Throws UsageError where the device does not find as many items for a user.
  void recommend(const Askers& askers, const Seen& seen, int k, const Visit& visit);
  // k, or the number of items that may be recommended where that is less; at least 1.
  int32_t at_most(int k) const;

 private:
  void set_theta();
  void find_seen(size_t begin, size_t count, const Seen& seen);
  void run(const Askers& askers, int32_t k);
  Executable& executable_for(const Shape& shape, int32_t k);

  Device* device_;
  const ModelSide* all_;
  std::vector<int32_t> items_;  // those that may be recommended, ascending
  std::vector<int32_t> place_;  // of each item in items_; -1 where it has none
  FactorMatrix own_theta_;      // of items_, where the model's factors are not taken as they are
  FactorsView theta_;
  FactorMatrix x_;
  Buffer offsets_, seen_, best_items_, best_scores_;
  std::vector<int64_t> host_offsets_;  // of a block's users; their seen items as places in items_
  std::vector<int32_t> host_seen_;
  std::vector<float> host_x_;
  ArrayBuilder<int32_t> found_items_{0}, visited_items_{0};
  ArrayBuilder<float> found_scores_{0}, visited_scores_{0};
  std::unique_ptr<Executable> executable_;
  int64_t executable_rows_ = 0;  // users that it is for
  int32_t executable_k_ = 0;
};

// Which rows of a side are alike, by the cosine of their factors: x . y / (|x| |y|).
// A side whose products are the cosines of the first `features` columns of the rows of `side`. Cold
// rows stay cold, and so are rows of zeros, which have no direction. For Recommender.
ModelSide unit_side(const ModelSide& side, int64_t features);

}  // namespace alsbench
