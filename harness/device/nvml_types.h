// SPDX-License-Identifier: Apache-2.0
// The part of nvml.h that the program uses, in the layout of the library; shared with the tests'
// fake NVML.
#pragma once

namespace alsbench::nvml {

// nvmlReturn_t.
constexpr int kSuccess = 0, kNotSupported = 3, kNoPermission = 4, kNotFound = 6,
              kInsufficientSize = 7;

// nvmlProcessInfo_t of versions 2 and 3 of the function.
struct ProcessInfo {
  unsigned id;
  unsigned long long memory_bytes;
  unsigned gpu_instance, compute_instance;
};

// nvmlProcessUtilizationSample_t; shares in percent.
struct UseSample {
  unsigned id;
  unsigned long long microseconds;  // since 1970
  unsigned multiprocessors, memory, encoder, decoder;
};

}  // namespace alsbench::nvml
