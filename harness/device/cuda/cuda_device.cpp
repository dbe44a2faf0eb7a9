// SPDX-License-Identifier: Apache-2.0
#include "harness/device/cuda/cuda_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>

#include "base/clock.h"
#include "base/error.h"
#include "harness/device/counters_unavailable.h"
#include "harness/device/cuda/cuda_executable.h"
#include "harness/device/cuda/gpu_counters.h"
#include "harness/device/cuda_backend.h"
#include "harness/device/energy_meter.h"
#include "harness/device/fences.h"
#include "kernels/shared/params/ceiling.h"
#include "kernels/shared/params/tools.h"

namespace alsbench {
namespace {

constexpr uint64_t kProbeNanoseconds = 20'000;
constexpr const char* kProbe = "kernels/cuda/device/clock_probe.cuh";
constexpr const char* kProbeInstance = "alsbench::clock_probe";
constexpr const char* kConvert = "kernels/cuda/device/convert.cuh";
constexpr int kConvertThreads = 256;
constexpr const char* kAddUp = "kernels/cuda/device/add_up.cuh";
constexpr const char* kAddUpInstance = "alsbench::add_up<256>";
constexpr const char* kQuantize = "kernels/cuda/device/quantize.cuh";
constexpr const char* kFindLargestInstance = "alsbench::find_largest<256>";
constexpr const char* kCarryScalesInstance = "alsbench::carry_scales<256>";
constexpr const char* kShareLargestInstance = "alsbench::share_largest<256>";
constexpr int kQuantizeThreads = 256;
constexpr const char* kGuard = "kernels/cuda/device/guard.cuh";
constexpr int kGuardThreads = 256;
constexpr const char* kDigestInstance = "alsbench::digest_words<256>";
constexpr const char* kRead = "kernels/cuda/ceiling/read.cuh";
constexpr const char* kReadInstance = "alsbench::read_words<256>";

std::string convert_instance(Scalar type) {
  return fmt::format("alsbench::convert_floats<{}>", element_type(type));
}

std::string quantize_instance(Scalar type, bool weighted, bool elsewhere = false) {
  return fmt::format("alsbench::quantize_factors<256, {}, {}, {}>", weighted, element_type(type),
                     elsewhere);
}

std::string mirror_instance(int64_t unit) {
  return fmt::format("alsbench::mirror_items<{}, uint{}_t>", kGuardThreads, 8 * unit);
}

// Bytes of the current device's L2 that may persist; some allow a part of it from the start.
int64_t persisting_cache_bytes() {
  size_t bytes = 0;
  if (cudaDeviceGetLimit(&bytes, cudaLimitPersistingL2CacheSize) == cudaSuccess)
    return static_cast<int64_t>(bytes);
  cudaGetLastError();
  return 0;
}

int64_t guard_grid(const DeviceTraits& traits, int64_t items) {
  const int64_t blocks = (items + kGuardThreads - 1) / kGuardThreads;
  return std::clamp<int64_t>(blocks, 1, int64_t{16} * traits.multiprocessors);
}

class StreamEvent : public Event {
 public:
  explicit StreamEvent(const CudaDevice& device) : device_(device) {}
  cudaEvent_t get() const { return event_.get(); }
  void record() override {
    // of a recording: a moment of each launch, not an order between its kernels
    CUDA_CHECK(cudaEventRecordWithFlags(
        event_.get(), device_.stream(),
        device_.recording() ? cudaEventRecordExternal : cudaEventRecordDefault));
  }
  double seconds_since(const Event& earlier) const override {
    const auto& event = static_cast<const StreamEvent&>(earlier);
    CUDA_CHECK(cudaEventSynchronize(event_.get()));
    float milliseconds = 0;
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, event.event_.get(), event_.get()));
    return milliseconds * 1e-3;
  }

 private:
  const CudaDevice& device_;
  CudaEvent event_;
};

