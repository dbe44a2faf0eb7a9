// SPDX-License-Identifier: Apache-2.0
#include "harness/data/text_pieces.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <numeric>

#include "base/error.h"
#include "harness/files/debug_log.h"
#include "harness/files/host_memory.h"
#include "harness/files/reading_progress.h"

namespace alsbench {
namespace {

struct Storages {
  IdStorage users = IdStorage::number, items = IdStorage::number;
  bool operator==(const Storages&) const = default;

  // Becomes what holds the ids of the piece as well.
  void widen(const PieceWriter& out) {
    users = std::max(users, out.users.needed());
    items = std::max(items, out.items.needed());
  }
};

// Room for the ratings of all pieces: piece p has that from begins[p] on.
struct Room {
  // `forgets`: whether the memory of the file goes once its lines are counted, and is asked for
  // again by those who read them.
  Room(const std::vector<TextPiece>& pieces, const TextLayout& layout, bool forgets = false)
      : begins(begins_of(pieces, layout, forgets)),
        users(begins.back()),
        items(begins.back()),
        values(begins.back()),
        times(layout.timed ? begins.back() : 0) {}

  static std::vector<int64_t> begins_of(const std::vector<TextPiece>& pieces,
                                        const TextLayout& layout, bool forgets) {
    std::vector<int64_t> begins(pieces.size() + 1);
#pragma omp parallel for schedule(dynamic, 1)  // cannot throw
    for (size_t p = 0; p < pieces.size(); ++p) {
      begins[p + 1] = layout.most_ratings(pieces[p].text);
      if (forgets && pieces[p].in_file) MappedFile::forget(pieces[p].text);
    }
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    return begins;
  }
  PieceWriter writer(size_t piece, Storages storages, bool timed) {
    const int64_t at = begins[piece];
    return {.users = PieceIds(storages.users, users.data() + at),
            .items = PieceIds(storages.items, items.data() + at),
            .values = values.data() + at,
            .times = timed ? times.data() + at : nullptr};
  }
  // Closes the gaps between pieces of `counts` ratings.
  void close(const std::vector<ParsedPiece>& pieces) {
    std::vector<int64_t> closed(begins.size());
    for (size_t p = 0; p < pieces.size(); ++p) closed[p + 1] = closed[p] + pieces[p].out.count;
    const auto move = [&](auto& column) {
      if (column.size() == 0) return;
      for (size_t p = 0; p < pieces.size(); ++p)
        if (begins[p] != closed[p])
          std::copy_n(column.data() + begins[p], pieces[p].out.count, column.data() + closed[p]);
      column.shorten(closed.back());
    };
    move(users);
    move(items);
    move(values);
    move(times);
    begins = std::move(closed);
  }

