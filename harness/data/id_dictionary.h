// SPDX-License-Identifier: Apache-2.0
// IdDictionary: the distinct ids of a run of ratings and the code of each, in the order in which
// they were first seen. A hash table with open addresses: an id is a number of 64 bits or a text.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <vector>

#include "kernels/shared/generate.h"

namespace alsbench {

inline uint64_t hash_of_id(uint64_t id) { return mix64(id); }
// 16 bytes a step, by products of 128 bits, as wyhash does
// (https://github.com/wangyi-fudan/wyhash).
inline uint64_t hash_of_id(std::string_view id) {
  constexpr uint64_t kOdd = 0x9e3779b97f4a7c15, kOther = 0xe7037ed1a0b428db;
  const auto folded = [](uint64_t a, uint64_t b) {
    __extension__ using Product = unsigned __int128;
    const Product product = Product{a} * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  };
  const auto word = [](const char* at, auto kind) {
    std::memcpy(&kind, at, sizeof kind);
    return uint64_t{kind};
  };
  const char* at = id.data();
  size_t left = id.size();
  uint64_t hash = left * kOdd;
  for (; left > 16; left -= 16, at += 16)
    hash = folded(word(at, uint64_t{}) ^ kOther, word(at + 8, uint64_t{}) ^ hash);
  uint64_t first = 0, last = 0;  // of what is left; they may overlap
  if (left >= 8) {
    first = word(at, uint64_t{});
    last = word(at + left - 8, uint64_t{});
  } else if (left >= 4) {
    first = word(at, uint32_t{});
    last = word(at + left - 4, uint32_t{});
  } else {
    for (size_t i = 0; i < left; ++i) first = first << 8 | static_cast<unsigned char>(at[i]);
  }
  return mix64(folded(first ^ kOther, last ^ hash));
}

// Asks for the memory of an id that will be compared.
inline void prefetch_id(uint64_t) {}
inline void prefetch_id(std::string_view id) {
  __builtin_prefetch(id.data());
  __builtin_prefetch(id.data() + id.size());
}

// Ids in the order of these numbers, and of themselves where the numbers are equal, ascend. A text
// holds no zero byte.
inline uint64_t leading_word(uint64_t id) { return id; }
inline uint64_t leading_word(std::string_view id) {
  uint64_t word = 0;
  std::memcpy(&word, id.data(), std::min(id.size(), sizeof word));
  static_assert(std::endian::native == std::endian::little);
  return __builtin_bswap64(word);
}

template <class Id>
class IdDictionary {
 public:
  uint32_t code_of(const Id& id) { return code_of(id, hash_of_id(id)); }
  // The hash is that of the id.
  uint32_t code_of(const Id& id, uint64_t hash) {
    if (2 * ids_.size() >= slots_.size()) grow();
    const auto tag = static_cast<uint32_t>(hash >> 32);
    for (size_t at = hash & mask();; at = (at + 1) & mask()) {
      Slot& slot = slots_[at];
      if (slot.code == kNone) {
        slot = {static_cast<uint32_t>(ids_.size()), tag};
        ids_.push_back(id);
        hashes_.push_back(hash);
        return slot.code;
      }
      if (slot.tag == tag && ids_[slot.code] == id) return slot.code;
    }
  }
  // The id that was added last has its content there from now on.
  void move_last(const Id& same) { ids_.back() = same; }
  const std::vector<Id>& ids() const { return ids_; }
  const std::vector<uint64_t>& hashes() const { return hashes_; }

  // Ask for the memory that code_of() will read: first the slot of a hash, some time later the id
  // that it names.
  void prefetch_slot(uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash & mask()]);
  }
  void prefetch_known(uint64_t hash) const {
    if (slots_.empty()) return;
    const uint32_t code = slots_[hash & mask()].code;
    if (code != kNone) prefetch_id(ids_[code]);
  }

 private:
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  struct Slot {
    uint32_t code = kNone, tag = 0;
  };

  size_t mask() const { return slots_.size() - 1; }
  void grow() {
    slots_.assign(std::max<size_t>(64, 2 * slots_.size()), {});
    for (size_t code = 0; code < ids_.size(); ++code) {
      size_t at = hashes_[code] & mask();
      while (slots_[at].code != kNone) at = (at + 1) & mask();
      slots_[at] = {static_cast<uint32_t>(code), static_cast<uint32_t>(hashes_[code] >> 32)};
    }
  }

  std::vector<Slot> slots_;
  std::vector<Id> ids_;
  std::vector<uint64_t> hashes_;  // of each id
};

}  // namespace alsbench
