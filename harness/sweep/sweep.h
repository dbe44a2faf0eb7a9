// SPDX-License-Identifier: Apache-2.0
// Sweep: runs the cases of a suite on workers, group by group, and turns each into a record of the
// result document.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/case_record.h"
#include "harness/record/device_record.h"
#include "harness/sweep/rounds.h"
#include "harness/sweep/suite/case.h"
#include "harness/sweep/worker/worker_client.h"

namespace alsbench {

enum class SweepStep { prepare, measure, count, train };

// A case costs time: a step of it begins, goes on or ends.
struct SweepEvent {
  enum class Kind { begins, progresses, ends };
  const Case& c;
  SweepStep step;
  Kind what;
  double seconds = 0;  // on the wall, since the last event of this step
  double share = 0;    // of the step that these seconds did; 0: unknown
};

struct SweepOptions {
  std::vector<std::string> worker_command;  // e.g. {"/proc/self/exe", "worker"}
  StopRule sampling;
  double timeout_seconds = 60;
  uint64_t seed = 1;     // of the order of samples
  bool profile = false;  // run every case once under the profiler instead of measuring
  // Read hardware counters of each case in the first launch. That happens after the last sample of
  // its group, in a worker that takes no other sample.
  bool counters = false;
  bool energy = false;           // measure that of an iteration of each training
  std::string cuda_unavailable;  // why CUDA cases cannot run here; empty: they can
  const std::atomic<bool>* interrupted = nullptr;
  // Each case as soon as it is finished, ceilings included, and a counted one once more; shares
  // come later (finished_records).
  std::function<void(const CaseRecord&)> on_record;
  std::function<void(const SweepEvent&)> on_event = {};
  std::function<void(const std::string&)> on_note = {};  // a line for people: what failed
};

class Sweep {
 public:
  Sweep(const Suite& suite, SweepOptions options);

  // Outcome of a case in an earlier run; nothing: it has to run.
  using Known = std::function<std::optional<Outcome>(const Case&)>;

  // Makes records of `cases` that are not `known`. The ceilings of their groups are measured again
  // with the missing cases, unless they are known to fail. Each call is a launch, in fresh worker
  // processes; its number (from 0) changes the order of samples. Throws Interrupted, and UsageError
  // or EnvironmentError where a problem cannot be loaded at all.
  void run(const std::vector<Case>& cases, const Known& known, int64_t launch = 0);
  // The cases that run() would run, in its order, ceilings included; without those it would skip.
  std::vector<Case> planned(const std::vector<Case>& cases, const Known& known) const;

  const std::map<std::string, DeviceRecord>& devices() const { return devices_; }  // by id

 private:
  struct Row {  // a case on its way to a record
    Case c;
    CaseRecord record;
    int generation = -1;    // of the worker that has it prepared
    size_t open_modes = 0;  // still to be measured
    bool sampled = false;   // its first sample has begun
  };

  void run_group(const std::vector<Case>& cases, const std::string& group);
  void run_training(Row& row);
  void run_peer(Row& row);
  void train_once(Row& row, TrainingLaunch& training);
  bool skips(const Case& c) const {
    return c.backend == Backend::cuda && !options_.cuda_unavailable.empty();
  }
  void skip_all(const std::vector<Case>& cases);
  void open(const Row& row);
  void load(Row& row);
  void prepare(Row& row);
  void measure(std::vector<Row>& rows);
  std::optional<Sample> sample(Row& row, CacheMode mode);
  void profile(Row& row);
  void recheck(Row& row);
  void finish(Row& row);
  void count(std::vector<Row>& rows);
  CountersRecord counters_of(Row& row, CacheMode mode);
  // `action`, as one step of a case that begins and ends.
  void step(const Row& row, SweepStep step, const std::function<void()>& action);
  void notify(const SweepEvent& event) const {
    if (options_.on_event) options_.on_event(event);
  }
  void release();
  // Runs `action`; where the worker fails, the row gets that outcome and the answer is false.
  bool guarded(Row& row, const std::function<void()>& action);

  const Suite& suite_;
  SweepOptions options_;
  WorkerClient worker_;
  uint64_t order_seed_ = 1;
  double reported_seconds_ = 0;  // of the step that goes on
  bool counting_ = false;
  std::string open_device_;
  int open_generation_ = -1;
  std::map<std::string, DeviceRecord> devices_;
};

// The record of a case that has not run.
CaseRecord blank_record(const Case& c);

// How many ceilings a sweep measures among these cases.
int64_t count_ceilings(const Suite& suite, const std::vector<Case>& cases,
                       const SweepOptions& options);

}  // namespace alsbench
