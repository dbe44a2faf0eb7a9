// SPDX-License-Identifier: Apache-2.0
// The environment variables that OpenMP reads while it is loaded, before main: how its threads wait
// for work.
#pragma once

namespace alsbench {

// Sets what the user left open, for the processes that this one starts. To be called first in main.
void set_library_environment();

// For a command that times work in its own process: where OpenMP was loaded without that
// environment, the program starts again, with the same arguments and the same process id. There is
// no other way: OpenMP has no function for it. Where that fails the program goes on, and threads
// that wait may spin.
void use_library_environment();

// Starts OpenMP's threads where `ulimit -v` limits this process: OpenMP would end it where one of
// them could not be started. Throws EnvironmentError, which says how many were wanted.
void start_threads();

}  // namespace alsbench
