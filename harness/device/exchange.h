// SPDX-License-Identifier: Apache-2.0
// Exchange: how the members of a team bring each other what they have. Every member calls the same,
// in the same order. All calls throw where another member failed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace alsbench {

// Bytes of a buffer.
struct Block {
  int64_t begin = 0;
  int64_t size = 0;
};

class Exchange {
 public:
  virtual ~Exchange() = default;
  // Member m has updated the bytes blocks[m] of the `data` that every member has on its device.
  // Sends them to all others. Enqueued, concurrent with what is enqueued later; arrive() waits for
  // all blocks that were sent. Throws CudaError.
  virtual void send(int member, void* data, const std::vector<Block>& blocks) = 0;
  virtual void wait_for_blocks(int member) = 0;
  // Each of `count` words on the devices becomes the largest of all members'. Enqueued. Throws
  // likewise. Here for devices whose memory is the host's.
  virtual void all_reduce_max(int member, uint32_t* words, int64_t count);
  // The addresses that the members gave, in their order, where each one's device writes into the
  // memory of all others; nothing where it does not.
  virtual std::vector<void*> addresses(int /*member*/, void* /*own*/) { return {}; }
  // Bytes that a member sends while it enqueues more work: what fewer bytes wait for is not worth a
  // launch.
  virtual int64_t bytes_of_a_launch() const { return 4 << 10; }
  // Work that is enqueued later begins when all that members have enqueued so far is done. Of those
  // that have each other's addresses.
  virtual void wait_for_all(int member) { gather(member, nullptr, 0); }
  // Gathers `bytes` from `own` in the host's memory of every member, in their order.
  virtual std::vector<char> gather(int member, const void* own, int64_t bytes) = 0;
  // Ends what is under way, from any thread of this process; of no use afterwards.
  virtual void abort() noexcept = 0;
};

// Combines the `count` values that gather() returns in the order of the members, so the bits do not
// depend on who comes first.
template <class T, class Combine>
void combine(Exchange& exchange, int member, T* values, int64_t count, const Combine& combined) {
  const std::vector<char> bytes =
      exchange.gather(member, values, count * static_cast<int64_t>(sizeof(T)));
  const T* const all = reinterpret_cast<const T*>(bytes.data());
  std::copy(all, all + count, values);
  const int64_t end = static_cast<int64_t>(bytes.size() / sizeof(T));
  for (int64_t i = count; i < end; ++i) values[i % count] = combined(values[i % count], all[i]);
}

// Of CPU devices in threads: copies in the memory that they share.
std::unique_ptr<Exchange> shared_memory_exchange(int members);

}  // namespace alsbench