class RecordedGraph : public RecordedWork {
 public:
  RecordedGraph(const CudaDevice& device, cudaGraph_t captured)
      : device_(device), graph_(captured) {}
  void launch() override { CUDA_CHECK(cudaGraphLaunch(graph_.get(), device_.stream())); }

 private:
  const CudaDevice& device_;
  CudaGraph graph_;
};

struct NotRecordable : std::exception {};

// How far the event's clock may be off the others: a share, and what launching a probe takes.
constexpr double kClockShare = 0.05, kClockSeconds = 5e-4;

constexpr int64_t kMaxSmallBytes = int64_t{64} << 10;
constexpr int64_t kMinBytesForLane = int64_t{256} << 20;  // bytes: pinning buffers takes 0.1 s

}  // namespace

CudaDevice::CudaDevice(int ordinal) : ordinal_(ordinal), traits_(cuda_device_traits(ordinal)) {
  nvml_ = std::make_unique<NvmlDevice>(cuda_pci_bus_id(ordinal));
  contention_ = std::make_unique<GpuContention>(*nvml_);
  use();
  persisting_at_start_ = persisting_cache_bytes();
  stream_ = std::make_unique<CudaStream>();
  start_ = std::make_unique<CudaEvent>();
  stop_ = std::make_unique<CudaEvent>();
  clock_marks_ = allocate(kClockMarks * int64_t{sizeof(ClockMark)});
  clock_spans_ = allocate(traits_.multiprocessors * int64_t{sizeof(ClockSpan)});
  fill(clock_marks_.data(), 0, clock_marks_.bytes());
  contention_->opened();
}

Buffer CudaDevice::allocate(int64_t bytes) {
  if (bytes == 0) return {};
  refuse_recording();
  void* data = nullptr;
  const bool fits = bytes <= limit_bytes() - allocated_bytes();
  const int64_t fenced = kFenceBytes + bytes + bytes_of_fence_behind(kFenceBytes);
  const cudaError_t status = fits ? cudaMalloc(&data, fenced) : cudaErrorMemoryAllocation;
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw OutOfMemoryError(
        fmt::format("out of device memory: {} bytes asked for, {} free", bytes, free_bytes()));
  }
  check(status, "cudaMalloc", __FILE__, __LINE__);
  return Buffer(this, static_cast<char*>(data) + kFenceBytes, bytes);
}

void CudaDevice::release(void* data) noexcept { cudaFree(static_cast<char*>(data) - kFenceBytes); }

CopyLane& CudaDevice::lane() {
  if (!lane_) lane_ = std::make_unique<CopyLane>(stream());
  return *lane_;
}

void CudaDevice::upload(void* target, const void* source, int64_t bytes) {
  if (bytes >= kMinBytesForLane) {
    synchronize();  // what was enqueued may use the target
    lane().upload(target, source, bytes, nullptr);
  } else {
    CUDA_CHECK(cudaMemcpyAsync(target, source, bytes, cudaMemcpyHostToDevice, stream()));
  }
  synchronize();
}

void CudaDevice::upload_async(void* target, const void* source, int64_t bytes, const Event* after) {
  refuse_recording();
  lane().upload(target, source, bytes,
                after != nullptr ? static_cast<const StreamEvent*>(after)->get() : nullptr);
}

void CudaDevice::download(void* target, const void* source, int64_t bytes) {
  refuse_recording();
  if (bytes >= kMinBytesForLane) return lane().download(target, source, bytes);
  if (bytes <= kMaxSmallBytes) {
    if (!small_) small_ = std::make_unique<PinnedBytes>(kMaxSmallBytes);
    CUDA_CHECK(cudaMemcpyAsync(small_->data(), source, bytes, cudaMemcpyDeviceToHost, stream()));
    synchronize();
    if (bytes > 0) std::memcpy(target, small_->data(), bytes);
    return;
  }
  CUDA_CHECK(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToHost, stream()));
  synchronize();
}

