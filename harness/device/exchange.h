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

// Bytes of a buffer.
struct Block {
  int64_t begin = 0;
  int64_t size = 0;
};

class Exchange {
 public:
  virtual ~Exchange() = default;
  // Of the `data` that every member has, member m has brought the bytes blocks[m] up to date: it
  // begins to write them into the others'. Enqueued, beside what is enqueued later; arrive() waits
  // for all blocks that were sent. Throws BrokenMeeting, CudaError.
  virtual void send(Meeting& meeting, int member, void* data, const std::vector<Block>& blocks) = 0;
  virtual void arrive(Meeting& meeting, int member) = 0;
  // Each of `count` words becomes the largest of all members'. Enqueued. Throws likewise.
  virtual void raise(Meeting& meeting, int member, uint32_t* words, int64_t count) = 0;
  // Ends what is under way on all devices, from any thread; of no use afterwards.
  virtual void abort() noexcept {}
};

// Of CPU devices: copies in the memory that they share.
std::unique_ptr<Exchange> shared_memory_exchange();

}  // namespace alsbench
