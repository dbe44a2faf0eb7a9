// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include "tests/run_tests.h"

int main(int argc, char** argv) {
  umask(S_IWGRP | S_IWOTH);  // the program uses no folder that others may write
  return alsbench::testing::run_tests(argc, argv);
}
