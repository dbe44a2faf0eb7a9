// SPDX-License-Identifier: Apache-2.0
// Memory that the host can still give. Linux grants more than there is and kills later, so asking
// first is the only answer: who takes much at once does so, and knows how much it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

namespace alsbench {

// The least of what the system, the control group and the limit of this process (ulimit -v) leave.
int64_t free_host_bytes();

// As std::bad_alloc, with the bytes asked for and those free.
class HostMemoryError : public std::bad_alloc {
 public:
  HostMemoryError(int64_t bytes, int64_t free) noexcept;
  const char* what() const noexcept override { return text_; }

 private:
  char text_[160];
};

// For people: what() of a HostMemoryError, and of others, which know no numbers, what helps.
const char* host_memory_text(const std::bad_alloc& error) noexcept;

// Throws HostMemoryError where `bytes` are large and more than are free.
void require_host_memory(int64_t bytes);
// Makes the system give all of `data` now, piece by piece, asking before each. Throws
// HostMemoryError where it runs out, other processes' needs included.
void commit_host_memory(void* data, int64_t bytes);

}  // namespace alsbench
