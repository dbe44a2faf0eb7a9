// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "harness/device/exchange.h"

namespace alsbench {
namespace {

class SharedMemoryExchange : public Exchange {
 public:
  void send(Meeting& meeting, int member, void* data, const std::vector<Block>& blocks) override {
    const std::vector<void*> all = meeting.come(member, data);
    for (size_t other = 0; other < all.size(); ++other)
      if (const Block& block = blocks[other]; static_cast<int>(other) != member && block.size > 0)
        std::memcpy(static_cast<char*>(data) + block.begin,
                    static_cast<const char*>(all[other]) + block.begin, block.size);
  }
  void arrive(Meeting& meeting, int member) override { meeting.come(member); }  // all have read

  void raise(Meeting& meeting, int member, uint32_t* words, int64_t count) override {
    meeting.combine(member, words, count, [](uint32_t a, uint32_t b) { return std::max(a, b); });
  }
};

}  // namespace

std::unique_ptr<Exchange> shared_memory_exchange() {
  return std::make_unique<SharedMemoryExchange>();
}

}  // namespace alsbench
