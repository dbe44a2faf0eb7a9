// SPDX-License-Identifier: Apache-2.0
// The strategies. make_strategy() picks one by name.
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "harness/tune/search/strategy.h"

namespace alsbench {

std::unique_ptr<Strategy> make_guided(const SearchSpace& space, const StrategyOptions& options);
std::unique_ptr<Strategy> make_exhaustive(const SearchSpace& space, const StrategyOptions& options);
std::unique_ptr<Strategy> make_random(const SearchSpace& space, const StrategyOptions& options);
std::unique_ptr<Strategy> make_neighbourhood_search(const SearchSpace& space);

// All points of a space in random order.
std::vector<size_t> shuffled_points(const SearchSpace& space, std::mt19937_64& random);

// For every other value of every dimension: the point that has it and differs least from `point`.
// Mostly that is a change of one parameter. Where an objection, a tie or another variant's
// parameters forbid it, more parameters change, as few as possible.
std::vector<size_t> neighbours(const SearchSpace& space, size_t point);

}  // namespace alsbench
