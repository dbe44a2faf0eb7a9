// SPDX-License-Identifier: Apache-2.0
// The CUDA backend of a CPU-only build: every question has one answer.
#if !ALSBENCH_WITH_CUDA

#include "base/error.h"
#include "harness/device/cuda_backend.h"

namespace alsbench {
namespace {

[[noreturn]] void refuse() { throw EnvironmentError(std::string(kBuiltWithoutCuda)); }

}  // namespace

bool cuda_built() { return false; }
bool has_cuda_driver() { return false; }

int cuda_device_count(std::string* reason) {
  if (reason != nullptr) *reason = kBuiltWithoutCuda;
  return 0;
}

DeviceTraits cuda_device_traits(int) { refuse(); }
std::unique_ptr<Device> open_cuda_device(int) { refuse(); }
std::unique_ptr<Exchange> open_gpu_exchange(const std::vector<Device*>&) { refuse(); }
std::unique_ptr<Exchange> open_gpu_process_exchange(Device&, const MpiCalls&,
                                                    const std::atomic<bool>&) {
  refuse();
}
std::string cuda_pci_bus_id(int) { refuse(); }
DrawRowsKernel load_draw_rows(Device&, int64_t) { refuse(); }
std::vector<CompileRequest> device_kernels(int) { refuse(); }
void add_kernel_sources(std::vector<SourceFile>) {}

void check_compilable(int) { refuse(); }
CompiledKernel compile_kernel(const CompileRequest&) { refuse(); }
std::optional<CompiledKernel> find_compiled(const CompileRequest&) { refuse(); }
std::vector<CompileResult> compile_all(const std::vector<CompileRequest>&, int,
                                       const std::function<void(size_t)>&,
                                       const std::atomic<bool>*) {
  refuse();
}
std::optional<KernelPackInfo> kernel_pack() { return std::nullopt; }
std::string kernel_pack_name() { return ""; }
void write_kernel_pack(const KernelPackInfo&, const std::vector<CompileRequest>&,
                       const std::vector<CompileResult>&) {
  refuse();
}
std::vector<std::string> source_hashes(const std::vector<CompileRequest>&) { refuse(); }
KernelReport report_of(const CompiledKernel&, const KernelLaunch&, const DeviceTraits&) {
  refuse();
}
CudaVersions cuda_versions() { return {}; }

std::string built_cublas_version() { return ""; }
std::string nvrtc_release() { refuse(); }

}  // namespace alsbench

#endif
