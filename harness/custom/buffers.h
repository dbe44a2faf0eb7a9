// SPDX-License-Identifier: Apache-2.0
// Buffers: the arguments of a custom kernel on a device.
#pragma once

#include <string>
#include <vector>

#include "harness/custom/kernel_file.h"
#include "harness/stage/operands.h"
#include "variants/core/kernel_arguments.h"

namespace alsbench::custom {

class Buffers {
 public:
  // Takes the memory. Throws OutOfMemoryError.
  Buffers(Device& device, const KernelFile& file, const Config& sizes);

  // Fills what kernels read with the numbers of a seed; the same on every device.
  void draw(uint64_t seed);
  // Makes what kernels read that of the same kernel's buffers elsewhere.
  void copy_inputs(const Buffers& other);
  void restore();  // what kernels read and write, enqueued
  // Outputs: floats with NaNs, integers with a number that is hardly a result.
  void poison();

  KernelArguments arguments() const;
  Output output(size_t index) const;  // of argument `index`
  Operands operands() const;

 private:
  struct Slot {
    const Argument* argument = nullptr;
    std::vector<int64_t> extents;
    int64_t elements = 0, bytes = 0;
    Buffer buffer;
    Buffer first;  // of an inout: its content before a kernel
    // The content that does not change.
    const Buffer& input() const { return first ? first : buffer; }
  };

  std::string content_of(const Slot& slot, uint64_t seed) const;
  void add_axes(const Slot& slot, std::vector<InputAxis>& axes) const;

  Device& device_;
  const KernelFile& file_;
  Config sizes_;
  std::vector<Slot> slots_;  // one an argument, of scalars without memory
};

}  // namespace alsbench::custom
