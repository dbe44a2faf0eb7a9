// SPDX-License-Identifier: Apache-2.0
// NVTX ranges and the CUDA profiler's start and stop, so a profiler shows a configuration's own
// name. Without CUDA all of it is nothing.
#pragma once

#include <string>

namespace alsbench {

// An NVTX range around a scope; free of cost where no profiler is attached.
class ProfileRange {
 public:
  explicit ProfileRange(const std::string& name);
  ~ProfileRange();
  ProfileRange(const ProfileRange&) = delete;
  ProfileRange& operator=(const ProfileRange&) = delete;
};

// The range that `nsys --capture-range=cudaProfilerApi` and `ncu --profile-from-start off` record.
class ProfilerCapture {
 public:
  ProfilerCapture();
  ~ProfilerCapture();
  ProfilerCapture(const ProfilerCapture&) = delete;
  ProfilerCapture& operator=(const ProfilerCapture&) = delete;
};

}  // namespace alsbench
