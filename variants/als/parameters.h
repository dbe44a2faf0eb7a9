// SPDX-License-Identifier: Apache-2.0
// The parameters that several variants of ALS share, and what their values mean: the one place
// that knows their names. Plans read them, and so do the checks of harness/stage/als.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/cpu/cg.h"
#include "variants/als/plan_arguments.h"
#include "variants/core/variant.h"

namespace alsbench::parameters {

// Storage of operands. The first type is the default.
inline Parameter factors(std::vector<Value> types = {"fp32", "fp16"},
                         std::string description = "storage of the fixed side's factors") {
  return {.name = "factors",
          .values = std::move(types),
          .description = std::move(description),
          .effect = Effect::storage,
          .operand = Operand::factors};
}

// Of what writes A_u.
inline Parameter output(std::vector<Value> types = {"fp32", "fp16"}) {
  return {.name = "output",
          .values = std::move(types),
          .description = "storage of A; fp16 holds A / n_u, which cannot overflow",
          .effect = Effect::storage,
          .operand = Operand::matrices};
}

// Of what reads A_u.
inline Parameter matrix(std::string description = "storage of A_u; fp16 holds A_u / n_u") {
  return {.name = "matrix",
          .values = {"fp32", "fp16"},
          .description = std::move(description),
          .effect = Effect::storage,
          .operand = Operand::matrices};
}

// Speed, and A_u's storage for some rows.
inline Parameter short_rows(std::vector<Value> ratings) {
  return {.name = "short",
          .values = std::move(ratings),
          .description = "rows of at most so many ratings are solved in shared memory, without A_u",
          .named_at_default = false};
}
// 0: no row is short.
int short_row_ratings(const Config& config);

Scalar factors_type(const Config& config);
Scalar matrices_type(const Config& config);
// Of the A_u of a row that has `count` ratings: a float's where it is never formed.
Scalar matrices_type(const Config& config, int64_t count);

// Speed.
inline const Parameter kFactorReads{"l1", {"on", "off"}, "factor reads through L1 or past it"};
bool reads_past_l1(const Config& config);
inline const Parameter kGather{
    "gather",
    {"strided", "coalesced"},
    "a thread (or two) reads a whole factor row, or a warp reads one after another"};
inline const Parameter kBlockThreads{"threads", {128, 64, 256}, "threads of a block"};
inline Parameter chunk(std::vector<Value> ratings) {
  return {"chunk", std::move(ratings), "longer rows are cut into pieces of this many ratings"};
}
// Ratings of a piece of a row that has `count`: all where rows are not cut.
int64_t ratings_of_piece(const Config& config, int64_t count);

// Speed: the instruction that multiplies factors.
inline const Parameter kProducts{
    .name = "products",
    .values = {"mma", "wgmma"},
    .description =
        "mma.sync of a warp, or wgmma of four warps, which reads its operands from "
        "shared memory (sm_90, factors=int8)",
    .named_at_default = false};
bool multiplies_by_warpgroups(const Config& config);

// Accuracy: what adds the sums up.
inline const Parameter kTensorCoreSums{
    .name = "sums",
    .values = {"tensor_cores"},
    .description = "in FP32 by tensor cores, which truncate: the verifier knows",
    .effect = Effect::accuracy};
bool sums_truncate(const Config& config);

// Accuracy: conjugate gradients.
inline const Parameter kWarm{.name = "warm",
                             .values = {"on", "off"},
                             .description = "start from the previous solution, or from zero",
                             .effect = Effect::accuracy};
// A step multiplies by A_u once, and the first residual once more. The alternative to that is an
// update that gathers the factors again for each of these products.
inline const Parameter kSteps{
    .name = "steps",
    .values = {6},
    .description = "at most, the paper's f_s",
    .effect = Effect::accuracy,
    .ladder = {{12, 13}, {8, 9}, {6, 7}, {5, 6}, {4, 5}, {3, 4}, {2, 3}, {1, 2}},
    .open = true,
    .whole = true};
// A training's first iterations change the factors most. Later ones begin so near their solutions
// that a step less is as accurate.
inline constexpr int kEarlyIterations = 3;
inline const Parameter kLateSteps{.name = "late_steps",
                                  .values = {0},
                                  .description =
                                      "at most, from a training's fourth iteration on; "
                                      "0: as many as before",
                                  .effect = Effect::accuracy,
                                  .open = true,
                                  .whole = true,
                                  .named_at_default = false};
// The configuration of those iterations; nothing where it is that of the first ones.
std::optional<Config> late_config(const Config& config);
inline const Parameter kTolerance{.name = "tolerance",
                                  .values = {0},
                                  .description = "stop when ||r|| <= tolerance ||b||",
                                  .effect = Effect::accuracy,
                                  .open = true};
// It pays where A_u is nearly diagonal. A tolerance needs the plain norm in addition to the
// weighted one, which costs a sum a step.
inline const Parameter kPrecondition{
    .name = "precondition",
    .values = {"none", "jacobi"},
    .description = "jacobi divides residuals by the diagonal of A_u",
    .effect = Effect::accuracy,
    .named_at_default = false};
// Of a configuration with steps; nothing for a direct solver.
std::optional<CgOptions> cg_options(const Config& config);
// Whether kernels need the code that ends before the last step.
bool stops_early(const Config& config);
// Whether they precondition; and that as the last argument of their templates, which is false where
// it is not spelled.
bool preconditions(const Config& config);
std::string precondition_argument(const Config& config);
// The plan with these options as its arguments.
KernelPlan with_cg_arguments(KernelPlan plan, const CgOptions& options);

}  // namespace alsbench::parameters
