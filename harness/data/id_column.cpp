// SPDX-License-Identifier: Apache-2.0
#include "harness/data/id_column.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <parallel/algorithm>

#include "base/error.h"
#include "harness/data/bucket_sort.h"

namespace alsbench {
namespace {

using Codes = ArrayBuilder<uint32_t>;

// The same numbers, as what is not negative.
Array<int32_t> signed_codes(Codes codes) {
  const auto owner = std::make_shared<const Array<uint32_t>>(codes.freeze());
  const auto* const data = reinterpret_cast<const int32_t*>(owner->data());
  return {std::span<const int32_t>(data, static_cast<size_t>(owner->size())), owner};
}

void check_count(int64_t count) {
  if (count <= std::numeric_limits<int32_t>::max()) return;
  throw UsageError(
      fmt::format("{} distinct ids; at most 2147483647 users or items are supported", count));
}

// All ids, ascending, and which of them each code stands for.
template <class Id>
struct Ranked {
  std::vector<Id> ids;
  std::vector<std::vector<uint32_t>> rank_of;  // of each code of each dictionary
};

template <class Id>
struct Unranked {
  uint64_t leading;
  Id id;
  uint32_t place;
  bool operator<(const Unranked& other) const {
    return leading != other.leading ? leading < other.leading : id < other.id;
  }
};

// Where an id of a partition was seen.
template <class Id>
struct Occurrence {
  Id id;
  uint64_t hash;
  uint32_t dictionary, code;
};

constexpr int kPartitionBits = 8;
constexpr int64_t kPartitions = int64_t{1} << kPartitionBits;

// Those of all ids by the hash of the id: partition p has those from begins[p] on. Equal ids have
// equal hashes, so each partition is looked through for itself, with a table that stays in a cache.
template <class Id>
struct Occurrences {
  ArrayBuilder<Occurrence<Id>> seen;
  Array<int64_t> begins;
};

template <class Id>
Occurrences<Id> partitioned(const std::vector<IdDictionary<Id>>& dictionaries) {
  int64_t all = 0;
  for (const auto& dictionary : dictionaries) all += std::ssize(dictionary.ids());
  Occurrences<Id> found{ArrayBuilder<Occurrence<Id>>(all), {}};
  const auto visit = [&](int part, auto&& each) {
    const IdDictionary<Id>& dictionary = dictionaries[static_cast<size_t>(part)];
    const std::vector<uint64_t>& hashes = dictionary.hashes();
    for (size_t code = 0; code < hashes.size(); ++code)
      each(static_cast<int64_t>(hashes[code] >> (64 - kPartitionBits)),
           Occurrence<Id>{dictionary.ids()[code], hashes[code], static_cast<uint32_t>(part),
                          static_cast<uint32_t>(code)});
  };
  found.begins =
      bucket_sort(static_cast<int>(dictionaries.size()), kPartitions, visit,
                  [&](int64_t place, const Occurrence<Id>& seen) { found.seen[place] = seen; });
  return found;
}

// The ids of each partition. `code_of` of each code of each dictionary is set to that of its
// partition.
template <class Id>
std::vector<IdDictionary<Id>> distinct(const Occurrences<Id>& found,
                                       std::vector<std::vector<uint32_t>>& code_of) {
  constexpr int64_t kAhead = 16;
  std::vector<IdDictionary<Id>> partitions(kPartitions);
  FirstError error;
#pragma omp parallel for schedule(dynamic, 1)
  for (int64_t p = 0; p < kPartitions; ++p)
    error.run([&] {
      IdDictionary<Id>& partition = partitions[static_cast<size_t>(p)];
      const int64_t end = found.begins[p + 1];
      for (int64_t i = found.begins[p]; i < end; ++i) {
        if (i + kAhead < end) prefetch_id(found.seen[i + kAhead].id);
        const Occurrence<Id>& seen = found.seen[i];
        code_of[seen.dictionary][seen.code] = partition.code_of(seen.id, seen.hash);
      }
    });
  error.rethrow();
  return partitions;
}

// Sets `ids` to those of all partitions, ascending, and returns the place of each among them:
// those of partition p are from firsts[p] on.
template <class Id>
std::vector<uint32_t> ascending(const std::vector<IdDictionary<Id>>& partitions,
                                const std::vector<int64_t>& firsts, std::vector<Id>& ids) {
  std::vector<Unranked<Id>> order(static_cast<size_t>(firsts.back()));
#pragma omp parallel for schedule(dynamic, 1)  // cannot throw
  for (size_t p = 0; p < partitions.size(); ++p) {
    auto at = static_cast<size_t>(firsts[p]);
    for (const Id& id : partitions[p].ids()) {
      order[at] = {leading_word(id), id, static_cast<uint32_t>(at)};
      ++at;
    }
  }
  __gnu_parallel::sort(order.begin(), order.end());
  std::vector<uint32_t> ranks(order.size());
  ids.resize(order.size());
#pragma omp parallel for schedule(static)  // cannot throw
  for (size_t rank = 0; rank < order.size(); ++rank) {
    ranks[order[rank].place] = static_cast<uint32_t>(rank);
    ids[rank] = order[rank].id;
  }
  return ranks;
}

template <class Id>
Ranked<Id> ranked(std::vector<IdDictionary<Id>> dictionaries) {
  Ranked<Id> result;
  for (const auto& dictionary : dictionaries) result.rank_of.emplace_back(dictionary.ids().size());
  const Occurrences<Id> found = partitioned(dictionaries);
  const auto partitions = distinct(found, result.rank_of);
  dictionaries.clear();
  std::vector<int64_t> firsts{0};
  for (const auto& partition : partitions)
    firsts.push_back(firsts.back() + std::ssize(partition.ids()));
  check_count(firsts.back());
  const std::vector<uint32_t> ranks = ascending(partitions, firsts, result.ids);
#pragma omp parallel for schedule(dynamic, 1)  // cannot throw
  for (int64_t p = 0; p < kPartitions; ++p)
    for (int64_t i = found.begins[p]; i < found.begins[p + 1]; ++i) {
      uint32_t& rank = result.rank_of[found.seen[i].dictionary][found.seen[i].code];
      rank = ranks[static_cast<size_t>(firsts[static_cast<size_t>(p)]) + rank];
    }
  return result;
}

// The codes of pieces become those of all ids.
template <class Id>
std::vector<Id> rank(Codes& codes, std::vector<IdDictionary<Id>> dictionaries,
                     const CodePieces& pieces) {
  Ranked<Id> all = ranked(std::move(dictionaries));
#pragma omp parallel for schedule(dynamic, 1)  // cannot throw
  for (size_t piece = 0; piece < pieces.thread_of.size(); ++piece) {
    const auto& rank_of = all.rank_of[static_cast<size_t>(pieces.thread_of[piece])];
    for (int64_t i = pieces.begins[piece]; i < pieces.begins[piece + 1]; ++i)
      codes[i] = rank_of[codes[i]];
  }
  return std::move(all.ids);
}

// Numbers in a range not much wider than their count, the usual case: a table of all of them.
std::vector<uint64_t> rank_by_table(Codes& codes, uint32_t maximum) {
  ArrayBuilder<uint32_t> ranks(int64_t{maximum} + 1);
  std::fill_n(ranks.data(), ranks.size(), 0);
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t i = 0; i < codes.size(); ++i) {
    // Of threads that write 1 at once, any does; one that reads first leaves others their cache.
    std::atomic_ref<uint32_t> seen(ranks[codes[i]]);
    if (seen.load(std::memory_order_relaxed) == 0) seen.store(1, std::memory_order_relaxed);
  }
  std::vector<uint64_t> numbers;
  for (int64_t number = 0; number < ranks.size(); ++number) {
    if (ranks[number] == 0) continue;
    ranks[number] = static_cast<uint32_t>(numbers.size());
    numbers.push_back(static_cast<uint64_t>(number));
  }
  check_count(std::ssize(numbers));
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t i = 0; i < codes.size(); ++i) codes[i] = ranks[codes[i]];
  return numbers;
}