void CudaDevice::copy(void* target, const void* source, int64_t bytes) {
  CUDA_CHECK(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice, stream()));
}

void CudaDevice::fill(void* target, int byte, int64_t bytes) {
  CUDA_CHECK(cudaMemsetAsync(target, byte, bytes, stream()));
}

void CudaDevice::synchronize() {
  refuse_recording();
  CUDA_CHECK(cudaStreamSynchronize(stream()));
}

void CudaDevice::settle() {
  refuse_recording();
  CUDA_CHECK(cudaDeviceSynchronize());
}

void CudaDevice::refuse_recording() const {
  if (recording_) throw NotRecordable();
}

std::unique_ptr<RecordedWork> CudaDevice::record(const std::function<void()>& work) {
  cudaGraph_t graph = nullptr;
  bool whole = true;
  CUDA_CHECK(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal));
  recording_ = true;
  const auto end = [&] {
    recording_ = false;
    return cudaStreamEndCapture(stream(), &graph);
  };
  try {
    work();
  } catch (const NotRecordable&) {
    whole = false;
  } catch (...) {
    if (end() == cudaSuccess) cudaGraphDestroy(graph);
    throw;
  }
  CUDA_CHECK(end());
  if (whole) return std::make_unique<RecordedGraph>(*this, graph);
  CUDA_CHECK(cudaGraphDestroy(graph));
  return nullptr;
}

int64_t CudaDevice::unused_bytes() const {
  size_t free = 0, total = 0;
  CUDA_CHECK(cudaMemGetInfo(&free, &total));
  return static_cast<int64_t>(free);
}

std::unique_ptr<Executable> CudaDevice::prepare(const Variant& variant, const Config& config,
                                                const Shape& shape) {
  if (const auto objection = objection_of(variant, config, shape, traits_))
    throw ObjectionError(variant.id() + " " + config.text() + ": " + *objection);
  if (!variant.plan) return std::make_unique<VendorExecutable>(*this, variant, config, shape);
  return std::make_unique<KernelExecutable>(*this, variant.stage,
                                            variant.plan(config, shape, traits_));
}

const VendorHandles& CudaDevice::vendor() {
  if (!vendor_) vendor_ = std::make_unique<VendorHandles>(stream());
  return *vendor_;
}

const LoadedKernel& CudaDevice::tool(std::optional<LoadedKernel>& slot, const char* source,
                                     const std::string& instance) {
  if (!slot) {
    const CompiledKernel kernel = compile_kernel({source, instance, traits_.architecture});
    slot.emplace(kernel.cubin, kernel.lowered_name, 0);
  }
  return *slot;
}

void CudaDevice::probe_clock(ClockSpan* spans) {
  tool(probe_, kProbe, kProbeInstance)
      .launch(
          traits_.multiprocessors, 32,
          ClockProbeParams{clock_marks_.as<ClockMark>(), spans, clock_sample_, kProbeNanoseconds},
          stream());
}

ClockSpan CudaDevice::clock_span() {
  std::vector<ClockSpan> spans(static_cast<size_t>(traits_.multiprocessors));
  download(spans.data(), clock_spans_.data(), clock_spans_.bytes());
  ClockSpan sum{0, 0};
  uint64_t known = 0;
  for (const ClockSpan& span : spans) {
    if (span.nanoseconds == 0) continue;
    sum.cycles += span.cycles;
    sum.nanoseconds += span.nanoseconds;
    ++known;
  }
  return known > 0 ? ClockSpan{sum.cycles / known, sum.nanoseconds / known} : sum;
}

std::unique_ptr<Event> CudaDevice::make_event() { return std::make_unique<StreamEvent>(*this); }

