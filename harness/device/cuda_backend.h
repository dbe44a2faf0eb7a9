// SPDX-License-Identifier: Apache-2.0
// Interface of the CUDA backend, free of CUDA headers. Defined in harness/device/cuda, and in
// no_cuda.cpp where no toolkit was found at build time.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/device/compile_requests.h"
#include "harness/device/device.h"
#include "harness/device/exchange.h"
#include "harness/device/mpi/mpi_calls.h"
#include "harness/record/device_record.h"
#include "kernels/shared/params/tools.h"
#include "variants/core/kernel_plan.h"

namespace alsbench {

// Message of open_cuda_device, cuda_device_traits and the compiler in a CPU-only build.
inline constexpr std::string_view kBuiltWithoutCuda =
    "this alsbench was built without CUDA; install the CUDA toolkit 12.8 or newer, then configure "
    "and build again with -DALSBENCH_CUDA=ON";

std::unique_ptr<Device> open_cuda_device(int ordinal);
// Of CUDA devices, through NCCL, which is loaded when it is first asked for; NVLink multicast stays
// off unless the environment's NCCL_NVLS_ENABLE says otherwise. Throws EnvironmentError where NCCL
// is missing or cannot connect them.
std::unique_ptr<Exchange> open_gpu_exchange(const std::vector<Device*>& devices);
// Of a CUDA device and those of the other processes that MPI started, through NCCL and MPI. Throws
// likewise, UsageError where the devices differ.
std::unique_ptr<Exchange> open_gpu_process_exchange(Device& device, const MpiCalls& calls,
                                                    const std::atomic<bool>& stop_requested);
// "0000:18:00.0", by which NvmlDevice knows it. Creates no context.
std::string cuda_pci_bus_id(int ordinal);

// Draws rows of synthetic sets on a device that open_cuda_device gave: enqueues one block a row.
using DrawRowsKernel = std::function<void(const DrawRowsParams& params, int64_t rows)>;
// For sets of `cols` items; throws LaunchRefusedError where a row of them does not fit the device's
// shared memory. `device` must outlive the kernel.
DrawRowsKernel load_draw_rows(Device& device, int64_t cols);

// The kernels that a device runs in addition to those of variants: the clock's probe, and the
// conversions of factors to types that trainings store.
std::vector<CompileRequest> device_kernels(int architecture);

struct CompiledKernel {
  std::string cubin;
  std::string lowered_name;
  int registers = 0;
  int64_t spill_store_bytes = 0;
  int64_t spill_load_bytes = 0;
  int64_t stack_bytes = 0;
  int64_t static_shared_bytes = 0;
  std::string code_hash;       // FNV-1a-128 of the cubin's executable sections
  double compile_seconds = 0;  // 0 when it came from the cache
  bool from_cache = false;
};

// A kernel, or the compiler's complaint.
struct CompileResult {
  CompiledKernel kernel;
  std::string error;  // empty: compiled
};

// A source that the program has besides its own: it is found by `path`, and by what includes it.
struct SourceFile {
  std::string path, content;
};
// Before any kernel is compiled.
void add_kernel_sources(std::vector<SourceFile> sources);

// Throws UsageError naming the architectures that this machine's NVRTC compiles for, when
// `architecture` is not among them.
void check_compilable(int architecture);

// Needs no GPU and no driver. Throws CompileError with the compiler's log.
CompiledKernel compile_kernel(const CompileRequest& request);
// The kernel from the disk cache. Throws CompileError where there is no such source.
std::optional<CompiledKernel> find_compiled(const CompileRequest& request);

// The same for many, equal requests once, on `jobs` threads (0: all hardware threads); results in
// the order of the requests. `progress` is called with the number done, from one thread at a time.
// Once `stop` is set no other is begun; what was not has an error that says so.
std::vector<CompileResult> compile_all(const std::vector<CompileRequest>& requests, int jobs = 0,
                                       const std::function<void(size_t)>& progress = {},
                                       const std::atomic<bool>* stop = nullptr);

// Kernels that were compiled when the program was built and travel with it in one file, so the
// first training on a machine compiles nothing. One of other sources is never used.
struct KernelPackInfo {
  std::string path;
  std::string nvrtc;  // that compiled them
  std::vector<int32_t> architectures, ranks;
  int64_t kernels = 0, bytes = 0;  // bytes: of the file
};
// The pack beside this program. Nothing where it has none, or a damaged one.
std::optional<KernelPackInfo> kernel_pack();
// Its name, by the CUDA version that this program was built with: "alsbench-kernels-cuda13.zip".
std::string kernel_pack_name();
// Writes `info.path` with what compile_all() made of the requests. Throws EnvironmentError where it
// cannot be written.
void write_kernel_pack(const KernelPackInfo& info, const std::vector<CompileRequest>& requests,
                       const std::vector<CompileResult>& results);

// Hash of each kernel's input: its sources with all that they include, its template instance, the
// options and the compiler's version. Empty where there is no such source. Compiles none of them.
std::vector<std::string> source_hashes(const std::vector<CompileRequest>& requests);

// Joins what the compiler said with what the launch and the architecture make of it (occupancy).
KernelReport report_of(const CompiledKernel& kernel, const KernelLaunch& launch,
                       const DeviceTraits& traits);

// Versions of the CUDA parts in use; empty where a part is absent.
CudaVersions cuda_versions();
// Of cuBLAS that this program was built with. Nothing is opened for it. Empty: without CUDA.
std::string built_cublas_version();
// The run-time compiler's release with its build, "13.0.88": code differs between builds of one
// version. Part of the key of compiled kernels and of static baselines. Throws EnvironmentError in
// a CPU-only build.
std::string nvrtc_release();

}  // namespace alsbench
