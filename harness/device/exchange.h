// SPDX-License-Identifier: Apache-2.0
// Exchange: how the members of a team bring to each other what is on their devices. Every member
// calls the same, in the same order, each from its own thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "harness/device/device.h"
#include "harness/device/meeting.h"

namespace alsbench {

class Exchange {
 public:
  virtual ~Exchange() = default;
  // Of the `data` that every member has, member m brought the bytes [bounds[m], bounds[m + 1]) up
  // to date; afterwards all are, everywhere. Enqueued. Throws BrokenMeeting, CudaError.
  virtual void gather(Meeting& meeting, int member, void* data,
                      const std::vector<int64_t>& bounds) = 0;
  // Each of `count` words becomes the largest of all members'. Enqueued. Throws likewise.
  virtual void raise(Meeting& meeting, int member, uint32_t* words, int64_t count) = 0;
  // Ends what is under way on all devices, from any thread; of no use afterwards.
  virtual void abort() noexcept {}
};

// Of CPU devices: copies in the memory that they share.
std::unique_ptr<Exchange> shared_memory_exchange();

}  // namespace alsbench
