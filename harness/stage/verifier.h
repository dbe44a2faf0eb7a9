// The verifier: is a configuration's output right on this shape? Sampled rows against the FP64
// reference.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/record/outcome.h"
#include "harness/stage/reference_rows.h"
#include "harness/stage/stage_fixture.h"

namespace alsbench {

struct Verification {
  Outcome outcome = Outcome::skipped;  // ok, wrong or nan
  double max_error = 0;  // of the row nearest to, or farthest beyond, its tolerance: relative, in
                         // the stage's measure (check.h)
  double mean_error = 0;
  double tolerance = 0;      // that row's: derived from storage types and row length (tolerance.h)
  double storage_error = 0;  // the largest of all rows, against the reference on factors that are
                             // not rounded to the configuration's storage type; 0 where none is
  double max_residual = 0;   // solve: ||b - A x|| / ||b||
  double mean_cg_steps = 0;
  int64_t rows_checked = 0;
  std::string detail;  // the first wrong row, with both values
};

// Poisons the outputs, runs the executable once, and checks every row of a small problem, else the
// longest, the shortest, empty and some random rows (ReferenceRows). Skipped, with the reason in
// detail, where a diagnostic parameter is off its default: such a point does not compute the stage.
Verification verify(StageFixture& fixture, const Variant& variant, const Config& config,
                    Executable& executable, ReferenceRows& references);

}  // namespace alsbench
