// SPDX-License-Identifier: Apache-2.0
// The equations of the rows that checks look at, in double. Forming them costs more than a launch:
// a popular item's row has hundreds of thousands of ratings. All configurations of a side with the
// same storage of the factors share them, so they are formed once.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/stage/als/update_fixture.h"
#include "harness/stage/reference_cache.h"
#include "kernels/cpu/reference/reference.h"
#include "variants/core/config.h"

namespace alsbench {

// A_u and b_u of one row with `count` ratings, of the factors as the device holds them.
struct ReferenceRow {
  int64_t row = 0;
  int64_t count = 0;
  reference::Vector a, b;
  reference::Vector magnitude;  // per element of b: the sum of |r theta_i|, what its error is
                                // relative to
  // Of factors as bytes: A_u(i, j) = scales(i) scales(j) sums(i, j), without lambda n_u; the sums
  // are multiples of `unit`.
  reference::Vector scales, sums;
  double unit = 1;
};

// Makes ratings what two bytes of a type hold of them (kernels/cuda/mma/byte_stream.cuh).
void round_ratings(Scalar type, float half_scale, std::vector<float>& ratings);

// Of the fixture's side, ascending: all rows of a small problem, else the longest, the shortest,
// empty and some random ones. `factors` is the storage type that the configuration reads.
const std::vector<ReferenceRow>& reference_rows(ReferenceCache& cache, const UpdateFixture& fixture,
                                                Scalar factors);

// How far the entries of A_u and b_u of a row with `count` ratings may be from the reference, on a
// device of that architecture (89 for sm_89).
double row_tolerance(const Config& config, int64_t count, int architecture);

}  // namespace alsbench
