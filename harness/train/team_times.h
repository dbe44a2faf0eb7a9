// SPDX-License-Identifier: Apache-2.0
// Times of a team's iterations, measured and predicted (docs/explanation/scale.md has the model).
#pragma once

#include <vector>

#include "harness/device/team.h"
#include "harness/record/iteration_record.h"
#include "harness/record/training_record.h"
#include "harness/train/training.h"

namespace alsbench {

// From a member's own seconds and stages to those of the team: a collective.
void share_times(const Member& member, IterationRecord& record);

// The team, its link measured, without the times of iterations: a collective.
TeamRecord team_of(const Member& member, const Training& training);

// Predicted time of an iteration on one device: the median over iterations of all members' work.
// From it what teams take: this one's size, and 2, 4, 8 and 64. A team of n takes
//   share(n) work + exchanges latency + bytes (n - 1) / n / bandwidth.
void predict(const Training& training, const std::vector<IterationRecord>& iterations,
             TeamRecord& team);

}  // namespace alsbench
