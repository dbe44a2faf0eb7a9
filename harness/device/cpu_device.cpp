// SPDX-License-Identifier: Apache-2.0
// CpuDevice: host memory and the steady clock behind the Device interface. "Enqueued" work has
// happened on return.
#include <fmt/format.h>
#include <omp.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "harness/device/device.h"
#include "harness/device/energy_meter.h"
#include "harness/device/fences.h"
#include "harness/device/other_work.h"
#include "harness/device/perf_events.h"
#include "harness/device/processor_caches.h"
#include "harness/files/control_group.h"
#include "harness/files/host_memory.h"
#include "kernels/cpu/element.h"
#include "kernels/cpu/quantize.h"
#include "kernels/cpu/simd/simd.h"
#include "kernels/cpu/tiles/tiles.h"
#include "kernels/load/shared_library.h"

namespace alsbench {
namespace {

constexpr int64_t kAlignment = 256;
constexpr int64_t kDefaultLastLevelCacheBytes = int64_t{32} << 20;

// The value of a "key : value" line of a /proc file, or "".
std::string proc_value(const char* path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    const size_t begin = line.find_first_not_of(": \t", key.size());
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return "";
}

int64_t cache_bytes() {
  const int64_t found = last_level_cache_bytes(allowed_processors());
  return found > 0 ? found : kDefaultLastLevelCacheBytes;
}

DeviceTraits cpu_traits(int threads) {
  DeviceTraits traits;
  traits.backend = Backend::cpu;
  traits.name = proc_value("/proc/cpuinfo", "model name");
  if (traits.name.empty()) traits.name = "CPU";
#if defined(__x86_64__)
  if (simd().width > 4) traits.architecture = 32 * simd().width;
#endif
  const TileSupport &bytes = tile_support(TileElement::int8),
                    &bfloats = tile_support(TileElement::bf16);
  traits.tiles = bytes.kernels != nullptr;
  traits.no_tiles = bytes.reason;
  traits.bfloat_tiles = bfloats.kernels != nullptr;
  traits.no_bfloat_tiles = bfloats.reason;
  traits.multiprocessors = threads;
  traits.memory_bytes = std::min<int64_t>(int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE),
                                          group_memory().limit);
  traits.l2_bytes = cache_bytes();
  return traits;
}

// Asked of the kernel itself, and not of a library that a program may replace.
double raw_seconds() {
  timespec now{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC_RAW, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Advice on the whole pages of it.
void advise(void* data, int64_t bytes, int advice) {
  const int64_t page = sysconf(_SC_PAGESIZE);
  const auto behind = static_cast<int64_t>(reinterpret_cast<uintptr_t>(data) % page);
  const int64_t first = (page - behind) % page;  // that begins a page
  const int64_t whole = (bytes - first) / page * page;
  if (whole > 0) madvise(static_cast<char*>(data) + first, whole, advice);
}

class CpuExecutable : public Executable {
 public:
  CpuExecutable(Device& device, const Variant& variant, Config config, Shape shape)
      : device_(device), variant_(variant), config_(std::move(config)), shape_(std::move(shape)) {
    context_.threads = device.traits().multiprocessors;
    context_.scratch = [this](int slot, int64_t bytes) {
      Buffer& buffer = scratch_[slot];
      if (buffer.bytes() < bytes) buffer = device_.allocate(bytes);
      return buffer.data();
    };
  }

  void launch(const StageParams& params) override {
    try {
      variant_.run(config_, shape_, params, context_);
    } catch (const MissingLibrary& error) {
      throw EnvironmentError(error.what());
    }
  }
  const std::vector<KernelReport>& kernels() const override { return kernels_; }

 private:
  Device& device_;
  const Variant& variant_;
  Config config_;
  Shape shape_;
  RunContext context_;
  std::map<int, Buffer> scratch_;
  std::vector<KernelReport> kernels_;
};

// All work is done when a call returns.
class CpuEvent : public Event {
 public:
  void record() override { moment_ = Clock::now(); }
  double seconds_since(const Event& earlier) const override {
    const auto& event = static_cast<const CpuEvent&>(earlier);
    return seconds_between(event.moment_, moment_);
  }

 private:
  Clock::time_point moment_;
};

class CpuDevice : public Device {
 public:
  explicit CpuDevice(int threads) : traits_(cpu_traits(threads)) {}

  const DeviceTraits& traits() const override { return traits_; }

  Buffer allocate(int64_t bytes) override { return allocate_with(bytes, Pages::usual); }

  bool reads_host_memory() const override {
    return limit_bytes() == std::numeric_limits<int64_t>::max();
  }
  // Whole pages.
  void discard(void* data, int64_t bytes) override { advise(data, bytes, MADV_DONTNEED); }

  void upload(void* target, const void* source, int64_t bytes) override {
    copy(target, source, bytes);
  }
  void upload_async(void* target, const void* source, int64_t bytes, const Event*) override {
    copy(target, source, bytes);
  }
  void download(void* target, const void* source, int64_t bytes) override {
    copy(target, source, bytes);
  }
  void copy(void* target, const void* source, int64_t bytes) override {
    if (bytes > 0) std::memcpy(target, source, bytes);
  }
  void fill(void* target, int byte, int64_t bytes) override {
    if (bytes > 0) std::memset(target, byte, bytes);
  }
  void synchronize() override {}
  // Enqueued work has happened on return: there is nothing to gain.
  std::unique_ptr<RecordedWork> record(const std::function<void()>&) override { return nullptr; }

  std::unique_ptr<Executable> prepare(const Variant& variant, const Config& config,
                                      const Shape& shape) override {
    if (const auto objection = objection_of(variant, config, shape, traits_))
      throw ObjectionError(variant.id() + " " + config.text() + ": " + *objection);
    return std::make_unique<CpuExecutable>(*this, variant, config, shape);
  }

  std::unique_ptr<Event> make_event() override { return std::make_unique<CpuEvent>(); }

  // The raw clock is asked around the steady one and within it: a pause between the two then shows
  // on its own side.
  Timing time(const std::function<void()>& work) override {
    constexpr double kDrift = 1e-3, kStepSeconds = 2e-6;  // of the two clocks
    const double around = raw_seconds();
    const auto begin = Clock::now();
    const double within = raw_seconds();
    work();
    const double least = raw_seconds() - within;
    const double elapsed = seconds_since(begin);
    const double most = raw_seconds() - around;
    Timing timing{elapsed, elapsed, 0};
    timing.least_seconds = (1 - kDrift) * least - kStepSeconds;
    timing.most_seconds = (1 + kDrift) * most + kStepSeconds;
    return timing;
  }

  Counted count(const std::function<void()>& prepare, const std::function<void()>& work) override {
    prepare();
    return {{count_by_perf(work)}, 1};
  }

  void flush_cache() override {
    const int64_t bytes = 2 * traits_.l2_bytes;
    if (!written_) {
      written_ = allocate(bytes);
      // Of usual pages the written ones alone are enough to empty the tables of addresses.
      read_ = allocate_with(bytes, Pages::huge);
      fill(read_.data(), 0x5a, bytes);
    }
    char* const written = written_.as<char>();
    const volatile char* const read = read_.as<char>();
    constexpr int64_t kLine = 64;
    // every thread takes part, since the levels above the last one are private to a core
#pragma omp parallel for schedule(static) num_threads(traits_.multiprocessors)  // cannot throw
    for (int64_t line = 0; line < bytes / kLine; ++line) ++written[line * kLine];
#pragma omp parallel for schedule(static) num_threads(traits_.multiprocessors)  // cannot throw
    for (int64_t line = 0; line < bytes / kLine; ++line) static_cast<void>(read[line * kLine]);
  }

  Digest digest(const Region& region) override {
    constexpr int64_t kChunk = 1 << 14;
    const int64_t whole = region.width_bytes / 4,
                  chunks = (whole + kChunk - 1) / kChunk;  // of a run
    const SimdKernels& kernels = simd();
    uint64_t hash = 0, not_finite = 0;
#pragma omp parallel for schedule(static) num_threads(traits_.multiprocessors) \
    reduction(+ : hash, not_finite)  // cannot throw
    for (int64_t i = 0; i < region.runs * chunks; ++i) {
      const int64_t run = i / chunks, begin = i % chunks * kChunk;
      const char* const data = static_cast<const char*>(region.data) + run * region.pitch_bytes;
      const Digest part = kernels.digest(reinterpret_cast<const uint32_t*>(data) + begin,
                                         run * region.run_words() + begin,
                                         std::min(kChunk, whole - begin), region.numbers);
      hash += part.hash;
      not_finite += part.not_finite;
    }
    if (whole < region.run_words()) {  // the only run's last word
      const uint32_t word = word_of(region, whole);
      hash += hash_of_word(word, whole);
      not_finite += not_finite_in(word, whole, region.numbers);
    }
    return {hash, not_finite};
  }
  void mirror(const ItemAxis& axis, int64_t about) override {
    // Items up to about % count change places with each other, and so do those behind: a pair has
    // its first item in the lower half of either.
    const int64_t behind = about % axis.count + 1;
    const int64_t first_pairs = behind / 2, pairs = first_pairs + (axis.count - behind) / 2;
#pragma omp parallel for collapse(2) schedule(static) \
    num_threads(traits_.multiprocessors)  // cannot throw
    for (int64_t run = 0; run < axis.outer; ++run)
      for (int64_t pair = 0; pair < pairs; ++pair) {
        const int64_t item = pair < first_pairs ? pair : behind + pair - first_pairs;
        const int64_t other = mirrored(item, about, axis.count);
        char* const items = static_cast<char*>(axis.data) + run * axis.pitch_bytes;
        std::swap_ranges(items + item * axis.item_bytes, items + (item + 1) * axis.item_bytes,
                         items + other * axis.item_bytes);
      }
  }

  DeviceState state() const override {
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    return {kUnknown, kUnknown, 0, false};
  }
  EnergyMeter energy_meter() const override { return EnergyMeter::of_packages(); }

  void add_up(int64_t* total, const int32_t* values, int64_t count) override {
    *total = std::accumulate(values, values + count, *total);
  }
  void widen(void* target, const void* halves, int64_t count) override {
    constexpr int64_t kChunk = 1 << 16;
    const auto* const source = static_cast<const uint16_t*>(halves);
    auto* const floats = static_cast<float*>(target);
#pragma omp parallel for schedule(static) num_threads(traits_.multiprocessors)  // cannot throw
    for (int64_t begin = 0; begin < count; begin += kChunk)
      simd().from_half(source + begin, floats + begin,
                       static_cast<int>(std::min(kChunk, count - begin)));
  }

  void convert(void* target, Scalar type, const void* source, int64_t count,
               uint32_t* overflows) override {
    if (type != Scalar::fp16 && type != Scalar::bf16)
      throw std::logic_error("no variant of the CPU stores " + std::string(name_of(type)));
    constexpr int64_t kChunk = 1 << 16;
    auto* const halves = static_cast<uint16_t*>(target);
    const auto* const floats = static_cast<const float*>(source);
    uint32_t overflowed = 0;
#pragma omp parallel for schedule(static) num_threads(traits_.multiprocessors) \
    reduction(+ : overflowed)  // cannot throw
    for (int64_t begin = 0; begin < count; begin += kChunk) {
      const int64_t end = std::min(count, begin + kChunk);
      if (type == Scalar::bf16) {
        overflowed += floats_to_bfloats(floats + begin, end - begin, halves + begin);
        continue;
      }
      simd().to_half(floats + begin, 1, halves + begin, static_cast<int>(end - begin));
      constexpr uint16_t kInfinity = 0x7c00;
      for (int64_t i = begin; i < end; ++i)
        overflowed += (halves[i] & 0x7fff) == kInfinity && std::isfinite(floats[i]) ? 1 : 0;
    }
    if (overflows != nullptr) *overflows += overflowed;
  }

  void find_largest(void* copy, const FactorsView& source) override {
    alsbench::find_largest({copy, source, 0, {}}, traits_.multiprocessors);
  }
  void quantize(Scalar type, const QuantizeParams& params) override {
    if (type != Scalar::int8)
      throw std::logic_error("no variant of the CPU stores " + std::string(name_of(type)));
    quantize_factors(params, traits_.multiprocessors);
  }
  void carry_scales(const CarryScalesParams& params) override { alsbench::carry_scales(params); }
  void share_largest(const ShareLargestParams& params) override { alsbench::share_largest(params); }

 private:
  // Most of the time that memory takes to be there is that of its pages.
  enum class Pages { usual, huge };
  Buffer allocate_with(int64_t bytes, Pages pages) {
    if (bytes == 0) return {};
    const int64_t fenced = kFenceBytes + bytes + bytes_of_fence_behind(kFenceBytes);
    const int64_t padded = (fenced + kAlignment - 1) / kAlignment * kAlignment;
    std::unique_ptr<void, void (*)(void*)> data(nullptr, std::free);
    try {
      const int64_t allowed = limit_bytes() - allocated_bytes();
      if (bytes > allowed) throw HostMemoryError(bytes, allowed);
      require_host_memory(bytes);
      data.reset(std::aligned_alloc(kAlignment, padded));
      if (!data) throw HostMemoryError(bytes, free_bytes());
      if (pages == Pages::huge) advise(data.get(), fenced, MADV_HUGEPAGE);
      commit_host_memory(data.get(), fenced);
    } catch (const HostMemoryError& error) {
      throw OutOfMemoryError(error.what());
    }
    return Buffer(this, static_cast<char*>(data.release()) + kFenceBytes, bytes);
  }

  void release(void* data) noexcept override { std::free(static_cast<char*>(data) - kFenceBytes); }
  int64_t unused_bytes() const override { return free_host_bytes(); }

  DeviceTraits traits_;
  Buffer written_, read_;  // by flush_cache()
};

}  // namespace

std::unique_ptr<Device> open_cpu_device(int threads) {
  static_cast<void>(others_share_since(0));  // known from here on
  const int usual = std::min(omp_get_max_threads(), omp_get_thread_limit());
  return std::make_unique<CpuDevice>(threads > 0 ? threads : usual);
}

}  // namespace alsbench
