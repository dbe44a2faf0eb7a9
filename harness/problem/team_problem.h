// SPDX-License-Identifier: Apache-2.0
// TeamProblem: a rating set on the devices of a team, a DeviceProblem for each member.
#pragma once

#include <memory>
#include <vector>

#include "harness/problem/device_problem.h"

namespace alsbench {

class TeamProblem {
 public:
  // All members upload at once. Throws like DeviceProblem. `team` and `set` must outlive it.
  TeamProblem(Team& team, const RatingSet& set, int32_t rank, float lambda,
              RatingsResidency residency = RatingsResidency::whole)
      : team_(&team) {
    problems_.resize(static_cast<size_t>(team.here()));
    team.run([&](const Member& member) {
      problems_[place_of(member)] =
          std::make_unique<DeviceProblem>(member, set, rank, lambda, residency);
    });
  }

  Team& team() const { return *team_; }
  const DeviceProblem& of(const Member& member) const { return *problems_[place_of(member)]; }
  const DeviceProblem& first() const { return *problems_.front(); }

 private:
  size_t place_of(const Member& member) const {
    return static_cast<size_t>(member.index() - team_->first_local());
  }

  Team* team_;
  std::vector<std::unique_ptr<DeviceProblem>> problems_;
};

}  // namespace alsbench
