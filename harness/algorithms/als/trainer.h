// The ALS trainer: alternates the pipelines of X and Theta, batch by batch, and evaluates RMSE
// after each iteration. Used by `alsbench train`, by convergence cases of suites, and by the
// accuracy gate of tuning.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/problem/device_problem.h"
#include "variants/pipeline.h"

namespace alsbench {

struct TrainOptions {
  Pipeline x;
  Pipeline theta;
  int32_t rank = 100;
  float lambda = 0.05f;
  int iterations = 10;
  uint64_t seed = 42;
  std::optional<double>
      target_rmse;           // stop after the first iteration whose test RMSE is at or below it
  bool every_rmse = true;    // after every iteration, or after the last one alone
  bool keep_factors = true;  // bring X and Theta to the host in the end
  const std::atomic<bool>* interrupted = nullptr;  // once set, the iteration under way is the last
};

struct IterationRecord {
  int iteration = 0;        // from 1
  double train_rmse = 0;    // NaN where it was not asked for
  double test_rmse = 0;     // likewise, and without test ratings
  double seconds = 0;       // of both half-iterations on the device, RMSE apart
  double wall_seconds = 0;  // the same by the host's steady clock
  double rmse_seconds = 0;
  std::map<std::string, double> stage_seconds;  // "x/hermitian" -> seconds
  double mean_cg_steps = 0;                     // over all rows of both sides; 0 for direct solvers
  int64_t cold_test_ratings = 0;                // predicted by the training mean
};

struct TrainResult {
  std::vector<IterationRecord> iterations;
  std::vector<float> x;      // users x rank; empty unless factors are kept
  std::vector<float> theta;  // items x rank; likewise
  int64_t empty_users = 0;
  int64_t empty_items = 0;
  int64_t failed_rows = 0;  // rows whose factorisation reported an error
  int64_t overflows = 0;  // factors that became infinite in the type that a pipeline reads them in
  bool reached_target = false;
  bool interrupted = false;
  int64_t peak_device_bytes = 0;  // of the problem and the training, at their highest
  double upload_seconds = 0;      // of the ratings; 0 where that was done before
  double setup_seconds = 0;       // upload, compilation, allocation, warm-up
};

using TrainProgress = std::function<void(const IterationRecord&)>;

// Throws ObjectionError when a pipeline cannot run on the set, OutOfMemoryError, and
// std::runtime_error "non-finite factor" naming the iteration, side and first row.
TrainResult train(Device& device, const RatingSet& set, const TrainOptions& options,
                  const TrainProgress& progress = {});
// The same on a problem that has been uploaded before; rank and lambda are the problem's.
TrainResult train(const DeviceProblem& problem, const TrainOptions& options,
                  const TrainProgress& progress = {});

}  // namespace alsbench
