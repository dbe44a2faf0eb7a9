// SPDX-License-Identifier: Apache-2.0
// A team whose members are processes that MPI started: `mpirun -n 4 alsbench train`. Each process
// is one member, with a device whose memory is the host's.
#pragma once

#include <atomic>
#include <memory>

#include "harness/device/exchange.h"
#include "harness/device/mpi/mpi_calls.h"

namespace alsbench {

// Whether MPI started this program, with other processes or alone.
bool started_by_mpi();

// Starts MPI; to be called once, by the thread that trains. Throws EnvironmentError where this
// build has no MPI, or it does not start.
const MpiCalls& start_mpi();

// Once `told_to_end` is set a process still waits a moment for the others, which may have been
// told as well; then it throws EnvironmentError. It does so, too, where MPI reports an error.
std::unique_ptr<Exchange> process_exchange(const MpiCalls& calls,
                                           const std::atomic<bool>& told_to_end);

}  // namespace alsbench
