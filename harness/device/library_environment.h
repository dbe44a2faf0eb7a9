// SPDX-License-Identifier: Apache-2.0
// The environment that libraries read while they are loaded, before main: how OpenMP's threads wait
// for work, and which of its kernels OpenBLAS runs.
#pragma once

#include <string>

namespace alsbench {

// Sets what the user left open, and starts this program again where something was: once, with the
// same arguments and the same process id. Where that fails the program goes on as it is, and
// only its children have the environment. To be called first in main.
void use_library_environment();

// Why the libraries of this process do not have that environment, for people; empty: they have.
const std::string& library_environment_problem();

}  // namespace alsbench
