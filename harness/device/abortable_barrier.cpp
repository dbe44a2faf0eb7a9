// SPDX-License-Identifier: Apache-2.0
#include "harness/device/abortable_barrier.h"

#include <chrono>
#include <thread>

#include "base/clock.h"

namespace alsbench {
namespace {

constexpr std::chrono::microseconds kAwake{200};

}  // namespace

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

}  // namespace alsbench
