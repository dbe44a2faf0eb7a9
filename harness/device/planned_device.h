// SPDX-License-Identifier: Apache-2.0
// PlannedDevice: stands in for a device and takes no memory: what is set up on it says how much it
// would take, and for what. Its buffers have no contents, and what is launched does nothing.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/device/device.h"

namespace alsbench {

// Bytes of device memory that are for one thing, such as "ratings".
struct MemoryPart {
  std::string name;
  int64_t bytes = 0;
};

class PlannedDevice : public Device {
 public:
  // For one that is like `device`, with so many bytes free.
  PlannedDevice(const Device& device, int64_t free_bytes);

  // The parts when most was taken, the largest first, and their sum.
  std::vector<MemoryPart> parts() const;
  int64_t peak_bytes() const { return most_; }

  const DeviceTraits& traits() const override { return traits_; }
  Buffer allocate(int64_t bytes) override;
  void upload(void*, const void*, int64_t) override {}
  void upload_async(void*, const void*, int64_t, const Event*) override {}
  void download(void* target, const void*, int64_t bytes) override;  // zeros
  void copy(void*, const void*, int64_t) override {}
  void fill(void*, int, int64_t) override {}
  void synchronize() override {}
  bool reads_host_memory() const override { return reads_host_memory_; }
  std::unique_ptr<RecordedWork> record(const std::function<void()>&) override { return nullptr; }
  // Throws ObjectionError.
  std::unique_ptr<Executable> prepare(const Variant& variant, const Config& config,
                                      const Shape& shape) override;
  std::unique_ptr<Event> make_event() override;
  Timing time(const std::function<void()>&) override { return {}; }
  Counted count(const std::function<void()>&, const std::function<void()>&) override { return {}; }
  void flush_cache() override {}
  Digest digest(const Region&) override { return {}; }
  void mirror(const ItemAxis&, int64_t) override {}
  DeviceState state() const override { return {}; }
  void convert(void*, Scalar, const void*, int64_t, uint32_t*) override {}
  void add_up(int64_t*, const int32_t*, int64_t) override {}
  void widen(void*, const void*, int64_t) override {}
  void find_largest(void*, const FactorsView&) override {}
  void quantize(Scalar, const QuantizeParams&) override {}
  void carry_scales(const CarryScalesParams&) override {}
  void share_largest(const ShareLargestParams&) override {}

 private:
  struct Taken {
    std::string part;
    int64_t bytes = 0;
  };
  void release(void* data) noexcept override;
  int64_t unused_bytes() const override { return memory_ - taken_; }

  DeviceTraits traits_;
  bool reads_host_memory_;
  int64_t memory_, taken_ = 0, most_ = 0;
  std::map<uintptr_t, Taken> buffers_;
  std::map<std::string, int64_t> now_, at_most_;  // by part
};

}  // namespace alsbench