// The stream holds: probe, start, work, stop, probe. The first probe keeps the device busy while
// the host enqueues, so the latency of the launches is not timed.
Timing CudaDevice::time(const std::function<void()>& work) {
  const SlowdownWatch watch(*nvml_);
  ++clock_sample_;
  probe_clock(nullptr);
  CUDA_CHECK(cudaEventRecord(start_->get(), stream()));
  const auto begin = Clock::now();
  work();
  CUDA_CHECK(cudaEventRecord(stop_->get(), stream()));
  probe_clock(clock_spans_.as<ClockSpan>());
  CUDA_CHECK(cudaEventSynchronize(stop_->get()));
  const double host = seconds_since(begin);
  synchronize();
  const auto done = Clock::now();
  settle();
  const double left = seconds_since(done);
  float milliseconds = 0;
  CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start_->get(), stop_->get()));
  const double seconds = milliseconds * 1e-3;
  const ClockSpan span = clock_span();
  const auto nanoseconds = static_cast<double>(span.nanoseconds);
  const double hz = span.nanoseconds > 0 ? static_cast<double>(span.cycles) / nanoseconds * 1e9 : 0;
  Timing timing{seconds, host, hz, watch.slowed(seconds)};
  timing.left_seconds = left;
  timing.least_seconds = (1 - kClockShare) * nanoseconds * 1e-9 - kClockSeconds;
  timing.most_seconds = (1 + kClockShare) * host + kClockSeconds;
  return timing;
}

Counted CudaDevice::count(const std::function<void()>& prepare, const std::function<void()>& work) {
  constexpr size_t kFewKernels = 16, kMaxKernels = 1024;
  if (!metrics_) metrics_ = std::make_unique<MetricCollector>(ordinal_, counter_metrics());
  CollectedMetrics values;
  for (const size_t room : {kFewKernels, kMaxKernels}) {
    values = metrics_->collect(room, prepare, work, [this] { synchronize(); });
    if (values.left_out == 0) break;
  }
  if (values.left_out > 0)
    throw CountersUnavailable(CountersFailureKind::failed,
                              fmt::format("more than {} kernels in one execution", kMaxKernels),
                              "count a smaller case: --filter, --scale");
  Counted counted{{}, values.executions};
  for (const std::vector<double>& kernel : values.kernels)
    counted.kernels.push_back(counters_of(kernel));
  return counted;
}

void CudaDevice::flush_cache() {
  constexpr int kThreads = 256;
  const int64_t blocks = int64_t{8} * traits_.multiprocessors;
  if (!written_) {
    written_ = allocate(2 * traits_.l2_bytes);
    read_ = allocate(2 * traits_.l2_bytes);
    sums_ = allocate(blocks * kThreads / 32 * int64_t{4});
    fill(read_.data(), 0x5a, read_.bytes());
  }
  // Refused where no cache can be set aside: then nothing persists.
  if (cudaCtxResetPersistingL2Cache() != cudaSuccess) cudaGetLastError();
  fill(written_.data(), 0x5a, written_.bytes());
  tool(read_words_, kRead, kReadInstance)
      .launch(blocks, kThreads,
              ReadParams{read_.data(), read_.bytes(), sums_.as<uint32_t>(), sums_.bytes() / 4, 1},
              stream());
}

int64_t CudaDevice::set_aside_bytes() const {
  return std::max<int64_t>(0, persisting_cache_bytes() - persisting_at_start_);
}

Digest CudaDevice::digest(const Region& region) {
  if (!digested_) digested_ = allocate(sizeof(Digest));
  fill(digested_.data(), 0, digested_.bytes());
  tool(digest_, kGuard, kDigestInstance)
      .launch(guard_grid(traits_, region.words()), kGuardThreads,
              DigestParams{region, digested_.as<Digest>()}, stream());
  Digest digest;
  download(&digest, digested_.data(), digested_.bytes());
  return digest;
}

