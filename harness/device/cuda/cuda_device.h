// SPDX-License-Identifier: Apache-2.0
// CudaDevice: one GPU behind the Device interface, on a stream of its own. Used from the thread
// that opened it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "harness/device/cuda/copy_lane.h"
#include "harness/device/cuda/cupti_session.h"
#include "harness/device/cuda/handles.h"
#include "harness/device/cuda/kernel_store.h"
#include "harness/device/device.h"
#include "harness/device/gpu_contention.h"
#include "harness/device/nvml.h"
#include "kernels/shared/params/tools.h"

namespace alsbench {

class CudaDevice : public Device {
 public:
  explicit CudaDevice(int ordinal);

  const DeviceTraits& traits() const override { return traits_; }
  void use() override { CUDA_CHECK(cudaSetDevice(ordinal_)); }
  Buffer allocate(int64_t bytes) override;
  void upload(void* target, const void* source, int64_t bytes) override;
  void upload_async(void* target, const void* source, int64_t bytes, const Event* after) override;
  void download(void* target, const void* source, int64_t bytes) override;
  void copy(void* target, const void* source, int64_t bytes) override;
  void fill(void* target, int byte, int64_t bytes) override;
  void synchronize() override;
  void settle() override;
  std::unique_ptr<RecordedWork> record(const std::function<void()>& work) override;
  std::unique_ptr<Executable> prepare(const Variant& variant, const Config& config,
                                      const Shape& shape) override;
  std::unique_ptr<Event> make_event() override;
  Timing time(const std::function<void()>& work) override;
  Counted count(const std::function<void()>& prepare, const std::function<void()>& work) override;
  void flush_cache() override;
  int64_t set_aside_bytes() const override;
  Digest digest(const Region& region) override;
  void mirror(const ItemAxis& axis, int64_t about) override;
  DeviceState state() const override;
  EnergyMeter energy_meter() const override;
  void convert(void* target, Scalar type, const void* source, int64_t count,
               uint32_t* overflows) override;
  void add_up(int64_t* total, const int32_t* values, int64_t count) override;
  void widen(void* target, const void* halves, int64_t count) override;
  void find_largest(void* copy, const FactorsView& source) override;
  void quantize(Scalar type, const QuantizeParams& params) override;
  void carry_scales(const CarryScalesParams& params) override;
  void share_largest(const ShareLargestParams& params) override;

  int ordinal() const { return ordinal_; }
  cudaStream_t stream() const { return stream_->get(); }
  KernelStore& kernels() { return kernels_; }
  const VendorHandles& vendor();  // created by the first vendor variant
  bool recording() const { return recording_; }
  // Ends a recording, by an exception that record() catches, for what it cannot hold.
  void refuse_recording() const;

 private:
  void release(void* data) noexcept override;
  int64_t unused_bytes() const override;
  const LoadedKernel& tool(std::optional<LoadedKernel>& slot, const char* source,
                           const std::string& instance);
  int64_t convert_grid(int64_t count) const;
  void probe_clock(ClockSpan* spans);
  // Of the sample, as its probes have it, of each multiprocessor; zero where that is not known.
  ClockSpan clock_span();
  CopyLane& lane();

  int ordinal_;
  DeviceTraits traits_;
  int64_t persisting_at_start_ = 0;  // bytes of the L2
  std::unique_ptr<NvmlDevice> nvml_;
  std::unique_ptr<GpuContention> contention_;
  // made in the constructor's body, once the device is current
  std::unique_ptr<CudaStream> stream_;
  std::unique_ptr<CudaEvent> start_, stop_;
  std::unique_ptr<CopyLane> lane_;  // made when it is first asked for
  std::unique_ptr<VendorHandles> vendor_;
  std::unique_ptr<MetricCollector> metrics_;  // made by the first count
  KernelStore kernels_;
  std::optional<LoadedKernel> probe_, read_words_;
  std::map<Scalar, std::optional<LoadedKernel>> convert_;
  std::optional<LoadedKernel> widen_, add_up_, find_largest_, carry_scales_, share_largest_,
      digest_;
  std::map<int64_t, std::optional<LoadedKernel>> mirror_;  // by the bytes of its unit
  // By type, whether there are weights, and whether other devices get the rows.
  std::map<std::tuple<Scalar, bool, bool>, std::optional<LoadedKernel>> quantize_;
  Buffer clock_marks_, clock_spans_;    // of the clock probe
  uint64_t clock_sample_ = 0;           // the number of the current one
  Buffer digested_;                     // by digest()
  Buffer written_, read_, sums_;        // by flush_cache()
  std::unique_ptr<PinnedBytes> small_;  // that small downloads pass through
  bool recording_ = false;
};

}  // namespace alsbench
