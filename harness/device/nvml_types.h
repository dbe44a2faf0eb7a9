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

// nvmlFieldValue_t.
struct FieldValue {
  unsigned id, scope;
  long long timestamp, latency_microseconds;
  int type;    // nvmlValueType_t
  int status;  // nvmlReturn_t
  union {
    double real;
    unsigned word;
    unsigned long long integer;
  };
};

// NVML_VALUE_TYPE_*: that of a double, and of those integers of 32 bits.
constexpr int kDouble = 0, kUnsigned = 1, kSigned = 5;
// NVML_FI_DEV_*: nanoseconds under the power cap and under the thermal one, millijoules since the
// driver was loaded, and milliwatts.
constexpr unsigned kPowerCapTime = 74, kThermalCapTime = 75, kTotalEnergy = 83, kInstantPower = 186;

}  // namespace alsbench::nvml
