// SPDX-License-Identifier: Apache-2.0
#include "harness/device/thread_exchange.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "base/clock.h"

namespace alsbench {
namespace {

constexpr std::chrono::microseconds kAwake{200};

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
  std::vector<void*> addresses(int member, void* own) override {
    return barrier().arrive_and_wait(member, own);
  }
};

}  // namespace

void Exchange::all_reduce_max(int member, uint32_t* words, int64_t count) {
  combine(*this, member, words, count, [](uint32_t a, uint32_t b) { return std::max(a, b); });
}

std::vector<void*> AbortableBarrier::arrive_and_wait(int member, void* contribution) {
  std::unique_lock lock(mutex_);
  contributions_[static_cast<size_t>(member)] = contribution;
  const uint64_t time = generation_;
  if (!aborted_ && ++arrived_ == contributions_.size()) {
    released_ = contributions_;
    arrived_ = 0;
    ++generation_;
    changed_.notify_all();
  }
  lock.unlock();
  const auto begin = Clock::now();
  while (!is_complete(time) && Clock::now() - begin < kAwake) std::this_thread::yield();
  lock.lock();
  changed_.wait(lock, [&] { return is_complete(time); });
  if (aborted_) throw BarrierAborted();
  return released_;  // stays until all, this thread among them, have come again
}

void AbortableBarrier::abort() noexcept {
  const std::lock_guard lock(mutex_);
  aborted_ = true;
  changed_.notify_all();
}

std::unique_ptr<Exchange> shared_memory_exchange(int members) {
  return std::make_unique<SharedMemoryExchange>(members);
}

}  // namespace alsbench
