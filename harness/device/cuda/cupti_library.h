// SPDX-License-Identifier: Apache-2.0
// CuptiLibrary: the functions of CUPTI's range profiler, through dlopen, so no program needs CUPTI
// to start. Only where the toolkit of the build has the header (CUDA 12.6 or newer).
#pragma once

#if __has_include(<cupti_range_profiler.h>)
#define ALSBENCH_WITH_CUPTI 1
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>

#include <string>

namespace alsbench {

// clang-format off
#define ALSBENCH_CUPTI_FUNCTIONS(X)           \
  X(cuptiGetResultString)                     \
  X(cuptiProfilerInitialize)                  \
  X(cuptiProfilerDeInitialize)                \
  X(cuptiDeviceGetChipName)                   \
  X(cuptiProfilerHostInitialize)              \
  X(cuptiProfilerHostDeinitialize)            \
  X(cuptiProfilerHostGetMetricProperties)     \
  X(cuptiProfilerHostConfigAddMetrics)        \
  X(cuptiProfilerHostGetConfigImageSize)      \
  X(cuptiProfilerHostGetConfigImage)          \
  X(cuptiProfilerHostEvaluateToGpuValues)     \
  X(cuptiRangeProfilerEnable)                 \
  X(cuptiRangeProfilerDisable)                \
  X(cuptiRangeProfilerSetConfig)              \
  X(cuptiRangeProfilerStart)                  \
  X(cuptiRangeProfilerStop)                   \
  X(cuptiRangeProfilerDecodeData)             \
  X(cuptiRangeProfilerGetCounterDataSize)     \
  X(cuptiRangeProfilerCounterDataImageInitialize) \
  X(cuptiRangeProfilerGetCounterDataInfo)
// clang-format on

struct CuptiLibrary {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a member's name cannot stand in parentheses
#define ALSBENCH_CUPTI_MEMBER(name) decltype(&::name) name = nullptr;
  ALSBENCH_CUPTI_FUNCTIONS(ALSBENCH_CUPTI_MEMBER)
#undef ALSBENCH_CUPTI_MEMBER
};

// Opened by the first call and never closed. Throws CountersUnavailable where it is missing or
// lacks a function.
const CuptiLibrary& cupti_library();

// Throws CountersUnavailable with the reason and the remedy unless `status` is success.
void check_cupti(CUptiResult status, const char* call);

}  // namespace alsbench

// The parameter struct of a function, zero but for the size by which CUPTI knows its version.
#define CUPTI_PARAMS(function, name) \
  CUpti_##function##_Params name{};  \
  (name).structSize = CUpti_##function##_Params_STRUCT_SIZE
// Calls a function with the parameter struct that it fills in.
#define CUPTI_CALL(name, params) \
  ::alsbench::check_cupti(::alsbench::cupti_library().name(&(params)), #name)

#endif
