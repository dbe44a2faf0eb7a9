// JSON of a training run: what `alsbench train` leaves beside the factors, and what a suite's
// training cases report.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/algorithms/als/trainer.h"

namespace alsbench {

// {"iteration", "train_rmse", "test_rmse" (null without test ratings), "seconds": {"total", "wall",
// "rmse", "stages": {...}}, ...}
nlohmann::ordered_json to_json(const IterationRecord& record);
IterationRecord iteration_from_json(const nlohmann::ordered_json& json);

// What was trained on: shape, counts of empty rows and columns, mean, content hash.
nlohmann::ordered_json describe(const RatingSet& set);

}  // namespace alsbench
