// SPDX-License-Identifier: Apache-2.0
// Fixed-width integers for code that g++, nvcc and NVRTC all read (NVRTC has no <cstdint>).
// Everything in kernels/shared includes this first.
#pragma once

#if defined(__CUDACC_RTC__)
using int8_t = signed char;
using int16_t = short;
using int32_t = int;
using int64_t = long;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned int;
using uint64_t = unsigned long;
#else
#include <cstdint>
#endif

#if defined(__CUDACC__)
#define ALSBENCH_HOST_DEVICE __host__ __device__
#else
#define ALSBENCH_HOST_DEVICE
#endif
