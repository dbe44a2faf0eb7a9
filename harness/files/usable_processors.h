// SPDX-License-Identifier: Apache-2.0
// The processors that this program may use, whichever of them its first thread is bound to.
#pragma once

#include <sched.h>

#include <optional>

namespace alsbench {

// Those of OpenMP's places. Nothing where OpenMP binds no threads, or has a processor that a
// cpu_set_t has no bit for.
//
// With OMP_PROC_BIND, OMP_PLACES or GOMP_CPU_AFFINITY libgomp binds the thread that loads it to the
// first place, and what that thread starts inherits this one place.
std::optional<cpu_set_t> usable_processors();

}  // namespace alsbench
