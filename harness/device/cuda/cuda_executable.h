// SPDX-License-Identifier: Apache-2.0
// The two kinds of executable of a CudaDevice: our own kernels by plan, and vendor libraries.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "harness/device/cuda/cuda_device.h"

namespace alsbench {

class KernelExecutable : public Executable {
 public:
  KernelExecutable(CudaDevice& device, Stage stage, KernelPlan plan);
  void launch(const StageParams& params) override;
  const std::vector<KernelReport>& kernels() const override { return reports_; }
  std::vector<double> kernel_seconds(const StageParams& params) override;

 private:
  void launch(const StageParams& params, const std::function<void()>& after_each);

  CudaDevice& device_;
  decltype(StageInfo::complete) complete_;
  KernelPlan plan_;
  std::vector<StoredKernel> kernels_;  // one a launch of the plan
  std::vector<KernelReport> reports_;
  Buffer workspace_;
};

class VendorExecutable : public Executable {
 public:
  VendorExecutable(CudaDevice& device, const Variant& variant, Config config, Shape shape);
  void launch(const StageParams& params) override;
  const std::vector<KernelReport>& kernels() const override { return reports_; }

 private:
  const CudaDevice& device_;
  const Variant& variant_;
  Config config_;
  Shape shape_;
  RunContext context_;
  std::map<int, Buffer> scratch_;  // by slot
  std::vector<KernelReport> reports_;
};

}  // namespace alsbench
