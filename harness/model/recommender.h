// SPDX-License-Identifier: Apache-2.0
// Recommender: the items with the largest x . theta for users of a model, by a variant of the stage
// top_k. Items without a training rating are never recommended.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "harness/data/csr.h"
#include "harness/device/device.h"
#include "harness/model/model.h"
#include "harness/problem/device_problem.h"

namespace alsbench {

class Recommender {
 public:
  // Of the user at a place of the list: rows of items, best first, and their scores. Items of equal
  // scores are in the order of their rows.
  using Visit = std::function<void(size_t place, std::span<const int32_t> items,
                                   std::span<const float> scores)>;

  // k: at least 1. The model must outlive it. recommend() throws UsageError where the device does
  // not find as many items for a user.
  Recommender(Device& device, const Model& model, int k);

  // Rows of users that are not cold; fewer than k items where fewer are left. `seen` has ratings in
  // the rows of the model, whose items are left out; null: none are.
  void recommend(std::span<const int32_t> users, const Csr* seen, const Visit& visit);

 private:
  struct Block;
  void run(std::span<const int32_t> users, const Csr* seen, Block& block);
  Executable& executable_for(const Shape& shape);

  Device* device_;
  const Model* model_;
  int32_t k_;
  std::vector<int32_t> items_;  // those that may be recommended, ascending
  std::vector<int32_t> place_;  // of each item in items_; -1 where it has none
  FactorMatrix theta_;          // of items_
  std::unique_ptr<Executable> executable_;
  int64_t executable_rows_ = 0;  // users that it is for
};

}  // namespace alsbench
