// SPDX-License-Identifier: Apache-2.0
// TuningWorker: a worker process with one problem loaded, which prepares, verifies and samples
// cases of any stage and part of it. One object serves all searches of a tuning.
#pragma once

#include <atomic>
#include <set>
#include <string>
#include <vector>

#include "harness/record/case_record.h"
#include "harness/record/device_record.h"
#include "harness/record/energy_record.h"
#include "harness/sweep/suite/case.h"
#include "harness/sweep/worker/messages.h"
#include "harness/sweep/worker/worker_client.h"

namespace alsbench {

struct TuningWorkerOptions {
  std::vector<std::string> command;  // e.g. {"/proc/self/exe", "worker"}
  std::string device = "cpu";        // as open_device takes it
  ProblemSpec problem;
  double timeout_seconds = 60;  // of one request, loading the data apart
  const std::atomic<bool>* interrupted = nullptr;
};

class TuningWorker {
 public:
  explicit TuningWorker(TuningWorkerOptions options);

  const TuningWorkerOptions& options() const { return options_; }
  Backend backend() const { return options_.device == "cpu" ? Backend::cpu : Backend::cuda; }

  // The traits of its device, without a context in this process.
  DeviceTraits traits() const;
  // These open the device and load the problem where that is not done. They throw what
  // WorkerClient::request throws.
  const DeviceRecord& device();
  const DataRecord& data();
  Shape shape(const std::string& part);

  Case case_of(const Variant& variant, const Config& config, const std::string& part) const;
  // Prepares and verifies. Where memory runs out, what was prepared before is released, and the
  // case gets a second chance.
  worker::Prepared prepare(const Case& c);
  bool prepared(const Case& c) const;
  // A sample that other work disturbed is taken again, kPatience times at most.
  Sample sample(const Case& c, CacheMode mode);
  // Hardware counters of a case, prepared where it is not. A worker that is lost by it is a reason
  // why there are none.
  CountersRecord count(const Case& c, CacheMode mode);
  // Energy of executions of a case, prepared where it is not. Throws EnvironmentError where the
  // device tells none, WorkerFailure where the case fails.
  EnergyRecord energy(const Case& c);
  // Cost of such work, as a sentence; "" where there was none.
  std::string disturbances() const;

  void release();  // everything prepared, and its memory

  WorkerClient& client() { return client_; }

 private:
  void open();  // again where the worker is a new one
  bool fresh() const { return generation_ == client_.generation() && client_.running(); }

  TuningWorkerOptions options_;
  WorkerClient client_;
  int generation_ = -1;
  DeviceRecord device_;
  DataRecord data_;
  int64_t disturbed_ = 0, kept_ = 0;  // samples taken again; disturbed to the last
  double lost_seconds_ = 0;
  std::set<std::string> prepared_;  // names of cases, in the present generation
};

}  // namespace alsbench
