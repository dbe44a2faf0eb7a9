// SPDX-License-Identifier: Apache-2.0
#include "tests/run_tests.h"

int main(int argc, char** argv) { return alsbench::testing::run_tests(argc, argv); }
