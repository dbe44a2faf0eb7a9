// SPDX-License-Identifier: Apache-2.0
// uploaded(): values of the host in a buffer of a device.
#pragma once

#include <cstdint>

#include "harness/device/device.h"

namespace alsbench {

// Of a vector or an array, which may be empty. Waits. Throws OutOfMemoryError.
template <class Values>
Buffer uploaded(Device& device, const Values& values) {
  const auto count = static_cast<int64_t>(values.size());
  Buffer buffer = device.allocate(count * static_cast<int64_t>(sizeof(*values.data())));
  if (count > 0) device.upload(buffer.data(), values.data(), buffer.bytes());
  return buffer;
}

}  // namespace alsbench
