// SPDX-License-Identifier: Apache-2.0
// IdColumn: a column of ids while a file is read. Threads write codes of their own, a piece of the
// file at a time; finish_ids() makes the codes of all pieces those of ascending ids.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/data/array_builder.h"
#include "harness/data/id_dictionary.h"
#include "harness/data/raw_ratings.h"

namespace alsbench {

// The code of an id until finish_ids(): itself, as a number below 2^32, or its place in the
// dictionary of its thread. Each storage holds what those before it hold.
enum class IdStorage { number, wide_number, text };

// Texts, one behind the other.
class TextArena {
 public:
  std::string_view keep(std::string_view text) {
    if (text.size() > left_) {
      left_ = std::max(kBlock, text.size());
      at_ = blocks_.emplace_back(std::make_unique_for_overwrite<char[]>(left_)).get();
    }
    std::copy(text.begin(), text.end(), at_);
    left_ -= text.size();
    return {std::exchange(at_, at_ + text.size()), text.size()};
  }

 private:
  static constexpr size_t kBlock = size_t{1} << 18;
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* at_ = nullptr;
  size_t left_ = 0;
};

// The distinct ids that one thread meets in a column. It keeps the texts, so the memory of the file
// can go: most pieces have the ids of those before.
struct SeenIds {
  IdDictionary<uint64_t> numbers;
  IdDictionary<std::string_view> texts;
  std::shared_ptr<TextArena> arena = std::make_shared<TextArena>();

  uint32_t code_of(std::string_view text, uint64_t hash) {
    const size_t before = texts.ids().size();
    const uint32_t code = texts.code_of(text, hash);
    if (texts.ids().size() > before) texts.move_last(arena->keep(text));
    return code;
  }
};

// The ids of one piece. Those that the storage does not hold are left out, and say what does.
class PieceIds {
 public:
  PieceIds(IdStorage storage, uint32_t* codes)
      : codes_(codes), storage_(storage), needed_(storage) {}

  // Comes first, unless the ids are codes themselves: the ids are among those that are seen here.
  void join(SeenIds& seen) { seen_ = &seen; }

  IdStorage storage() const { return storage_; }
  bool text() const { return storage_ == IdStorage::text; }
  IdStorage needed() const { return needed_; }
  void put(int64_t place, uint64_t number) {
    if (storage_ == IdStorage::number && number <= UINT32_MAX) {
      codes_[place] = static_cast<uint32_t>(number);
    } else if (storage_ == IdStorage::wide_number) {
      codes_[place] = seen_->numbers.code_of(number);
    } else {
      need(IdStorage::wide_number);
    }
  }
  // The text is there until look_up() was called, and so is its code.
  void put(int64_t place, std::string_view text) {
    if (storage_ != IdStorage::text) return need(IdStorage::text);
    Waiting& next = waiting_[waiting_count_++];
    next = {text, hash_of_id(text), place};
    seen_->texts.prefetch_slot(next.hash);
    if (waiting_count_ == waiting_.size()) look_up();
  }
  // Looks up the texts that wait: together, as the memory of all of them is then fetched at once.
  void look_up() {
    const std::span<const Waiting> waiting(waiting_.data(), std::exchange(waiting_count_, 0));
    for (const Waiting& id : waiting) seen_->texts.prefetch_known(id.hash);
    for (const Waiting& id : waiting) codes_[id.place] = seen_->code_of(id.text, id.hash);
  }

 private:
  struct Waiting {
    std::string_view text;
    uint64_t hash = 0;
    int64_t place = 0;
  };

  void need(IdStorage storage) { needed_ = std::max(needed_, storage); }

  uint32_t* codes_;
  IdStorage storage_, needed_;
  SeenIds* seen_ = nullptr;
  std::array<Waiting, 32> waiting_;
  size_t waiting_count_ = 0;
};

// Pieces whose codes stand one after another: piece p has those from begins[p] to begins[p + 1], of
// ids that thread_of[p] has seen.
struct CodePieces {
  std::span<const int64_t> begins;
  std::span<const int> thread_of;
};

// The column of the pieces; seen[thread] are the ids of a thread, whose arenas outlive the result.
// Throws UsageError where there are more than 2^31 - 1 ids.
RawIds finish_ids(ArrayBuilder<uint32_t> codes, IdStorage storage, std::vector<SeenIds> seen,
                  const CodePieces& pieces);

// The column of a format that states how many there are: the codes are indices from 0.
RawIds stated_ids(ArrayBuilder<uint32_t> codes, int64_t stated);

}  // namespace alsbench
