// SPDX-License-Identifier: Apache-2.0
#include "harness/device/device.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/error.h"
#include "harness/device/cuda_backend.h"
#include "harness/device/energy_meter.h"
#include "harness/device/fences.h"

namespace alsbench {

Buffer::Buffer(Device* device, void* data, int64_t bytes)
    : device_(device), data_(data), bytes_(bytes) {
  device->allocated_bytes_ += bytes;
  device->peak_bytes_ = std::max(device->peak_bytes_, device->allocated_bytes_);
  device->buffers_[data] = bytes;
  device->put_fences(data, bytes);
}

Buffer::Buffer(Buffer&& other) noexcept
    : device_(std::exchange(other.device_, nullptr)),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  if (this != &other) {
    reset();
    device_ = std::exchange(other.device_, nullptr);
    data_ = std::exchange(other.data_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
  }
  return *this;
}

void Buffer::reset() {
  if (data_ != nullptr) {
    device_->buffers_.erase(data_);
    device_->release(data_);
    device_->allocated_bytes_ -= bytes_;
  }
  device_ = nullptr;
  data_ = nullptr;
  bytes_ = 0;
}

namespace {

constexpr int kFenceByte = 0xA5;

}  // namespace

int64_t bytes_of_fence_behind(int64_t fence_bytes) {
  static const bool off = [] {
    const char* const value = std::getenv("ALSBENCH_FENCES");
    return value != nullptr && std::string(value) == "off";
  }();
  return off ? 0 : fence_bytes;
}

void Device::put_fences(void* data, int64_t bytes) {
  char* const begin = static_cast<char*>(data);
  fill(begin - kFenceBytes, kFenceByte, kFenceBytes);
  fill(begin + bytes, kFenceByte, bytes_of_fence_behind(kFenceBytes));
}

std::optional<Trespass> Device::find_trespass() {
  const auto broken = [&](const char* fence, int64_t size) {
    std::string found(static_cast<size_t>(size), static_cast<char>(kFenceByte));
    download(found.data(), fence, size);
    return found != std::string(found.size(), static_cast<char>(kFenceByte));
  };
  const int64_t behind = bytes_of_fence_behind(kFenceBytes);
  std::optional<Trespass> trespass;
  for (const auto& [data, bytes] : buffers_) {
    const char* const begin = static_cast<const char*>(data);
    const bool before = broken(begin - kFenceBytes, kFenceBytes);
    if (!before && !broken(begin + bytes, behind)) continue;
    trespass = Trespass{data, bytes, before};
    put_fences(data, bytes);
  }
  return trespass;
}

int64_t Device::free_bytes() const {
  return std::max<int64_t>(0, std::min(unused_bytes(), limit_bytes_ - allocated_bytes_));
}

EnergyMeter Device::energy_meter() const {
  return EnergyMeter("a device that tells neither energy nor power");
}

std::unique_ptr<Device> open_device(const std::string& name) {
  if (name == "cpu") return open_cpu_device();
  int ordinal = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), ordinal);
  if (error != std::errc() || end != name.data() + name.size() || ordinal < 0)
    throw UsageError("device '" + name + "' is neither cpu nor a CUDA ordinal such as 0; " +
                     "see alsbench list devices");
  return open_cuda_device(ordinal);
}

}  // namespace alsbench