void CudaDevice::mirror(const ItemAxis& axis, int64_t about) {
  const auto fits = [&](int64_t unit) {
    return axis.item_bytes % unit == 0 && axis.pitch_bytes % unit == 0 &&
           reinterpret_cast<uintptr_t>(axis.data) % static_cast<uintptr_t>(unit) == 0;
  };
  const int64_t unit = fits(4) ? 4 : fits(2) ? 2 : 1;
  tool(mirror_[unit], kGuard, mirror_instance(unit))
      .launch(guard_grid(traits_, axis.outer * axis.count * (axis.item_bytes / unit)),
              kGuardThreads, MirrorParams{axis, about}, stream());
}

DeviceState CudaDevice::state() const {
  DeviceState state = nvml_->state();
  state.others = contention_->busy();
  state.others_unknown = contention_->unknown();
  return state;
}

EnergyMeter CudaDevice::energy_meter() const {
  return EnergyMeter::of_gpu(cuda_pci_bus_id(ordinal_));
}

int64_t CudaDevice::convert_grid(int64_t count) const {
  const int64_t maximum = int64_t{32} * traits_.multiprocessors;
  return std::min<int64_t>(maximum, (count + kConvertThreads - 1) / kConvertThreads);
}

void CudaDevice::convert(void* target, Scalar type, const void* source, int64_t count,
                         uint32_t* overflows) {
  tool(convert_[type], kConvert, convert_instance(type))
      .launch(convert_grid(count), kConvertThreads,
              ConvertParams{target, static_cast<const float*>(source), count, overflows}, stream());
}

void CudaDevice::widen(void* target, const void* halves, int64_t count) {
  tool(widen_, kConvert, "alsbench::widen_elements<alsbench::Half>")
      .launch(convert_grid(count), kConvertThreads,
              WidenParams{static_cast<float*>(target), halves, count}, stream());
}

void CudaDevice::add_up(int64_t* total, const int32_t* values, int64_t count) {
  tool(add_up_, kAddUp, kAddUpInstance)
      .launch(convert_grid(count), kConvertThreads, AddUpParams{total, values, count}, stream());
}

void CudaDevice::find_largest(void* copy, const FactorsView& source) {
  tool(find_largest_, kQuantize, kFindLargestInstance)
      .launch(int64_t{8} * traits_.multiprocessors, kQuantizeThreads, QuantizeParams{copy, source},
              stream());
}

void CudaDevice::quantize(Scalar type, const QuantizeParams& params) {
  const bool weighted = has_weights(params.weights);
  const bool elsewhere = params.elsewhere.count > 0;
  tool(quantize_[{type, weighted, elsewhere}], kQuantize,
       quantize_instance(type, weighted, elsewhere))
      .launch(int64_t{8} * traits_.multiprocessors, kQuantizeThreads, params, stream());
}

void CudaDevice::carry_scales(const CarryScalesParams& params) {
  tool(carry_scales_, kQuantize, kCarryScalesInstance)
      .launch(1, kQuantizeThreads, params, stream());
}

void CudaDevice::share_largest(const ShareLargestParams& params) {
  tool(share_largest_, kQuantize, kShareLargestInstance)
      .launch(1, kQuantizeThreads, params, stream());
}

std::vector<CompileRequest> device_kernels(int architecture) {
  return {{kProbe, kProbeInstance, architecture},
          {kRead, kReadInstance, architecture},
          {kGuard, kDigestInstance, architecture},
          {kGuard, mirror_instance(4), architecture},
          {kGuard, mirror_instance(2), architecture},
          {kConvert, convert_instance(Scalar::fp16), architecture},
          {kAddUp, kAddUpInstance, architecture},
          {kQuantize, kFindLargestInstance, architecture},
          {kQuantize, kCarryScalesInstance, architecture},
          {kQuantize, kShareLargestInstance, architecture},
          {kQuantize, quantize_instance(Scalar::int8, false, true), architecture},
          {kQuantize, quantize_instance(Scalar::int8, false), architecture}};
}

}  // namespace alsbench
