// SPDX-License-Identifier: Apache-2.0
// The environment that libraries read while they are loaded, before main: how OpenMP's threads wait
// for work, which of its kernels OpenBLAS runs, and in how many threads.
#pragma once

#include <string>

namespace alsbench {

// Sets what the user left open, and starts this program again where something was: once, with the
// same arguments and the same process id. Where that fails the program goes on as it is, and
// only its children have the environment. To be called first in main.
void use_library_environment();

// Starts OpenMP's threads where `ulimit -v` limits this process: OpenMP would end it where one of
// them could not be started. Throws EnvironmentError, which says how many were wanted.
void start_threads();

// Why the libraries of this process do not have that environment, for people; empty: they have.
const std::string& library_environment_problem();

}  // namespace alsbench
