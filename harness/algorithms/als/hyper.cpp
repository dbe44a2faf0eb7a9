// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/als/hyper.h"

namespace alsbench {
namespace {

constexpr const char* kStart = "start";
constexpr const char* kSketchShare = "sketch_share";
constexpr const char* kRotatedIterations = "rotated_iterations";
constexpr const char* kOverRelaxation = "over_relaxation";
constexpr const char* kFirstShare = "first_share";
constexpr const char* kBiases = "biases";

}  // namespace

AlsHyper::AlsHyper(const Config& config) {
  if (config.is(kStart, "constant")) start = Start::constant;
  if (config.is(kStart, "sketch")) start = Start::sketch;
  if (config.has(kSketchShare)) sketch_share = config.number(kSketchShare);
  if (config.has(kRotatedIterations)) rotated_iterations = config.integer(kRotatedIterations);
  if (config.has(kOverRelaxation))
    over_relaxation = static_cast<float>(config.number(kOverRelaxation));
  if (config.has(kFirstShare)) first_share = config.number(kFirstShare);
  biases = config.is(kBiases, "on");
}

ParameterSpace als_hyper_space() {
  return {{.name = kStart,
           .values = {"uniform", "constant", "sketch"},
           .description = "what Theta begins with: random numbers; 1 and random numbers; 1 and a "
                          "sketch of the ratings",
           .effect = Effect::accuracy},
          {.name = kSketchShare,
           .values = {"0.25", "1"},
           .description = "of each row's ratings that the sketch reads, but 64 at least",
           .effect = Effect::accuracy,
           .open = true,
           .maximum = 1},
          {.name = kRotatedIterations,
           .values = {0},
           .description = "first iterations that turn the factors into the basis where A_u is "
                          "nearly diagonal",
           .effect = Effect::accuracy,
           .open = true,
           .whole = true},
          {.name = kOverRelaxation,
           .values = {0, "0.6"},
           .description = "weight w of X + w (X - previous X), in the second iteration alone",
           .effect = Effect::accuracy,
           .open = true,
           .maximum = 1},
          {.name = kFirstShare,
           .values = {1, "0.5"},
           .description = "of each row's ratings that the first update of X reads, but 64 at least",
           .effect = Effect::accuracy,
           .open = true,
           .maximum = 1},
          {.name = kBiases,
           .values = {"off", "on"},
           .description = "the mean, a bias of each user and one of each item, in two columns of "
                          "the factors",
           .effect = Effect::accuracy}};
}

}  // namespace alsbench
