// SPDX-License-Identifier: Apache-2.0
// Provenance: where a result comes from, so that two results can be told comparable or not: build,
// host, time, command line. The sweep adds devices, data sets and seeds to it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "harness/record/journal.h"

namespace alsbench {

// Version, git commit and dirty flag, compiler, flags, CUDA toolkit: baked in at build time.
Json build_provenance();
// Name, CPU, cores, memory, operating system, and the environment variables of the allow-list.
Json host_provenance();
// Google Benchmark's version that this build was configured with: "1.7.1".
std::string google_benchmark_version();
// Of the sources and flags that the variants which are compiled with the program (CPU, calls into
// vendor libraries) come from; 32 hexadecimal digits.
std::string host_code_hash();
// A word of a command line, of an absolute path its last name alone: a machine's folders say
// nothing to others, and may name a user.
std::string without_folder(const std::string& word);
// Build, host, the time in UTC and this process's command line, `without_folder`.
Json provenance();
// "2026-01-31T12:00:00Z"
std::string utc_now();

}  // namespace alsbench
