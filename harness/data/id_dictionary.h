// SPDX-License-Identifier: Apache-2.0
// IdDictionary: the distinct ids of a run of ratings and the code of each, in the order in which
// they were first seen. A hash table with open addresses: an id is a number of 64 bits or a text.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string_view>
#include <vector>

#include "kernels/shared/generate.h"

namespace alsbench {

inline uint64_t hash_of_id(uint64_t id) { return mix64(id); }
inline uint64_t hash_of_id(std::string_view id) { return std::hash<std::string_view>()(id); }

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
        return slot.code;
      }
      if (slot.tag == tag && ids_[slot.code] == id) return slot.code;
    }
  }
  const std::vector<Id>& ids() const { return ids_; }

 private:
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  struct Slot {
    uint32_t code = kNone, tag = 0;
  };

  size_t mask() const { return slots_.size() - 1; }
  void grow() {
    slots_.assign(std::max<size_t>(64, 2 * slots_.size()), {});
    for (size_t code = 0; code < ids_.size(); ++code) {
      const uint64_t hash = hash_of_id(ids_[code]);
      size_t at = hash & mask();
      while (slots_[at].code != kNone) at = (at + 1) & mask();
      slots_[at] = {static_cast<uint32_t>(code), static_cast<uint32_t>(hash >> 32)};
    }
  }

  std::vector<Slot> slots_;
  std::vector<Id> ids_;
};

}  // namespace alsbench
