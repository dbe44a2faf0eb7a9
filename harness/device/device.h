// SPDX-License-Identifier: Apache-2.0
// Device: memory, execution and timing of one backend behind one interface, so there is one
// trainer, one verifier and one sampler. CpuDevice and CudaDevice implement it; open_device()
// picks.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/record/counters.h"
#include "harness/record/kernel_report.h"
#include "harness/record/measurement_record.h"
#include "kernels/shared/params/tools.h"
#include "kernels/shared/regions.h"
#include "variants/core/device_traits.h"
#include "variants/core/variant.h"

namespace alsbench {

class Device;
class EnergyMeter;

// A CUDA call failed in a way that no other exception stands for; the context may be lost, so the
// process should end. The message quotes the call, the error's name and text, and the place.
class CudaError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Owned device memory (RAII); 256-byte aligned; contents undefined. Moves, never copies. It lies
// between two fences: strips of known bytes, which tell whether something wrote beyond it.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Device* device, void* data, int64_t bytes);
  ~Buffer() { reset(); }
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void reset();
  void* data() const { return data_; }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  int64_t bytes() const { return bytes_; }
  explicit operator bool() const { return data_ != nullptr; }

 private:
  Device* device_ = nullptr;
  void* data_ = nullptr;
  int64_t bytes_ = 0;
};

// A variant at one configuration and shape, ready to launch on its device.
class Executable {
 public:
  virtual ~Executable() = default;
  // Enqueues the stage (CPU: runs it). Fills in params.workspace. Throws LaunchRefusedError, or
  // CudaError on a sticky error.
  virtual void launch(const StageParams& params) = 0;
  virtual const std::vector<KernelReport>& kernels() const = 0;
  // Launches as launch() does and waits. Seconds of each of kernels(), with the clearing of
  // workspace before it; empty where there are none.
  virtual std::vector<double> kernel_seconds(const StageParams&) { return {}; }
};

// One timed execution.
struct Timing {
  double seconds = 0;       // CUDA: between events on the stream; CPU: steady clock
  double host_seconds = 0;  // steady clock around enqueue and completion
  // CUDA: cycles over globaltimer nanoseconds of the execution, the mean of the multiprocessors; 0
  // on the CPU
  double sm_clock_hz = 0;
  bool throttled = false;  // CUDA: the driver slowed the device down meanwhile
  // Bounds of `seconds` by other clocks: CUDA: globaltimer and the host's clock; CPU:
  // the kernel's raw monotonic one, asked around the other and within it.
  double least_seconds = 0, most_seconds = std::numeric_limits<double>::infinity();
  // CUDA: from the end of the work on the stream to that of all the process has on the device
  double left_seconds = 0;
};

// A write beyond a buffer.
struct Trespass {
  const void* buffer = nullptr;
  int64_t bytes = 0;    // of the buffer
  bool before = false;  // else behind it
};

// State of the device that a sample was taken in, as far as it can be read (NVML by dlopen); NaN
// where it cannot.
struct DeviceState {
  double power_watts = 0;
  double temperature_celsius = 0;
  uint64_t throttle_reasons = 0;
  bool available = false;
  std::vector<DeviceUse> others = {};  // other processes that ran kernels in the last second
  std::string others_unknown = {};     // why there is no telling
};

// Hardware counters of some work.
struct Counted {
  std::vector<Counters> kernels;  // that it launched, in order; of a CPU one for all of it
  int64_t executions = 0;         // that this took
};

// A moment of a device's work, to be recorded as often as wanted.
class Event {
 public:
  virtual ~Event() = default;
  virtual void record() = 0;  // now: after all that was enqueued
  // Between two moments of the same device. Waits for this one.
  virtual double seconds_since(const Event& earlier) const = 0;
};

// Work that was recorded once, to be run as a whole: the host enqueues one thing in place of many.
class RecordedWork {
 public:
  virtual ~RecordedWork() = default;
  virtual void launch() = 0;  // enqueued
};

