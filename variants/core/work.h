// SPDX-License-Identifier: Apache-2.0
// Work: what one execution of a stage does. It belongs to the stage and not to a variant, so that
// all variants of a stage are comparable.
#pragma once

#include "variants/core/scalar.h"

namespace alsbench {

struct Work {
  double useful_flops = 0;      // e.g. hermitian: nnz f (f + 1), lower triangle, multiply and add
  double paper_flops = 0;       // as the paper counts, e.g. hermitian: 2 nnz f^2; 0: no count there
  double logical_bytes = 0;     // every operand counted each time the algorithm names it
  double compulsory_bytes = 0;  // each input read once, each output written once

  Work& operator+=(const Work& other) {
    useful_flops += other.useful_flops;
    paper_flops += other.paper_flops;
    logical_bytes += other.logical_bytes;
    compulsory_bytes += other.compulsory_bytes;
    return *this;
  }
};

// What of a configuration changes the work of its stage.
struct WorkOptions {
  Scalar factors = Scalar::fp32;
  Scalar matrices = Scalar::fp32;
  double cg_steps = 0;  // 0: a direct solver
  bool warm = true;     // CG begins with the solution before, which costs a product with A
};

}  // namespace alsbench
