// Provenance: where a result comes from, so that two results can be told comparable or not: build,
// host, time, command line. The sweep adds devices, data sets and seeds to it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/record/journal.h"

namespace alsbench {

// Version, git commit and dirty flag, compiler, flags, CUDA toolkit: baked in at build time.
Json build_provenance();
// Name, CPU, cores, memory, operating system, and the environment variables of the allow-list.
Json host_provenance();
// Of the sources and flags that the variants which are compiled with the program (CPU, calls into
// vendor libraries) come from; 32 hexadecimal digits.
std::string host_code_hash();
// Both, the time in UTC and the command line.
Json provenance(const std::vector<std::string>& command_line);
// "2026-01-31T12:00:00Z"
std::string utc_now();

}  // namespace alsbench
