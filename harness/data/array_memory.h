// SPDX-License-Identifier: Apache-2.0
// Memory of arrays that are filled in parallel.
#pragma once

#include <cstddef>
#include <memory>

namespace alsbench {

// Uninitialised. Large memory lies on huge pages where the system has them: what fills it would
// otherwise wait for a page every 4 KiB. Throws HostMemoryError.
std::shared_ptr<void> uninitialized_memory(size_t bytes);

// While one lives, large memory that is freed is kept, and handed out again: the system would clear
// every page of new memory first.
class MemoryReuse {
 public:
  MemoryReuse();
  ~MemoryReuse();
  MemoryReuse(const MemoryReuse&) = delete;
  MemoryReuse& operator=(const MemoryReuse&) = delete;
};

}  // namespace alsbench
