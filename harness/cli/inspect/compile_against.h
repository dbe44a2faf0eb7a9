// SPDX-License-Identifier: Apache-2.0
// `alsbench compile --against`: static baselines compared with what the compiler makes of this
// program's kernels, or written. Kernels with the source hash of the baseline are not recompiled to
// compare them: the same compiler makes the same of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/cli/output.h"

namespace alsbench {

struct AgainstOptions {
  std::filesystem::path baseline;          // a file, or a folder of <arch>.json
  std::vector<std::string> architectures;  // empty: those of the baseline's files
  bool write = false;
  bool cross_env = false;  // compare although another compiler made the baseline
  bool recompile = false;  // also the kernels whose source hash is the baseline's
  int jobs = 0;
  OutputOptions output;
};

// Returns an exit code: 0 no regression, 1 regression, 5 a kernel failed or vanished. Throws
// BaselineError where a baseline is missing, damaged or of another compiler.
int compile_against(const AgainstOptions& options);

}  // namespace alsbench
