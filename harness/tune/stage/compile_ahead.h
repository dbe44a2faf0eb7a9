// SPDX-License-Identifier: Apache-2.0
// CompileAhead: compiles kernels while the device measures others. They reach the worker that
// measures through the disk cache. Each thread has a worker process that compiles for it. Within
// one process NVRTC parses one source at a time: 15 threads compile no more than 6, and 15
// processes twice as much.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "harness/device/cuda_backend.h"
#include "harness/sweep/worker/worker_client.h"

namespace alsbench {

class CompileAhead {
 public:
  // `command` starts a worker. Threads and workers start with the first kernel that needs them.
  explicit CompileAhead(std::vector<std::string> command) : command_(std::move(command)) {}
  ~CompileAhead();  // ends what is being compiled
  CompileAhead(const CompileAhead&) = delete;
  CompileAhead& operator=(const CompileAhead&) = delete;

  // Needed soon, and perhaps. Both replace what was announced before and is not begun yet. Guesses
  // are compiled once nothing else is left.
  void announce(const std::vector<CompileRequest>& requests,
                const std::vector<CompileRequest>& guesses);
  // Needed later. Compiled in this order once nothing that is needed soon is left.
  void expect(const std::vector<CompileRequest>& requests);
  // Waits for these, which go before everything else; an error is a result.
  std::vector<CompileResult> require(const std::vector<CompileRequest>& requests);

 private:
  void work();
  CompileResult compile(const CompileRequest& request, WorkerClient& worker) const;
  void start();  // the threads; call with the lock held
  // Those that nobody has begun yet; call with the lock held.
  void append(const std::vector<CompileRequest>& requests, std::deque<CompileRequest>& queue) const;
  bool waiting() const { return !soon_.empty() || !later_.empty() || !guesses_.empty(); }
  CompileRequest take();
  // Whether nobody has begun the request yet; call with the lock held.
  bool is_open(const std::string& key) const { return !results_.contains(key); }

  const std::vector<std::string> command_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<CompileRequest> soon_, later_, guesses_;
  std::map<std::string, CompileResult> results_;  // begun ones too
  std::map<std::string, bool> done_;
  std::atomic<bool> stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace alsbench
