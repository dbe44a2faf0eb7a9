// SPDX-License-Identifier: Apache-2.0
#include "harness/device/planned_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "base/error.h"
#include "harness/device/named_memory.h"

namespace alsbench {
namespace {

constexpr int64_t kAddressStep = 256;

class NoEvent : public Event {
 public:
  void record() override {}
  double seconds_since(const Event&) const override { return 0; }
};

// A variant's workspace, where its plan says it. What a vendor's library takes is not known.
class NoExecutable : public Executable {
 public:
  NoExecutable(Device& device, const Variant& variant, const Config& config, const Shape& shape) {
    const NamedMemory named("workspace");
    if (variant.plan)
      workspace_ = device.allocate(variant.plan(config, shape, device.traits()).workspace_bytes);
  }
  void launch(const StageParams&) override {}
  const std::vector<KernelReport>& kernels() const override { return kernels_; }

 private:
  Buffer workspace_;
  std::vector<KernelReport> kernels_;
};

}  // namespace

PlannedDevice::PlannedDevice(const Device& device, int64_t free_bytes)
    : traits_(device.traits()),
      reads_host_memory_(device.reads_host_memory()),
      memory_(free_bytes) {}

std::vector<MemoryPart> PlannedDevice::parts() const {
  std::vector<MemoryPart> parts;
  for (const auto& [name, bytes] : at_most_)
    if (bytes > 0) parts.push_back({name, bytes});
  std::ranges::stable_sort(parts, std::ranges::greater(), &MemoryPart::bytes);
  return parts;
}

// Addresses that nothing lies at, each once.
Buffer PlannedDevice::allocate(int64_t bytes) {
  if (bytes == 0) return {};
  if (bytes > free_bytes())
    throw OutOfMemoryError(fmt::format("out of device memory: {} bytes are needed, and {} are free",
                                       bytes, free_bytes()));
  const uintptr_t address =
      buffers_.empty()
          ? uintptr_t{kAddressStep}
          : buffers_.rbegin()->first +
                static_cast<uintptr_t>((buffers_.rbegin()->second.bytes + kAddressStep) /
                                       kAddressStep * kAddressStep);
  const std::string part(NamedMemory::name());
  buffers_[address] = {part, bytes};
  now_[part] += bytes;
  taken_ += bytes;
  if (taken_ > most_) {
    most_ = taken_;
    at_most_ = now_;
  }
  // NOLINTNEXTLINE(performance-no-int-to-ptr): it is never read
  return Buffer(this, reinterpret_cast<void*>(address), bytes);
}

void PlannedDevice::release(void* data) noexcept {
  const auto buffer = buffers_.find(reinterpret_cast<uintptr_t>(data));
  now_[buffer->second.part] -= buffer->second.bytes;
  taken_ -= buffer->second.bytes;
  buffers_.erase(buffer);
}

void PlannedDevice::download(void* target, const void*, int64_t bytes) {
  std::memset(target, 0, static_cast<size_t>(bytes));
}

std::unique_ptr<Executable> PlannedDevice::prepare(const Variant& variant, const Config& config,
                                                   const Shape& shape) {
  if (const auto objection = objection_of(variant, config, shape, traits_))
    throw ObjectionError(variant.id() + " " + config.text() + ": " + *objection);
  return std::make_unique<NoExecutable>(*this, variant, config, shape);
}

std::unique_ptr<Event> PlannedDevice::make_event() { return std::make_unique<NoEvent>(); }

}  // namespace alsbench
