// SPDX-License-Identifier: Apache-2.0
// Worker: the process that executes cases for a sweep, so a faulty variant costs one row. Speaks
// JSON lines over an inherited socket; its stdout and stderr are only a log. Started by
// WorkerClient as `alsbench worker`.
//
// messages.h has the requests and their answers.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/measure/guard.h"
#include "harness/problem/team_problem.h"
#include "harness/stage/stage_fixture.h"
#include "harness/stage/verifier.h"
#include "harness/sweep/suite/case.h"
#include "harness/sweep/worker/messages.h"

namespace alsbench {

class Worker {
 public:
  explicit Worker(int socket) : socket_(socket) {}
  // Serves until the socket is closed or an error leaves the device unusable.
  void serve();

 private:
  struct PreparedCase {
    Case c;
    std::shared_ptr<StageFixture> fixture;
    std::unique_ptr<Executable> executable;
    // The executable that is verified in place of a diagnostic configuration, which does not
    // compute the stage.
    std::unique_ptr<Executable> verifiable;
    Config verified_config;
    std::unique_ptr<Guard> guard;
  };

  Json answer(const worker::Request& request);
  // One for each request; throws what went wrong.
  DeviceRecord handle(const worker::Open& request);
  DataRecord handle(const worker::Load& request);
  worker::PartShape handle(const worker::GetShape& request);
  worker::Prepared handle(const worker::Prepare& request);
  Sample handle(const worker::TakeSample& request);
  worker::Rechecked handle(const worker::Recheck& request);
  CountersRecord handle(const worker::Count& request);
  EnergyRecord handle(const worker::MeasureEnergy& request);
  worker::Done handle(const worker::Profile& request);
  worker::Trained handle(const worker::Train& request);
  worker::Exported handle(const worker::ExportRatings& request);
  PeerScore handle(const worker::Score& request);
  worker::Done handle(const worker::Release& request);
  worker::Compiled handle(const worker::Compile& request);

  void load(const ProblemSpec& spec);
  void leave_problem();
  // Loaded, and on the device.
  const TeamProblem& problem(const ProblemSpec& spec,
                             RatingsResidency residency = RatingsResidency::whole);
  PreparedCase& prepared(const std::string& name);
  std::shared_ptr<StageFixture> fixture_for(const Case& c);
  // Throws RuleBroken where the process is not to go on.
  void require_intact(const Verification& verification) const;
  Work work_of(const Case& c, const StageFixture& fixture, double cg_steps);
  void send(const Json& message);

  int socket_;
  bool fatal_ = false;
  std::unique_ptr<Team> team_;
  Device* device_ = nullptr;                // of its first member
  std::optional<DataRequest> loaded_data_;  // what set_ answers
  std::shared_ptr<const RatingSet> set_;
  std::optional<ProblemSpec> loaded_problem_;
  std::unique_ptr<const TeamProblem> problem_;
  ReferenceCache references_;  // of the problem
  std::map<std::string, std::weak_ptr<StageFixture>> fixtures_;
  std::map<std::string, std::shared_ptr<PreparedCase>> prepared_;
};

}  // namespace alsbench
