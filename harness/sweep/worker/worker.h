// SPDX-License-Identifier: Apache-2.0
// Worker: the process that executes cases for a sweep, so that a faulty variant costs one row.
// Speaks JSON lines over an inherited socket; its stdout and stderr are only a log. Started by
// WorkerClient as `alsbench worker`.
//
// Requests: open{device}, load{case or problem}, shape{problem, part}, prepare{case}, sample{name,
// mode, count}, recheck{name}, count{name, mode}, profile{name}, train{case},
// export{case, folder}, score{case, folder}, release, compile{source, instance, architecture},
// which puts a kernel into the disk cache. Answers:
// {"ok": true, ...} or {"ok": false, "outcome" or "error", "detail", "fatal"}; train sends
// {"iteration": {...}} lines before its answer.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/problem/team_problem.h"
#include "harness/stage/stage_fixture.h"
#include "harness/stage/verifier.h"
#include "harness/sweep/suite/case.h"

namespace alsbench {

class Worker {
 public:
  explicit Worker(int socket) : socket_(socket) {}
  // Serves until the socket is closed or an error leaves the device unusable.
  void serve();

 private:
  struct Prepared {
    Case c;
    std::shared_ptr<StageFixture> fixture;
    std::unique_ptr<Executable> executable;
    // What is verified in place of a diagnostic configuration, which does not compute the stage.
    std::unique_ptr<Executable> verifiable;
  };

  Json answer(const Json& request);
  Json handle(const Json& request);
  Json open(const std::string& name);
  Json load(const ProblemSpec& spec);
  void leave_problem();
  // Loaded, and on the device.
  const TeamProblem& problem(const ProblemSpec& spec, Holding holding = Holding::whole);
  Json prepare(const Case& c);
  Json sample(Prepared& target, CacheMode mode, int64_t count);
  Json train(const Case& c);
  Json export_ratings(const Case& c, const std::filesystem::path& folder);
  Json score(const Case& c, const std::filesystem::path& folder);
  Prepared& prepared(const std::string& name);
  std::shared_ptr<StageFixture> fixture_for(const Case& c);
  Verification check(Prepared& target);
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
  std::map<std::string, Prepared> prepared_;
};

}  // namespace alsbench
