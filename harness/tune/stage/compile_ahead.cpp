// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/stage/compile_ahead.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

namespace alsbench {
namespace {

std::string key_of(const CompileRequest& request) {
  return fmt::format("{}|{}|{}", request.source, request.instance, request.architecture);
}

// The calling thread, and what it starts, runs where nothing else wants its processor: points are
// verified on all cores meanwhile. Linux has a priority for each thread, and where it has not,
// nothing is lost.
void give_way() { setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), PRIO_MAX - 1); }

constexpr double kCompileSeconds = 600;  // at most, of one kernel

}  // namespace

CompileAhead::~CompileAhead() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void CompileAhead::announce(const std::vector<CompileRequest>& requests,
                            const std::vector<CompileRequest>& guesses) {
  const std::lock_guard lock(mutex_);
  soon_.clear();
  guesses_.clear();
  append(requests, soon_);
  append(guesses, guesses_);
  start();
}

void CompileAhead::expect(const std::vector<CompileRequest>& requests) {
  const std::lock_guard lock(mutex_);
  append(requests, later_);
  start();
}

std::vector<CompileResult> CompileAhead::require(const std::vector<CompileRequest>& requests) {
  std::unique_lock lock(mutex_);
  for (const CompileRequest& request : requests)
    if (is_open(key_of(request))) soon_.push_front(request);
  start();
  std::vector<CompileResult> results;
  for (const CompileRequest& request : requests) {
    const std::string key = key_of(request);
    changed_.wait(lock, [&] { return done_.contains(key); });
    results.push_back(results_.at(key));
  }
  return results;
}

void CompileAhead::append(const std::vector<CompileRequest>& requests,
                          std::deque<CompileRequest>& queue) const {
  for (const CompileRequest& request : requests)
    if (is_open(key_of(request))) queue.push_back(request);
}

// All hardware threads but the one that measures.
void CompileAhead::start() {
  if (threads_.empty() && waiting()) {
    const int hardware = static_cast<int>(std::thread::hardware_concurrency());
    for (int i = 0; i < std::clamp(hardware - 1, 1, 32); ++i)
      threads_.emplace_back([this] { work(); });
  }
  changed_.notify_all();
}

CompileRequest CompileAhead::take() {
  std::deque<CompileRequest>& queue = !soon_.empty() ? soon_ : !later_.empty() ? later_ : guesses_;
  CompileRequest request = std::move(queue.front());
  queue.pop_front();
  return request;
}

// Of the machine code nothing is kept: it is in the cache, and here it would only fill the memory.
CompileResult CompileAhead::compile(const CompileRequest& request, WorkerClient& client) const {
  try {
    CompileResult result;
    if (find_compiled(request)) return result;
    const worker::Compiled answer = client.ask(
        worker::Compile{request.source, request.instance, request.architecture}, kCompileSeconds);
    result.kernel.compile_seconds = answer.compile_seconds;
    return result;
  } catch (const std::exception& error) {
    return {{}, error.what()};
  }
}

void CompileAhead::work() {
  give_way();
  WorkerClient worker(command_, &stopping_);
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stopping_ || waiting(); });
    if (stopping_) return;
    const CompileRequest request = take();
    const std::string key = key_of(request);
    if (!results_.try_emplace(key).second) continue;  // another thread has it
    lock.unlock();
    CompileResult result = compile(request, worker);
    lock.lock();
    results_[key] = std::move(result);
    done_[key] = true;
    changed_.notify_all();
  }
}

}  // namespace alsbench
