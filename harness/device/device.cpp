// SPDX-License-Identifier: Apache-2.0
#include "harness/device/device.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "base/error.h"
#include "harness/device/cuda_backend.h"

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

void Device::put_fences(void* data, int64_t bytes) {
  char* const begin = static_cast<char*>(data);
  fill(begin - kFenceBytes, kFenceByte, kFenceBytes);
  fill(begin + bytes, kFenceByte, kFenceBytes);
}

std::optional<Trespass> Device::find_trespass() {
  const std::string whole(kFenceBytes, static_cast<char>(kFenceByte));
  const auto broken = [&](const char* fence) {
    std::string found(whole.size(), '\0');
    download(found.data(), fence, kFenceBytes);
    return found != whole;
  };
  std::optional<Trespass> trespass;
  for (const auto& [data, bytes] : buffers_) {
    const char* const begin = static_cast<const char*>(data);
    const bool before = broken(begin - kFenceBytes);
    if (!before && !broken(begin + bytes)) continue;
    trespass = Trespass{data, bytes, before};
    put_fences(data, bytes);
  }
  return trespass;
}

int64_t Device::free_bytes() const {
  return std::max<int64_t>(0, std::min(unused_bytes(), limit_bytes_ - allocated_bytes_));
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
