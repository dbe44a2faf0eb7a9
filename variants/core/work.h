// SPDX-License-Identifier: Apache-2.0
// Work: what one execution of a stage does. It belongs to the stage and not to a variant, so all
// variants of a stage are comparable.
#pragma once

#include <optional>

#include "variants/core/config.h"
#include "variants/core/storage.h"

namespace alsbench {

struct Work {
  double useful_flops = 0;      // e.g. hermitian: nnz f (f + 1), lower triangle, multiply and add
  double paper_flops = 0;       // as the paper counts, e.g. hermitian: 2 nnz f^2; 0: no count there
  double logical_bytes = 0;     // every operand counted each time the algorithm names it
  double compulsory_bytes = 0;  // each input read once, each output written once
  double gathered_bytes = 0;    // rows read by index, each time it names them
  double table_bytes = 0;       // those rows, each once
  double missed_bytes = 0;      // of them, what a GPU's L2 does not have; 0: not counted
  // Requests of a GPU's multiprocessors to L2, by whole sectors, where nothing comes from L1; 0:
  // not counted.
  double l2_bytes = 0;

  Work& operator+=(const Work& other) {
    useful_flops += other.useful_flops;
    paper_flops += other.paper_flops;
    logical_bytes += other.logical_bytes;
    compulsory_bytes += other.compulsory_bytes;
    gathered_bytes += other.gathered_bytes;
    table_bytes += other.table_bytes;
    missed_bytes += other.missed_bytes;
    l2_bytes += other.l2_bytes;
    return *this;
  }
};

// A count of work whose rate two stages can be compared by.
enum class Count { useful_flops, compulsory_bytes, gathered_bytes };

// The operand by which an update of ALS multiplies vectors.
enum class Products {
  matrix,         // A_u, which it forms
  kept_rows,      // the factor rows that its ratings name, read once
  gathered_rows,  // the same, read in each product
};

// Options that change the work of a stage, in addition to the shape.
struct WorkOptions {
  Storage storage = {};
  Config config = {};
  std::optional<double> solver_steps = {};  // a row, as measured; else those of the configuration
  Products products = Products::matrix;
};

}  // namespace alsbench
