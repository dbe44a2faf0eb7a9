// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "harness/device/thread_exchange.h"

namespace alsbench {
namespace {

class SharedMemoryExchange : public ThreadExchange {
 public:
  using ThreadExchange::ThreadExchange;

  void send(int member, void* data, const std::vector<Block>& blocks) override {
    const std::vector<void*> all = barrier().arrive_and_wait(member, data);
    for (size_t other = 0; other < all.size(); ++other)
      if (const Block& block = blocks[other]; static_cast<int>(other) != member && block.size > 0)
        std::memcpy(static_cast<char*>(data) + block.begin,
                    static_cast<const char*>(all[other]) + block.begin, block.size);
  }
  void wait_for_blocks(int member) override { barrier().arrive_and_wait(member); }  // all have read
};

}  // namespace

std::unique_ptr<Exchange> shared_memory_exchange(int members) {
  return std::make_unique<SharedMemoryExchange>(members);
}

}  // namespace alsbench
