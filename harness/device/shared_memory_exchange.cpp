// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <functional>

#include "harness/device/thread_exchange.h"

namespace alsbench {
namespace {

class SharedMemoryExchange : public ThreadExchange {
 public:
  using ThreadExchange::ThreadExchange;

  void send(int member, void* data, const std::vector<Block>& blocks) override {
    const std::vector<void*> all = meeting().come(member, data);
    for (size_t other = 0; other < all.size(); ++other)
      if (const Block& block = blocks[other]; static_cast<int>(other) != member && block.size > 0)
        std::memcpy(static_cast<char*>(data) + block.begin,
                    static_cast<const char*>(all[other]) + block.begin, block.size);
  }
  void arrive(int member) override { meeting().come(member); }  // all have read
};

}  // namespace

void Exchange::raise(int member, uint32_t* words, int64_t count) {
  combine(*this, member, words, count, [](uint32_t a, uint32_t b) { return std::max(a, b); });
}

std::unique_ptr<Exchange> shared_memory_exchange(int members) {
  return std::make_unique<SharedMemoryExchange>(members);
}

}  // namespace alsbench
