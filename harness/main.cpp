// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/cli.h"
#include "harness/cli/output.h"
#include "harness/device/library_environment.h"

int main(int argc, char** argv) {
  alsbench::secure_standard_streams();
  alsbench::set_library_environment();
  return alsbench::run_cli(argc, argv);
}
