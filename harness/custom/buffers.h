// SPDX-License-Identifier: Apache-2.0
// Buffers: the arguments of a custom kernel on a device. Every buffer lies between two strips of
// known bytes, which tell whether a kernel wrote beyond it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/custom/kernel_file.h"
#include "harness/device/device.h"
#include "variants/core/kernel_arguments.h"

namespace alsbench::custom {

class Buffers {
 public:
  // Takes the memory. Throws OutOfMemoryError.
  Buffers(Device& device, const KernelFile& file, const Config& sizes);

  // Fills what kernels read with the numbers of a draw of a seed; the same on every device.
  void draw(uint64_t seed, int number);
  void restore();  // what kernels read and write, enqueued
  void poison();   // what they write alone: every byte 0xFF, a NaN of every type of float

  KernelArguments arguments() const;
  // The elements of argument `index`, as doubles.
  std::vector<double> values(size_t index) const;
  // A forbidden write of a kernel, or nothing: of bytes beyond a buffer, or of an input's.
  std::optional<std::string> fault() const;

 private:
  struct Slot {
    const Argument* argument = nullptr;
    std::vector<int64_t> extents;
    int64_t elements = 0, bytes = 0;
    Buffer whole;       // with the strips
    Buffer first;       // of an inout: its content before a kernel
    std::string input;  // the same of what kernels read, on the host
    char* data() const { return whole.as<char>() + kStrip; }
  };
  static constexpr int64_t kStrip = 256;  // bytes: alignment of a buffer

  void fill(Slot& slot, uint64_t seed, int number);

  Device& device_;
  const KernelFile& file_;
  Config sizes_;
  std::vector<Slot> slots_;  // one an argument, of scalars without memory
};

}  // namespace alsbench::custom
