// SPDX-License-Identifier: Apache-2.0
// Training: a model on a device on its way through the iterations. An algorithm implements it; the
// loop of train.h drives it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/model_matrix.h"
#include "harness/problem/device_problem.h"
#include "harness/record/fields/enum_names.h"

namespace alsbench {

// Where an iteration's time on the device went.
struct IterationTimes {
  double seconds = 0;
  std::map<std::string, double> stage_seconds;  // "x/hermitian" -> seconds

  void add(const std::string& stage, double stage_time) {
    stage_seconds[stage] += stage_time;
    seconds += stage_time;
  }
};

// The ratings that a metric is asked of: all, or those for test alone, unless there are none. Where
// it saves nothing, an algorithm may say it of all.
enum class EvaluatedRatings { all, test };

// When a training is judged, and by what.
struct EvaluationSchedule {
  std::optional<EvaluatedRatings> each =
      EvaluatedRatings::all;  // after every iteration but the last; or else not
  EvaluatedRatings last = EvaluatedRatings::all;
};

// A metric over the training ratings and over the test ratings. NaN where there are none.
struct MetricValues {
  double train = 0;
  double test = 0;
  int64_t cold_test_ratings = 0;  // of an empty user or item, predicted by the training mean
  bool of_training = true;        // else `train` is NaN, as it was not asked for
  // The metric that tells whether the factors are sound.
  double judged() const { return of_training ? train : test; }
};

// State of the copies that pipelines read, on which the next iteration depends as well.
struct CopyState {
  int64_t overflows = 0;          // numbers that became infinite in the type that they are read in
  std::vector<float> magnitudes;  // as Training::magnitudes() has them
};

// The stage in which members of a team exchange what they made: "x/exchange".
inline constexpr std::string_view kExchange = "exchange";

class Training {
 public:
  virtual ~Training() = default;
  // One iteration. Throws NonFiniteError, OutOfMemoryError.
  virtual IterationTimes iterate(int iteration) = 0;
  // Throws NonFiniteError that names the iteration and the place.
  virtual MetricValues evaluate(int iteration, EvaluatedRatings judged) = 0;
  // A collective. Solver steps a row in the last iteration, on average; 0 where solvers are
  // direct.
  virtual double mean_solver_steps() const { return 0; }
  // Rows of the last iteration whose solver reported an error.
  virtual int64_t failed_rows() const { return 0; }
  // Numbers that became infinite in the type that they are read in.
  virtual int64_t overflows() const { return 0; }
  // The largest magnitudes that the scales of the copy in bytes hold which the next iteration reads
  // first; empty where it reads none.
  virtual std::vector<float> magnitudes() const { return {}; }
  // Device memory that this one uses, but that was taken before it began.
  virtual int64_t shared_bytes() const { return 0; }

  // Updates one part alone, from what restore() left of the others; on one device. Returns the rows
  // whose solver reported an error. A training that cannot throws ObjectionError, as this one does.
  virtual int64_t update(const std::string& part);

  // The factors that the next iteration depends on, on the first member; empty on others. A
  // collective.
  virtual std::vector<ModelMatrix> model() = 0;
  // The same, and nothing is asked of this training any more: what the model is made of may go.
  virtual std::vector<ModelMatrix> last_model() { return model(); }
  // Goes on after an iteration that left this model and these copies.
  virtual void restore(const std::vector<ModelMatrix>& model, const CopyState& copies) = 0;

  // Exchanges of so many members in an iteration: how often, and the bytes of all rows that come
  // together then.
  virtual int exchanges(int) const { return 0; }
  virtual int64_t exchanged_bytes(int) const { return 0; }
  // The largest share of an iteration's work that falls to one of so many members.
  virtual double largest_share(int members) const { return 1.0 / members; }
};

}  // namespace alsbench
