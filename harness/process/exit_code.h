// SPDX-License-Identifier: Apache-2.0
// Exit codes of every command: one table. Counts never become exit codes.
#pragma once

namespace alsbench {

enum ExitCode : int {
  kExitOk = 0,           // done; when comparing: no regression
  kExitRegression = 1,   // comparing: at least one regression
  kExitUsage = 2,        // arguments, suite or data file are wrong; nothing was written
  kExitEnvironment = 3,  // the machine cannot do it: device missing, disk full, too much undecided
  kExitBaseline = 4,     // baseline missing or incompatible
  kExitCasesFailed = 5,  // cases failed or vanished
  kExitInterrupted = 130,  // SIGINT; what was done is kept
};

}  // namespace alsbench
