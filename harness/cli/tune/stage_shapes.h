// SPDX-License-Identifier: Apache-2.0
// StageShapes: the problems of a search of one stage. That of the command line is the first; each
// further one (--also) has a worker of its own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/cli/tune/tune_options.h"
#include "harness/tune/stage/joint_objective.h"

namespace alsbench {

inline constexpr const char* kAlso = "--also";  // the option of further problems

// The problem with what a text changes in it: "M=64,N=64" of a custom kernel, "rank=64" or
// "dataset=netflix,scale=0.1" of ratings. Throws UsageError.
TuneProblemOptions changed_problem(TuneProblemOptions problem, const std::string& text);

class StageShapes {
 public:
  // `first` must outlive it. Workers of the further problems are started here.
  StageShapes(TuningWorker& first, const std::vector<TuneProblemOptions>& further,
              std::string part);

  bool joint() const { return !further_.empty(); }
  std::vector<std::string> names() const;    // of all problems
  std::vector<ProblemSpec> further() const;  // all but the first
  // The points that can run on every shape. Throws UsageError where there is none.
  SearchSpace common_space(const SpaceRequest& request) const;
  // Of a search of the space, which must outlive this.
  Objective& objective(const SearchSpace& space);
  void measure_ceilings();  // of the first problem alone, and not of a joint search

 private:
  TuningWorker& first_;
  std::vector<std::unique_ptr<TuningWorker>> further_;
  std::string part_;
  std::vector<std::unique_ptr<CompileAhead>> compilers_;
  std::vector<std::unique_ptr<LiveObjective>> each_;
  std::unique_ptr<JointObjective> all_;
};

// A row a shape: the pick and the best there, efficiency and loss.
std::string portability_table(const PortabilityRecord& record);

}  // namespace alsbench
