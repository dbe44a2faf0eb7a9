// SPDX-License-Identifier: Apache-2.0
// Provenance: where a result comes from, so two results can be told comparable or not: build, host,
// time, command line. The sweep adds devices, data sets and seeds to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/record/fields/fields.h"

namespace alsbench {

struct BuildProvenance {
  std::string version;
  std::string git_commit;
  bool git_dirty = false;  // with local changes
  std::string build_type;
  std::string compiler;
  std::string flags;
  std::string cuda_toolkit;  // empty: built without
};

struct HostProvenance {
  std::string name;
  std::string system;
  std::string architecture;
  std::string cpu;
  int64_t hardware_threads = 0;
  int64_t memory_bytes = 0;
  std::vector<std::pair<std::string, std::string>> environment;  // variables of the allow-list
};

// A folder of custom kernels that the program was given.
struct KernelsProvenance {
  std::string name;  // of the stage
  std::string hash;  // SHA-256 of its files' names and contents
};

struct Provenance {
  std::string time_utc;
  std::vector<std::string> command_line;
  BuildProvenance build;
  HostProvenance host;
  std::optional<std::string> suite_hash;  // of a run of a suite, as is the next
  std::optional<uint64_t> seed;           // of the order of samples
  std::vector<KernelsProvenance> kernels;
  Json unknown = Json::object();  // fields of a newer version, written again as they were read
};

void describe(Fields<BuildProvenance>& fields);
void describe(Fields<HostProvenance>& fields);
void describe(Fields<KernelsProvenance>& fields);
void describe(Fields<Provenance>& fields);

// Of this program; baked in at build time.
BuildProvenance build_provenance();
// Of this machine.
HostProvenance host_provenance();
// Of the sources and flags that the variants which are compiled with the program (CPU, calls into
// vendor libraries) come from; 32 hexadecimal digits.
std::string host_code_hash();
// A word of a command line, of an absolute path its last name alone: a machine's folders say
// nothing to others, and may name a user.
std::string without_folder(const std::string& word);
// The same of each word of a line.
std::string without_folders(const std::string& line);
// From now on part of every provenance().
void record_kernels(KernelsProvenance kernels);
// Build, host, the time in UTC and this process's command line, `without_folder`.
Provenance provenance();
// "2026-01-31T12:00:00Z"
std::string utc_now();

}  // namespace alsbench
