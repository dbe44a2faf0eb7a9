// SPDX-License-Identifier: Apache-2.0
#include "harness/data/array_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "harness/files/host_memory.h"

namespace alsbench {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;

// Of whole huge pages.
struct FreedPages {
  char* data;
  size_t bytes;
};

void unmap(const FreedPages& block) {
  if (block.bytes > 0) ::munmap(block.data, block.bytes);
}

// Freed blocks, as long as someone wants them kept.
class KeptBlocks {
 public:
  void begin() {
    const std::lock_guard lock(mutex_);
    ++users_;
  }
  void end() {
    const std::lock_guard lock(mutex_);
    if (--users_ > 0) return;
    for (const FreedPages& block : blocks_) unmap(block);
    blocks_.clear();
  }
  void put(const FreedPages& block) {
    const std::lock_guard lock(mutex_);
    if (users_ > 0)
      blocks_.push_back(block);
    else
      unmap(block);
  }
  // From the smallest one that has so much, whose rest stays; null where none has.
  char* take(size_t bytes) {
    const std::lock_guard lock(mutex_);
    auto best = blocks_.end();
    for (auto block = blocks_.begin(); block != blocks_.end(); ++block)
      if (block->bytes >= bytes && (best == blocks_.end() || block->bytes < best->bytes))
        best = block;
    if (best == blocks_.end()) return nullptr;
    char* const data = best->data;
    best->data += bytes;
    best->bytes -= bytes;
    if (best->bytes == 0) blocks_.erase(best);
    return data;
  }

 private:
  std::mutex mutex_;
  int users_ = 0;
  std::vector<FreedPages> blocks_;
};

KeptBlocks& kept_blocks() {
  static auto* const kept = new KeptBlocks;  // arrays may outlive all statics
  return *kept;
}

char* map_block(size_t bytes) {
  const auto asked = static_cast<int64_t>(bytes);
  require_host_memory(asked);
  const size_t mapped = bytes + kHugePage;
  void* const memory =
      ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw HostMemoryError(asked, free_host_bytes());
  auto* const begin = static_cast<char*>(memory);
  const size_t head = (kHugePage - reinterpret_cast<uintptr_t>(begin) % kHugePage) % kHugePage;
  unmap({begin, head});
  unmap({begin + head + bytes, mapped - head - bytes});
  ::madvise(begin + head, bytes, MADV_HUGEPAGE);  // or else smaller pages
  return begin + head;
}

}  // namespace

MemoryReuse::MemoryReuse() { kept_blocks().begin(); }
MemoryReuse::~MemoryReuse() { kept_blocks().end(); }

std::shared_ptr<void> uninitialized_memory(size_t bytes) {
  if (bytes < kHugePage) {
    constexpr size_t kLine = 64;
    void* const memory =
        std::aligned_alloc(kLine, std::max(kLine, (bytes + kLine - 1) / kLine * kLine));
    if (memory == nullptr) throw HostMemoryError(static_cast<int64_t>(bytes), free_host_bytes());
    return {memory, std::free};
  }
  const size_t rounded = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  char* data = kept_blocks().take(rounded);
  if (data == nullptr) data = map_block(rounded);
  return {data, [rounded](void* memory) {
            kept_blocks().put({static_cast<char*>(memory), rounded});
          }};
}

}  // namespace alsbench
