// SPDX-License-Identifier: Apache-2.0
// The main function of a test program.
#pragma once

namespace alsbench::testing {

// Runs the tests that the command line selects. Returns the exit code: 0, 1 where a test failed or
// none was selected, 77 where every test was skipped (SKIP_RETURN_CODE in tests/CMakeLists.txt).
int run_tests(int argc, char** argv);

}  // namespace alsbench::testing
