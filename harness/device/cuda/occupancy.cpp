// SPDX-License-Identifier: Apache-2.0
// Occupancy of a compiled kernel on an architecture: the toolkit's own occupancy calculator, fed
// with traits, so it works without a device.
#include <cuda_occupancy.h>

#include <algorithm>
#include <climits>

#include "harness/device/cuda_backend.h"

namespace alsbench {
namespace {

constexpr int kThreadsPerBlock = 1024;
constexpr int64_t kSharedWithoutOptIn = 48 * 1024;

cudaOccDeviceProp properties_of(const DeviceTraits& traits) {
  cudaOccDeviceProp properties;
  properties.computeMajor = traits.architecture / 10;
  properties.computeMinor = traits.architecture % 10;
  properties.maxThreadsPerBlock = kThreadsPerBlock;
  properties.maxThreadsPerMultiprocessor = traits.threads_per_multiprocessor;
  properties.regsPerBlock = traits.registers_per_multiprocessor;
  properties.regsPerMultiprocessor = traits.registers_per_multiprocessor;
  properties.warpSize = 32;
  properties.sharedMemPerBlock = kSharedWithoutOptIn;
  properties.sharedMemPerMultiprocessor = traits.shared_bytes_per_multiprocessor;
  properties.numSms = traits.multiprocessors;
  properties.sharedMemPerBlockOptin = traits.shared_bytes_per_block;
  properties.reservedSharedMemPerBlock =  // 1 KiB from Ampere on, nothing before
      traits.shared_bytes_per_multiprocessor - traits.shared_bytes_per_block;
  return properties;
}

}  // namespace

KernelReport report_of(const CompiledKernel& kernel, const KernelLaunch& launch,
                       const DeviceTraits& traits) {
  KernelReport report;
  report.instance = launch.instance;
  report.registers = kernel.registers;
  report.spill_store_bytes = kernel.spill_store_bytes;
  report.spill_load_bytes = kernel.spill_load_bytes;
  report.stack_bytes = kernel.stack_bytes;
  report.static_shared_bytes = kernel.static_shared_bytes;
  report.dynamic_shared_bytes = launch.shared_bytes;
  report.block = launch.threads();
  report.grid = launch.blocks();
  report.code_hash = kernel.code_hash;
  report.compile_seconds = kernel.compile_seconds;
  report.from_cache = kernel.from_cache;

  const cudaOccDeviceProp properties = properties_of(traits);
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = INT_MAX;
  attributes.numRegs = kernel.registers;
  attributes.sharedSizeBytes = kernel.static_shared_bytes;
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.maxDynamicSharedSizeBytes = launch.shared_bytes;
  attributes.numBlockBarriers = 1;
  const cudaOccDeviceState state;
  cudaOccResult result;
  if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state,
                                              launch.threads(),
                                              launch.shared_bytes) != CUDA_OCC_SUCCESS)
    return report;  // 0: the toolkit's calculator does not know this architecture
  report.blocks_per_multiprocessor =
      std::min(result.activeBlocksPerMultiprocessor, traits.blocks_per_multiprocessor);
  report.occupancy = static_cast<double>(report.blocks_per_multiprocessor) * launch.threads() /
                     traits.threads_per_multiprocessor;
  return report;
}

}  // namespace alsbench
