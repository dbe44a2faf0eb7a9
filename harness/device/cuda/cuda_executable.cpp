// SPDX-License-Identifier: Apache-2.0
#include "harness/device/cuda/cuda_executable.h"

#include <utility>

#include "harness/device/cuda_backend.h"
#include "variants/core/kernel_arguments.h"

namespace alsbench {

KernelExecutable::KernelExecutable(CudaDevice& device, Stage stage, KernelPlan plan)
    : device_(device), complete_(stage->complete), plan_(std::move(plan)) {
  const DeviceTraits& traits = device.traits();
  kernels_ = device.kernels().kernels_of(plan_, traits.architecture);
  for (size_t i = 0; i < kernels_.size(); ++i)
    reports_.push_back(report_of(kernels_[i].compiled, plan_.launches[i], traits));
  workspace_ = device.allocate(plan_.workspace_bytes);
}

void KernelExecutable::launch(const StageParams& params) {
  launch(params, [] {});
}

void KernelExecutable::launch(const StageParams& stage_params,
                              const std::function<void()>& after_each) {
  StageParams params = stage_params;
  if (complete_ != nullptr) complete_(params, plan_, workspace_.data());
  auto arguments = argument_pointers(params);
  for (size_t i = 0; i < kernels_.size(); ++i) {
    const KernelLaunch& launch = plan_.launches[i];
    if (launch.clear_workspace_bytes > 0)
      device_.fill(workspace_.data(), 0, launch.clear_workspace_bytes);
    kernels_[i].loaded->launch(launch, arguments.data(), device_.stream());
    after_each();
  }
}

std::vector<double> KernelExecutable::kernel_seconds(const StageParams& params) {
  const std::vector<CudaEvent> events(kernels_.size() + 1);
  auto event = events.begin();
  const auto record = [&] { CUDA_CHECK(cudaEventRecord((event++)->get(), device_.stream())); };
  device_.time([&] {
    record();
    launch(params, record);
  });
  std::vector<double> seconds;
  for (size_t i = 0; i < kernels_.size(); ++i) {
    float milliseconds = 0;
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, events[i].get(), events[i + 1].get()));
    seconds.push_back(milliseconds * 1e-3);
  }
  return seconds;
}

VendorExecutable::VendorExecutable(CudaDevice& device, const Variant& variant, Config config,
                                   Shape shape)
    : device_(device), variant_(variant), config_(std::move(config)), shape_(std::move(shape)) {
  const VendorHandles& handles = device.vendor();
  context_.stream = device.stream();
  context_.cublas = handles.cublas();
  context_.cusolver = handles.cusolver();
  context_.cusparse = handles.cusparse();
  context_.scratch = [this, &device](int slot, int64_t bytes) {
    Buffer& buffer = scratch_[slot];
    if (buffer.bytes() < bytes) {
      buffer.reset();  // before the larger one, so both never exist at once
      buffer = device.allocate(bytes);
    }
    return buffer.data();
  };
}

void VendorExecutable::launch(const StageParams& params) {
  device_.refuse_recording();  // what a library does on the host would be done once
  variant_.run(config_, shape_, params, context_);
}

}  // namespace alsbench