std::vector<uint64_t> rank_numbers(Codes& codes, std::span<const int64_t> begins) {
  uint32_t maximum = 0;
#pragma omp parallel for schedule(static) reduction(max : maximum)  // cannot throw
  for (int64_t i = 0; i < codes.size(); ++i) maximum = std::max(maximum, codes[i]);
  constexpr int64_t kSmall = int64_t{1} << 16;
  if (maximum <= std::max(kSmall, 2 * codes.size())) return rank_by_table(codes, maximum);
  std::vector<IdDictionary<uint64_t>> dictionaries(static_cast<size_t>(omp_get_max_threads()));
  std::vector<int> thread_of(begins.size() - 1);
  FirstError error;
#pragma omp parallel for schedule(dynamic, 1)
  for (size_t piece = 0; piece < thread_of.size(); ++piece)
    error.run([&] {
      thread_of[piece] = omp_get_thread_num();
      auto& dictionary = dictionaries[static_cast<size_t>(thread_of[piece])];
      for (int64_t i = begins[piece]; i < begins[piece + 1]; ++i)
        codes[i] = dictionary.code_of(codes[i]);
    });
  error.rethrow();
  return rank(codes, std::move(dictionaries), {begins, thread_of});
}

template <class Id>
std::vector<IdDictionary<Id>> taken(std::vector<SeenIds>& seen, IdDictionary<Id> SeenIds::*ids) {
  std::vector<IdDictionary<Id>> dictionaries;
  for (SeenIds& each : seen) dictionaries.push_back(std::move(each.*ids));
  return dictionaries;
}

}  // namespace

RawIds finish_ids(Codes codes, IdStorage storage, std::vector<SeenIds> seen,
                  const CodePieces& pieces) {
  RawIds ids;
  ids.text = storage == IdStorage::text;
  if (storage == IdStorage::text)
    ids.texts = rank(codes, taken(seen, &SeenIds::texts), pieces);
  else if (storage == IdStorage::wide_number)
    ids.numbers = rank(codes, taken(seen, &SeenIds::numbers), pieces);
  else
    ids.numbers = rank_numbers(codes, pieces.begins);
  ids.codes = signed_codes(std::move(codes));
  return ids;
}

RawIds stated_ids(Codes codes, int64_t stated) {
  RawIds ids;
  ids.stated = stated;
  ids.codes = signed_codes(std::move(codes));
  return ids;
}

}  // namespace alsbench
