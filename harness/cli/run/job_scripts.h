// SPDX-License-Identifier: Apache-2.0
// The job scripts of `alsbench plan`: an engine that is there already runs the shards of a suite.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace alsbench {

struct JobPlan {
  std::string suite;     // its name
  std::string program;   // as a shell finds it
  std::string run;       // `PROGRAM run SUITE ...`, without --shard, as a shell reads it
  std::string device;    // "cpu", or "0": the one GPU that a task sees
  std::string folder;    // of journals and results
  std::string script;    // the file's name, for its comments
  int64_t shards = 1;    // tasks
  int64_t throttle = 1;  // the most at a time
  bool on_gpu() const { return device != "cpu"; }
};

// The script, and how engine and file are called.
struct JobEngine {
  const char* name;
  const char* ending;  // of the file: ".sbatch"
  std::string (*script)(const JobPlan& plan);
};
const std::vector<JobEngine>& job_engines();

}  // namespace alsbench
