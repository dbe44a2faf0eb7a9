// SPDX-License-Identifier: Apache-2.0
// The generator of synthetic data sets: exact user and item degrees, no cell twice, values of a
// planted model. Deterministic by seed, whatever the number of threads. The drawing of rows is
// shared with the CUDA kernel (kernels/shared/generate.h).
#pragma once

#include <cstdint>
#include <vector>

#include "harness/data/csr.h"
#include "harness/data/draw_rows.h"
#include "harness/data/generator_spec.h"
#include "kernels/shared/generate.h"

namespace alsbench {

// Everything that drawing the rows needs; small compared with the ratings.
struct GeneratorPlan {
  DatasetSpec spec;  // already scaled
  uint64_t seed = 1;
  ValueModel values;
  std::vector<int64_t> row_offsets;    // rows + 1; of train and test together
  std::vector<int32_t> item_of_rank;   // id of the item at each rank of weight
  std::vector<double> target_degrees;  // by rank of weight: the specification
  std::vector<int64_t> item_degrees;   // the same in whole ratings, exact in sum
  std::vector<int64_t> cumulative;     // see ItemWeights
  std::vector<int32_t> guide;
  std::vector<int32_t> prefix;
  int32_t guide_shift = 0;

  ItemWeights weights() const {
    return {cumulative.data(), guide.data(), guide_shift,
            static_cast<int32_t>(cumulative.size()) - 1, prefix.data()};
  }
};

GeneratorPlan plan_generator(const DatasetSpec& spec, uint64_t seed);

// The ratings of each item that drawing rows is expected to give, before they are settled, by rank
// of weight: inclusion probabilities summed over users.
std::vector<double> planned_item_degrees(const GeneratorPlan& plan);

// The hidden nature of every item, by id.
std::vector<Latent> latent_items(const GeneratorPlan& plan);

// All ratings of the plan, train and test together.
Csr draw_ratings(const GeneratorPlan& plan, const DrawTarget& on = {});

// Draws, splits by the specification's counts, completes the set; its `id` is left to the caller.
RatingSet generate_set(const GeneratorPlan& plan, const DrawTarget& on = {});

}  // namespace alsbench
