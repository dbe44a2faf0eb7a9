// SPDX-License-Identifier: Apache-2.0
// Item weights whose expected item degrees, over rows of given lengths, are the wanted ones. Used
// by the generator's plan.
#pragma once

#include <cstdint>
#include <vector>

namespace alsbench {

// lengths[k]: rows of k ratings. One entry a row length, up to the longest.
using LengthHistogram = std::vector<int64_t>;

// prefix[k]: the items, from the heaviest, that a row of k ratings always holds, because their
// share of the row's k picks would exceed one. It is the least t with w_t (k - t) <= w_t + w_{t+1}
// + ... (Conditional inclusion of sampling proportional to size; Särndal et al. 1992, 3.6.2.)
// `cumulative` is that of descending weights.
template <class Weight>
std::vector<int32_t> always_included(const std::vector<Weight>& cumulative, int64_t longest);

// Expected degree of every item under `cumulative` weights.
template <class Weight>
std::vector<double> inclusion_sums(const std::vector<Weight>& cumulative,
                                   const LengthHistogram& lengths);

// Integer cumulative weights, `targets.size() + 1` of them, for `targets` in descending order.
std::vector<int64_t> calibrated_weights(const std::vector<double>& targets,
                                        const LengthHistogram& lengths);

}  // namespace alsbench