  std::vector<int64_t> begins;
  ArrayBuilder<uint32_t> users, items;
  ArrayBuilder<float> values;
  ArrayBuilder<RatingTime> times;
};

void parse_lines(ParsedPiece& piece) {
  LineReader reader(piece.text);
  while (!piece.out.outgrown()) {
    reader.move_to(piece.parser->plain_lines(reader.rest(), reader.end(), piece.out));
    if (!reader.next()) return piece.parser->end(reader);
    piece.parser->line(reader, piece.out);
  }
}

// The ids that a thread has seen.
struct SeenBoth {
  SeenIds users, items;
};

void parse(ParsedPiece& piece, SeenBoth& seen) {
  piece.out.users.join(seen.users);
  piece.out.items.join(seen.items);
  parse_lines(piece);
  piece.out.users.look_up();
  piece.out.items.look_up();
  piece.out.own_texts.clear();
}

// Storages of the ids at the beginning of a text, most often of all.
Storages storages_of(const TextPiece& whole, const TextLayout& layout, Storages storages) {
  constexpr size_t kBytes = size_t{1} << 16;
  TextPiece beginning = whole;
  beginning.text = whole.text.substr(0, kBytes);
  beginning.text = beginning.text.substr(0, beginning.text.rfind('\n') + 1);
  Room room({beginning}, layout);
  ParsedPiece piece{beginning, layout.parser(), room.writer(0, storages, layout.timed)};
  SeenBoth seen;
  try {
    parse(piece, seen);
  } catch (const UsageError&) {  // which the whole will throw
  }
  storages.widen(piece.out);
  return storages;
}

std::vector<ParsedPiece> parse_all(const std::vector<TextPiece>& pieces, const TextLayout& layout,
                                   Storages storages, Room& room, std::vector<SeenBoth>& seen) {
  std::vector<ParsedPiece> parsed;
  for (size_t p = 0; p < pieces.size(); ++p)
    parsed.push_back({pieces[p], layout.parser(), room.writer(p, storages, layout.timed)});
  std::atomic<bool> outgrown = false;
#pragma omp parallel for schedule(dynamic, 1)
  for (size_t p = 0; p < pieces.size(); ++p) {
    if (outgrown.load(std::memory_order_relaxed)) continue;
    parsed[p].thread = omp_get_thread_num();
    try {
      parse(parsed[p], seen[static_cast<size_t>(parsed[p].thread)]);
    } catch (...) {
      parsed[p].error = std::current_exception();
    }
    reading_progress().add(std::ssize(pieces[p].text));
    if (parsed[p].out.outgrown()) outgrown.store(true, std::memory_order_relaxed);
    if (pieces[p].in_file) MappedFile::forget(pieces[p].text);
  }
  return parsed;
}

int64_t line_of(const TextLayout& layout, const TextPiece& text, int64_t rating) {
  Room room({text}, layout);
  const auto parser = layout.parser();
  PieceWriter out = room.writer(0, {}, layout.timed);
  LineReader reader(text);
  while (out.count <= rating && reader.next()) parser->line(reader, out);
  return reader.line_number();
}

// Ranks the ids of both columns, whose texts `raw` keeps.
void rank_ids(Room& room, Storages storages, const std::vector<ParsedPiece>& pieces,
              std::vector<SeenBoth> seen, RawRatings& raw) {
  std::vector<int> thread_of;
  for (const ParsedPiece& piece : pieces) thread_of.push_back(piece.thread);
  std::vector<SeenIds> users, items;
  for (SeenBoth& both : seen) {
    raw.owners.insert(raw.owners.end(), {both.users.arena, both.items.arena});
    users.push_back(std::move(both.users));
    items.push_back(std::move(both.items));
  }
  const CodePieces code_pieces{room.begins, thread_of};
  raw.users = finish_ids(std::move(room.users), storages.users, std::move(users), code_pieces);
  raw.items = finish_ids(std::move(room.items), storages.items, std::move(items), code_pieces);
}

}  // namespace

RawRatings read_texts(const std::vector<TextPiece>& wholes, const TextLayout& layout,
                      TextIds text) {
  Storages storages{.users = text.users ? IdStorage::text : IdStorage::number,
                    .items = text.items ? IdStorage::text : IdStorage::number};
  if (!wholes.empty()) storages = storages_of(wholes.front(), layout, storages);
  std::vector<TextPiece> pieces;
  int64_t bytes = 0;  // a rating takes as many as its line, or more
  for (const TextPiece& whole : wholes) {
    for (TextPiece& piece : split_text(whole, layout.starts_piece)) {
      bytes += static_cast<int64_t>(piece.text.size());
      pieces.push_back(std::move(piece));
    }
  }
  require_host_memory(bytes);
  while (true) {
    reading_progress().begin(bytes);
    // Texts are longer than what is kept of a rating.
    Room room(pieces, layout,
              storages.users == IdStorage::text || storages.items == IdStorage::text);
    log_step("ratings: lines are counted");
    std::vector<SeenBoth> seen(static_cast<size_t>(omp_get_max_threads()));
    const std::vector<ParsedPiece> parsed = parse_all(pieces, layout, storages, room, seen);
    log_step("ratings: lines are parsed");
    const Storages before = storages;
    for (const ParsedPiece& piece : parsed) storages.widen(piece.out);
    if (storages != before) continue;
    if (layout.check) layout.check(parsed);
    for (const ParsedPiece& piece : parsed)
      if (piece.error) std::rethrow_exception(piece.error);
    room.close(parsed);
    RawRatings raw;
    for (size_t p = 0; p < pieces.size(); ++p) raw.pieces.push_back({pieces[p], room.begins[p]});
    TextLayout again = layout;
    again.check = {};  // which may know the caller alone
    raw.line_of = [again](const TextPiece& piece, int64_t i) { return line_of(again, piece, i); };
    if (layout.stated_rows > 0) {
      raw.users = stated_ids(std::move(room.users), layout.stated_rows);
      raw.items = stated_ids(std::move(room.items), layout.stated_cols);
    } else {
      rank_ids(room, storages, parsed, std::move(seen), raw);
    }
    raw.values = room.values.freeze();
    for (const ParsedPiece& piece : parsed) raw.left_out += piece.out.left_out;
    log_step("ratings: ids are ranked");
    const auto untimed = std::ranges::find_if(
        parsed, [](const ParsedPiece& piece) { return piece.out.untimed >= 0; });
    if (untimed == parsed.end())
      raw.times = room.times.freeze();
    else
      raw.untimed =
          room.begins[static_cast<size_t>(untimed - parsed.begin())] + untimed->out.untimed;
    return raw;
  }
}

}  // namespace alsbench
