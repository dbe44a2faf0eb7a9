// SPDX-License-Identifier: Apache-2.0
// Objective: what a tuning minimises, the seconds of a point of a search space. LiveObjective
// measures points on a device through a worker process. ReplayObjective serves a recorded journal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/fields/fields.h"
#include "harness/record/outcome.h"
#include "harness/tune/space/search_space.h"

namespace alsbench {

// Measurements of one point. A point that failed has no value and is never chosen.
struct Evaluation {
  size_t point = 0;
  Outcome outcome = Outcome::ok;
  std::string detail;           // of an outcome other than ok
  std::vector<double> seconds;  // every sample, in the order taken
  // Of a search of several shapes, the samples on each; `seconds` are then their geometric means.
  std::vector<std::vector<double>> shape_seconds = {};
  int64_t registers = 0;     // the most of a kernel of the point; 0: none or unknown
  int64_t memory_bytes = 0;  // shared memory a block, the most of a kernel
  double compile_seconds =
      0;                    // of its kernels, on a thread concurrent with the measuring; 0: cached
  double wait_seconds = 0;  // until they were compiled
  double prepare_seconds = 0;            // loading and verification
  double verify_seconds = 0;             // of these, of verification
  double measure_seconds = 0;            // of all samples, on the wall
  std::vector<std::string> code_hashes;  // of the point's kernels
  std::vector<std::string> log_tail;

  bool ok() const { return outcome == Outcome::ok && !seconds.empty(); }
  double median() const;  // infinite where the point is not ok
  double spent_seconds() const { return wait_seconds + prepare_seconds + measure_seconds; }
  void add_effort(const Evaluation& other);  // its seconds, and the most of its kernels' resources
  void join(const Evaluation& later);        // of the same point
};

class Objective {
 public:
  virtual ~Objective() = default;
  // The points of a turn, in the order of their measuring, and those that the next turn may ask
  // for. They can be compiled meanwhile.
  virtual void announce(const std::vector<size_t>& points, const std::vector<size_t>& guesses) = 0;
  // Takes up to `samples` more samples of a point, after preparing and verifying it where needed.
  // Ends after a sample that took longer than `give_up_seconds` (0: never). Returns what this call
  // found. A fault is an outcome, not an exception. Throws Interrupted, and UsageError or
  // EnvironmentError where nothing at all can be measured.
  virtual Evaluation measure(size_t point, int64_t samples, double give_up_seconds) = 0;
  // Time spent so far: on the wall, or as recorded.
  virtual double elapsed_seconds() const = 0;
  // A point's share of the measured ceiling at this many seconds a sample, or nothing.
  virtual std::optional<double> share_of_ceiling(size_t point, double seconds) const = 0;
};

// An evaluation as documents and journals have it.
struct EvaluationRecord {
  PointRecord point;
  Evaluation found;  // but for Evaluation::point, an index
};
EvaluationRecord record_of(const Evaluation& evaluation, const SearchSpace& space);
// Throws UsageError where the space has no such point.
Evaluation evaluation_of(const EvaluationRecord& record, const SearchSpace& space);

void describe(Fields<Evaluation>& fields);  // all but the point
void describe(Fields<EvaluationRecord>& fields);

}  // namespace alsbench
