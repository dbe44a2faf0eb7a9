// SPDX-License-Identifier: Apache-2.0
#include "tests/emulation/block.h"

#include <setjmp.h>
#include <ucontext.h>

#include <deque>
#include <memory>
#include <vector>

namespace emulation {
namespace {

constexpr size_t kStackBytes = 1 << 17;

struct Copy {
  void* target;
  const void* source;
  size_t bytes;
};

// Where a fiber stopped. swapcontext asks the kernel for the mask of signals each time, which takes
// most of a test's time; AddressSanitizer knows no other way between stacks.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kSwapContexts = true;
#else
constexpr bool kSwapContexts = false;
#endif

struct Fiber {
  ucontext_t context;  // where it begins
  jmp_buf place;       // where it goes on
  std::unique_ptr<char[]> stack = std::make_unique_for_overwrite<char[]>(kStackBytes);
  bool begun = false, done = false;
  unsigned shares = 0;
  std::vector<Copy> open;                // copies since the last commit
  std::deque<std::vector<Copy>> groups;  // committed ones
};

// Threads that wait for each other.
struct Barrier {
  int expected = 0, arrived = 0;
  unsigned generation = 0;

  void open_when_all_are_there() {
    if (arrived < expected) return;
    arrived = 0;
    ++generation;
  }
};

struct Warp {
  Barrier barrier;
  Words words[2] = {};
};

struct Block {
  std::vector<Fiber> fibers;
  std::vector<Warp> warps;
  Barrier barrier;
  ucontext_t caller;
  jmp_buf caller_place;
  const std::function<void()>* kernel = nullptr;
  int current = 0;

  Fiber& fiber() { return fibers[current]; }
  Warp& warp() { return warps[current / 32]; }
};

Block* block = nullptr;

void pause() {
  Fiber& fiber = block->fiber();
  if (kSwapContexts)
    swapcontext(&fiber.context, &block->caller);
  else if (_setjmp(fiber.place) == 0)
    _longjmp(block->caller_place, 1);
}

// Until the fiber pauses.
void go_on(Fiber& fiber) {
  if (kSwapContexts) {
    swapcontext(&block->caller, &fiber.context);
  } else if (_setjmp(block->caller_place) == 0) {
    if (fiber.begun) _longjmp(fiber.place, 1);
    fiber.begun = true;
    setcontext(&fiber.context);
  }
}

void enter() {
  (*block->kernel)();
  block->fiber().done = true;
  for (Barrier* barrier : {&block->warp().barrier, &block->barrier}) {
    --barrier->expected;
    barrier->open_when_all_are_there();
  }
  pause();
}

void wait(Barrier& barrier) {
  const unsigned generation = barrier.generation;
  ++barrier.arrived;
  barrier.open_when_all_are_there();
  while (barrier.generation == generation) pause();
}

void run_block(int threads, bool reversed, const std::function<void()>& kernel) {
  Block own;
  own.fibers.resize(static_cast<size_t>(threads));
  own.warps.resize(static_cast<size_t>(threads / 32));
  own.barrier.expected = threads;
  own.kernel = &kernel;
  block = &own;
  for (Warp& warp : own.warps) warp.barrier.expected = 32;
  for (Fiber& fiber : own.fibers) {
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = kStackBytes;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, enter, 0);
  }
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < threads; ++i) {
      own.current = reversed ? threads - 1 - i : i;
      if (own.fiber().done) continue;
      go_on(own.fiber());
      more = true;
    }
  }
  block = nullptr;
}

}  // namespace

int thread() { return block->current; }
void sync_warp() { wait(block->warp().barrier); }
void sync_block() { wait(block->barrier); }
void yield() { pause(); }

const Words& share(const uint32_t* words, int count) {
  // Two sets of places: a lane that is ahead writes to the one that no lane still reads.
  Words& set = block->warp().words[block->fiber().shares++ % 2];
  std::copy_n(words, count, set[lane()]);
  sync_warp();
  return set;
}

void copy_async(void* target, const void* source, size_t bytes) {
  block->fiber().open.push_back({target, source, bytes});
}
void commit_copies() {
  Fiber& fiber = block->fiber();
  fiber.groups.push_back(std::move(fiber.open));
  fiber.open.clear();
}
void wait_copies(int max_groups) {
  auto& groups = block->fiber().groups;
  for (; static_cast<int>(groups.size()) > max_groups; groups.pop_front())
    for (const Copy& copy : groups.front()) {
      if (copy.source != nullptr)
        std::memcpy(copy.target, copy.source, copy.bytes);
      else
        std::memset(copy.target, 0, copy.bytes);
    }
}

void launch(unsigned blocks, int threads, bool reversed, const std::function<void()>& kernel) {
  gridDim.x = blocks;
  blockDim.x = static_cast<unsigned>(threads);
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {
    std::memset(shared(), 0xFF, kEmulatedSharedBytes);
    run_block(threads, reversed, kernel);
  }
}

}  // namespace emulation