// Whether a copy as bytes has factor rows times weights, and not as they are.
inline bool has_weights(const Int8Weights& weights) {
  return weights.count > 1 || weights.values[0] != 1;
}

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceTraits& traits() const = 0;
  // Makes the calling thread the one that uses this device; it was the one that opened it.
  virtual void use() {}
  // Throws OutOfMemoryError. bytes == 0 gives an empty buffer.
  virtual Buffer allocate(int64_t bytes) = 0;
  virtual void upload(void* target, const void* source,
                      int64_t bytes) = 0;  // host to device, complete on return
  // Host to device, concurrent with the enqueued work, after `after`, unless it is null; what is
  // enqueued from now on waits for it. Returns when the source has been read.
  virtual void upload_async(void* target, const void* source, int64_t bytes,
                            const Event* after) = 0;
  virtual void download(void* target, const void* source,
                        int64_t bytes) = 0;  // device to host, after all enqueued work
  virtual void copy(void* target, const void* source,
                    int64_t bytes) = 0;                          // device to device, enqueued
  virtual void fill(void* target, int byte, int64_t bytes) = 0;  // enqueued
  virtual void synchronize() = 0;
  // Waits for all that the process has on the device, on whichever stream.
  virtual void settle() { synchronize(); }
  // Whether the host's memory is this device's, and not limited: what the host has needs no copy.
  virtual bool reads_host_memory() const { return false; }
  // The contents of this part of a buffer are not needed any more. Host memory is given back.
  virtual void discard(void*, int64_t) {}
  // Bytes that buffers may take now: what is free, up to the limit.
  int64_t free_bytes() const;
  int64_t allocated_bytes() const { return allocated_bytes_; }  // of the buffers there are now
  // All buffers together may take so many bytes.
  void limit_memory(int64_t bytes) { limit_bytes_ = bytes; }
  int64_t limit_bytes() const { return limit_bytes_; }

  // Records what `work` enqueues, moments of events among it, and runs none of it. Null where this
  // device gains nothing by it, and where `work` waits for the device or calls a vendor's library.
  virtual std::unique_ptr<RecordedWork> record(const std::function<void()>& work) = 0;
  // Compiles (or finds in the cache) and loads. Throws ObjectionError, CompileError.
  virtual std::unique_ptr<Executable> prepare(const Variant& variant, const Config& config,
                                              const Shape& shape) = 0;
  virtual std::unique_ptr<Event> make_event() = 0;
  // Times `work`, which enqueues onto this device, and waits for it.
  virtual Timing time(const std::function<void()>& work) = 0;
  // Counts `work`, which enqueues onto this device: executes it as often as the counters need, each
  // time after `prepare`. These executions are no samples. Throws CountersUnavailable.
  virtual Counted count(const std::function<void()>& prepare,
                        const std::function<void()>& work) = 0;
  // Writes a buffer of twice the last-level cache and reads another one, so the next execution
  // starts cold, and no written line waits to be put back to memory at its cost. What was to
  // persist in the cache no longer does.
  virtual void flush_cache() = 0;
  // Of the last-level cache, what the process has set aside for accesses that persist since it
  // opened the device.
  virtual int64_t set_aside_bytes() const { return 0; }
  // After all enqueued work.
  virtual Digest digest(const Region& region) = 0;
  // Items i and (about - i) modulo their number change places, enqueued. Twice is not at all.
  virtual void mirror(const ItemAxis& axis, int64_t about) = 0;
  // A write beyond a buffer since the last call, or nothing; after all enqueued work. The fences
  // are mended.
  virtual std::optional<Trespass> find_trespass();
  virtual DeviceState state() const = 0;
  // Of what this device takes in energy; of a CPU all of the machine's packages.
  virtual EnergyMeter energy_meter() const;
  // Rounds `count` floats to another storage type on the device, to the nearest, enqueued. Finite
  // numbers that become infinite are counted: added to the word `overflows`, unless it is null.
  virtual void convert(void* target, Scalar type, const void* source, int64_t count,
                       uint32_t* overflows) = 0;
  // Adds `count` numbers to the word `total`, enqueued.
  virtual void add_up(int64_t* total, const int32_t* values, int64_t count) = 0;
  // Halves as floats, enqueued.
  virtual void widen(void* target, const void* halves, int64_t count) = 0;
  // Two steps to factors as bytes with a scale a feature (int8, fp8), in a copy as
  // kernels/shared/byte_factors.h lays it out; enqueued. The first raises the largest magnitudes
  // there to those of `source`. The second stores its rows from `first_row` on, once for every
  // weight, also elsewhere.
  virtual void find_largest(void* copy, const FactorsView& source) = 0;
  virtual void quantize(Scalar type, const QuantizeParams& params) = 0;
  // Both are enqueued.
  virtual void carry_scales(const CarryScalesParams& params) = 0;
  virtual void share_largest(const ShareLargestParams& params) = 0;

 private:
  friend class Buffer;
  friend class PeakMemory;
  virtual void release(void* data) noexcept = 0;
  virtual int64_t unused_bytes() const = 0;  // of its memory, whatever the limit
  void put_fences(void* data, int64_t bytes);

  int64_t allocated_bytes_ = 0;
  int64_t limit_bytes_ = std::numeric_limits<int64_t>::max();
  int64_t peak_bytes_ = 0;            // the most since the last PeakMemory began
  std::map<void*, int64_t> buffers_;  // bytes of each

 protected:
  // Bytes of a fence; an implementation allocates as many before and behind a buffer. Alignment of
  // a buffer.
  static constexpr int64_t kFenceBytes = 256;
};

// The most memory that buffers of a device take beyond those there are when it begins. One at a
// time on a device.
class PeakMemory {
 public:
  explicit PeakMemory(Device& device)
      : device_(device), start_bytes_(device.peak_bytes_ = device.allocated_bytes_) {}
  int64_t bytes() const { return device_.peak_bytes_ - start_bytes_; }

 private:
  Device& device_;
  int64_t start_bytes_;
};

// "cpu", or a CUDA ordinal such as "0". Throws UsageError for anything else, EnvironmentError where
// the device is missing.
std::unique_ptr<Device> open_device(const std::string& name);
std::unique_ptr<Device> open_cpu_device(
    int threads = 0);  // 0: OMP_NUM_THREADS, or all hardware threads
bool cuda_built();     // this build has the CUDA backend
// Whether an NVIDIA driver is installed. It is not started, which takes a quarter of a second.
bool has_cuda_driver();
// Number of CUDA devices the driver shows; 0 with the reason in *reason where there are none.
// Creates no context.
int cuda_device_count(std::string* reason = nullptr);
// The traits of CUDA device `ordinal`, without creating a context where the runtime allows it.
DeviceTraits cuda_device_traits(int ordinal);

}  // namespace alsbench
