// SPDX-License-Identifier: Apache-2.0
// The kernel that draws rows of synthetic sets (kernels/cuda/generate), ready to launch.
#include <fmt/format.h>

#include <memory>

#include "base/error.h"
#include "harness/device/cuda/cuda_device.h"
#include "harness/device/cuda_backend.h"

namespace alsbench {
namespace {

constexpr int kThreads = 128;
constexpr int64_t kStaticSharedBytes = kThreads * sizeof(int32_t) + 1024;  // the system's 1 KiB

}  // namespace

DrawRowsKernel load_draw_rows(Device& device, int64_t cols) {
  const DeviceTraits& traits = device.traits();
  const int64_t bitmap_bytes = (cols + 31) / 32 * static_cast<int64_t>(sizeof(uint32_t));
  if (bitmap_bytes + kStaticSharedBytes > traits.shared_bytes_per_block)
    throw LaunchRefusedError(fmt::format(
        "rows of {} items need {} bytes of shared memory, {} has {} a block; draw them on the CPU",
        cols, bitmap_bytes + kStaticSharedBytes, traits.name, traits.shared_bytes_per_block));
  auto& cuda = dynamic_cast<CudaDevice&>(device);
  const CompiledKernel compiled =
      compile_kernel({"kernels/cuda/generate/draw_rows.cuh",
                      fmt::format("alsbench::draw_rows<{}>", kThreads), traits.architecture});
  auto kernel =
      std::make_shared<const LoadedKernel>(compiled.cubin, compiled.lowered_name, bitmap_bytes);
  return [&cuda, kernel](const DrawRowsParams& params, int64_t rows) {
    kernel->launch(rows, kThreads, params, cuda.stream());
  };
}

}  // namespace alsbench
