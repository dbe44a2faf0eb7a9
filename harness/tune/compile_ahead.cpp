#include "harness/tune/compile_ahead.h"

#include <fmt/format.h>

#include <algorithm>

namespace alsbench {
namespace {

std::string key_of(const CompileRequest& request) {
  return fmt::format("{}|{}|{}", request.source, request.instance, request.architecture);
}

CompileResult compile(const CompileRequest& request) {
  try {
    return {compile_kernel(request), ""};
  } catch (const std::exception& error) {
    return {{}, error.what()};
  }
}

}  // namespace

CompileAhead::CompileAhead(int threads) {
  const int hardware = static_cast<int>(std::thread::hardware_concurrency());
  const int count = threads > 0 ? threads : std::clamp(hardware - 1, 1, 32);
  for (int i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
}

CompileAhead::~CompileAhead() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void CompileAhead::announce(const std::vector<CompileRequest>& requests) {
  const std::lock_guard lock(mutex_);
  queue_.clear();
  for (const CompileRequest& request : requests)
    if (is_open(key_of(request))) queue_.push_back(request);
  changed_.notify_all();
}

std::vector<CompileResult> CompileAhead::require(const std::vector<CompileRequest>& requests) {
  std::unique_lock lock(mutex_);
  for (const CompileRequest& request : requests)
    if (is_open(key_of(request))) queue_.push_front(request);
  changed_.notify_all();
  std::vector<CompileResult> results;
  for (const CompileRequest& request : requests) {
    const std::string key = key_of(request);
    changed_.wait(lock, [&] { return done_.contains(key); });
    results.push_back(results_.at(key));
  }
  return results;
}

void CompileAhead::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
    if (stopping_) return;
    const CompileRequest request = queue_.front();
    queue_.pop_front();
    const std::string key = key_of(request);
    if (!results_.try_emplace(key).second) continue;  // another thread has it
    lock.unlock();
    CompileResult result = compile(request);
    lock.lock();
    // The machine code is in the cache on disk; here it would only fill the memory.
    result.kernel.cubin.clear();
    results_[key] = std::move(result);
    done_[key] = true;
    changed_.notify_all();
  }
}

}  // namespace alsbench
