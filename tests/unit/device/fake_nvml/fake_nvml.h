// SPDX-License-Identifier: Apache-2.0
// Answers of the fake NVML. It has the real one's soname, so whoever loads it by its path makes the
// program find it.
#pragma once

#include <array>

struct FakeNvml {
  struct Use {
    unsigned id;
    unsigned long long microseconds;
    unsigned percent;
  };
  int processes_status, use_status;  // nvmlReturn_t
  unsigned process_count, use_count;
  std::array<unsigned, 8> processes;
  std::array<Use, 8> uses;
  int fields_status;
  unsigned long long clock_reasons, power_cap_nanoseconds, thermal_cap_nanoseconds;
  unsigned milliwatts;
  unsigned long long millijoules;
  bool no_energy;  // an older device has no such counter
};
