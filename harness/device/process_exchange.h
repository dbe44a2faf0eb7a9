// SPDX-License-Identifier: Apache-2.0
// A team whose members are processes that MPI started: `mpirun -n 4 alsbench train`. Each process
// is one member.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "harness/device/exchange.h"
#include "harness/device/mpi/mpi_calls.h"

namespace alsbench {

// Whether MPI started this program, with other processes or alone.
bool started_by_mpi();

// Starts MPI; to be called once, by the thread that trains. Throws EnvironmentError where this
// build has no MPI, or it does not start.
const MpiCalls& start_mpi();

// Through MPI, of devices whose memory is the host's. Once `stop_requested` is set a process still
// waits a moment for the others, which may have been told as well; then it throws EnvironmentError.
// It does so, too, where MPI reports an error.
class ProcessExchange : public Exchange {
 public:
  ProcessExchange(const MpiCalls& calls, const std::atomic<bool>& stop_requested)
      : calls_(&calls), stop_requested_(&stop_requested) {}
  ~ProcessExchange() override;

  // Throws UsageError where the processes' devices do not have one name.
  void require_same_device(const std::string& device_name);

  void send(int member, void* data, const std::vector<Block>& blocks) override;
  void wait_for_blocks(int member) override;
  std::vector<char> gather(int member, const void* own, int64_t bytes) override;
  // The other processes learn it from MPI, once this one has ended.
  void abort() noexcept override { aborted_ = true; }

 protected:
  // mpirun ends a process that was told to end, and did not, after a second.
  static constexpr std::chrono::milliseconds kPatience{300};

  const MpiCalls& calls() const { return *calls_; }
  bool stop_requested() const { return *stop_requested_; }
  // The first process's bytes come to all. Waits.
  void share(void* data, int64_t bytes);

  std::atomic<bool> aborted_ = false;

 private:
  void wait(void* collective) const;

  const MpiCalls* calls_;
  const std::atomic<bool>* stop_requested_;
  std::vector<void*> under_way_;
};

}  // namespace alsbench
