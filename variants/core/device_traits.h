// SPDX-License-Identifier: Apache-2.0
// DeviceTraits: what plans and objections may know of a device. Built from a live device, or from
// the architecture table when there is none (`alsbench compile --arch`).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "variants/core/backend.h"

namespace alsbench {

struct DeviceTraits {
  Backend backend = Backend::cpu;
  std::string name;         // as the driver or /proc/cpuinfo says it
  int architecture = 0;     // CUDA: 10 * major + minor; x86-64: bits of its kernels' vectors
  int multiprocessors = 0;  // CUDA: SMs; CPU: hardware threads used
  int64_t memory_bytes = 0;
  int64_t l2_bytes = 0;                // CUDA: L2; CPU: last-level cache
  int64_t shared_bytes_per_block = 0;  // CUDA: with opt-in
  int64_t shared_bytes_per_multiprocessor = 0;
  int registers_per_multiprocessor = 0;
  int threads_per_multiprocessor = 0;
  int blocks_per_multiprocessor = 0;
  bool tiles = false;         // CPU: whether AMX can be used, of bytes
  std::string no_tiles = {};  // why not
  bool bfloat_tiles = false;  // the same of bf16
  std::string no_bfloat_tiles = {};
};

// Whether mma.sync multiplies e4m3 there. Others that take the instruction convert to halves.
bool multiplies_fp8(const DeviceTraits& traits);

// Architectures `alsbench compile` knows without a device, e.g. 75, 80, 90. (CUDA C++ programming
// guide, compute capabilities.)
const std::vector<int>& known_architectures();
// Throws UsageError naming the known ones when `architecture` is not among them.
DeviceTraits traits_of_architecture(int architecture);
// "sm_90" -> 90; throws UsageError otherwise.
int parse_architecture(const std::string& text);

}  // namespace alsbench
