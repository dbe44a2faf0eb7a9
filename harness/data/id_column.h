// SPDX-License-Identifier: Apache-2.0
// IdColumn: a column of ids while a file is read. Pieces of the file write codes of their own, in
// parallel; finish_ids() makes the codes of all pieces those of ascending ids.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/data/array_builder.h"
#include "harness/data/id_dictionary.h"
#include "harness/data/raw_ratings.h"

namespace alsbench {

// The code of an id until finish_ids(): itself, as a number below 2^32, or its place in the
// dictionary of its piece. Each storage holds what those before it hold.
enum class IdStorage { number, wide_number, text };

// The ids of one piece. Those that the storage does not hold are left out, and say what does.
class PieceIds {
 public:
  PieceIds(IdStorage storage, uint32_t* codes)
      : codes_(codes), storage_(storage), needed_(storage) {}

  IdStorage storage() const { return storage_; }
  bool text() const { return storage_ == IdStorage::text; }
  IdStorage needed() const { return needed_; }
  void put(int64_t place, uint64_t number) {
    if (storage_ == IdStorage::number && number <= UINT32_MAX) {
      codes_[place] = static_cast<uint32_t>(number);
    } else if (storage_ == IdStorage::wide_number) {
      codes_[place] = numbers_.code_of(number);
    } else {
      need(IdStorage::wide_number);
    }
  }
  // The text outlives this. Its code is there once look_up() was called.
  void put(int64_t place, std::string_view text) {
    if (storage_ != IdStorage::text) return need(IdStorage::text);
    Waiting& next = waiting_[waiting_count_++];
    next = {text, hash_of_id(text), place};
    texts_.prefetch_slot(next.hash);
    if (waiting_count_ == waiting_.size()) look_up();
  }
  // Looks up the texts that wait: together, as the memory of all of them is then fetched at once.
  void look_up() {
    const std::span<const Waiting> waiting(waiting_.data(), std::exchange(waiting_count_, 0));
    for (const Waiting& id : waiting) texts_.prefetch_known(id.hash);
    for (const Waiting& id : waiting) codes_[id.place] = texts_.code_of(id.text, id.hash);
  }

  IdDictionary<uint64_t>& numbers() { return numbers_; }
  IdDictionary<std::string_view>& texts() { return texts_; }

 private:
  struct Waiting {
    std::string_view text;
    uint64_t hash = 0;
    int64_t place = 0;
  };

  void need(IdStorage storage) { needed_ = std::max(needed_, storage); }

  uint32_t* codes_;
  IdStorage storage_, needed_;
  IdDictionary<uint64_t> numbers_;
  IdDictionary<std::string_view> texts_;
  std::array<Waiting, 32> waiting_;
  size_t waiting_count_ = 0;
};

// The column of pieces whose codes stand one after another: piece p has those from begins[p] to
// begins[p + 1]. Throws UsageError where there are more than 2^31 - 1 ids.
RawIds finish_ids(ArrayBuilder<uint32_t> codes, std::vector<PieceIds> pieces,
                  std::span<const int64_t> begins);

// The column of a format that states how many there are: the codes are indices from 0.
RawIds stated_ids(ArrayBuilder<uint32_t> codes, int64_t stated);

}  // namespace alsbench
