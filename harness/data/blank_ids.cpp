// SPDX-License-Identifier: Apache-2.0
#include "harness/data/blank_ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernels/cpu/first_error.h"

namespace alsbench {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Whether a blank is next to a separator or a line end.
bool has_blank_at_end(std::string_view text, char separator) {
  constexpr size_t kBlock = 4096;
  const auto ends = [separator](char c) { return c == separator || c == '\n' || c == '\r'; };
  for (size_t begin = 1; begin < text.size(); begin += kBlock) {
    const size_t end = std::min(begin + kBlock, text.size());
    uint8_t found = 0;  // a vector looks at many bytes at once
    for (size_t i = begin; i < end; ++i) {
      const uint8_t end_before = ends(text[i - 1]), blank_before = is_blank(text[i - 1]);
      const uint8_t end_here = ends(text[i]), blank_here = is_blank(text[i]);
      found |= (end_before & blank_here) | (blank_before & end_here);
    }
    if (found != 0) return true;
  }
  return false;
}

// Whether some window of the text has one; the memory of those before goes again, of a file.
bool has_cut_blank(const TextPiece& whole, char separator) {
  constexpr size_t kWindow = size_t{4} << 20;
  if (!whole.text.empty() && is_blank(whole.text.front())) return true;
  for (size_t at = 0; at < whole.text.size(); at += kWindow) {
    const size_t before = at == 0 ? 0 : 1;
    if (has_blank_at_end(whole.text.substr(at - before, kWindow + before), separator)) return true;
    if (whole.in_file) MappedFile::forget(whole.text.substr(at, kWindow));
  }
  return false;
}

bool is_item(ColumnRole role) { return role == ColumnRole::item; }

// An id without the blanks around it, and those.
struct BlankId {
  ColumnRole role;
  std::string_view id, before, behind;

  std::string_view whole() const {
    return {before.data(), before.size() + id.size() + behind.size()};
  }
  bool is_cut() const { return !before.empty() || !behind.empty(); }
};

// Walks the text ids that stand in no quotes.
class IdWalk {
 public:
  IdWalk(const TextPiece& text, const Columns& columns)
      : text_(text), columns_(columns), reader_(text_) {}

  // Calls visit(id) until it returns true; returns whether it did.
  template <class Visit>
  bool any(const Visit& visit) {
    while (reader_.next()) {
      split_line(reader_, columns_, fields_);
      for (const ColumnRole role : {ColumnRole::user, ColumnRole::item}) {
        if (columns_.of(role) >= fields_.size()) continue;
        const std::string_view id = fields_[columns_.of(role)];
        uint64_t number = 0;
        if (is_quoted(id) || parse_id(id, number) != IdKind::text) continue;
        if (visit(with_blanks(role, id))) return true;
      }
    }
    return false;
  }
  int64_t line_number() const { return reader_.line_number(); }

 private:
  BlankId with_blanks(ColumnRole role, std::string_view id) const {
    const auto is_cut = [&](char c) { return is_blank(c) && c != columns_.separator.front(); };
    const char *const begin = id.data(), *const end = begin + id.size();
    const char *from = begin, *to = end;
    while (from > text_.text.data() && is_cut(from[-1])) --from;
    while (to < text_.text.data() + text_.text.size() && is_cut(*to)) ++to;
    return {role, id, {from, begin}, {end, to}};
  }

  TextPiece text_;
  const Columns& columns_;
  LineReader reader_;
  std::vector<std::string_view> fields_;
};

// The blanks around the ids of a column, of which all have the same unless they are mixed.
struct CommonBlanks {
  std::optional<std::pair<std::string_view, std::string_view>> all;
  bool mixed = false;

  void add(std::string_view before, std::string_view behind) {
    if (!all) all.emplace(before, behind);
    mixed |= *all != std::pair(before, behind);
  }
  void add(const CommonBlanks& other) {
    if (other.all) add(other.all->first, other.all->second);
    mixed |= other.mixed;
  }
};

// Whether a column's ids have not all the same blanks around them.
bool are_mixed(const TextPiece& whole, const Columns& columns) {
  const std::vector<TextPiece> pieces = split_text(whole, [](std::string_view) { return true; });
  std::vector<std::array<CommonBlanks, 2>> found(pieces.size());
  FirstError error;
#pragma omp parallel for schedule(dynamic, 1)
  for (size_t p = 0; p < pieces.size(); ++p) {
    error.run([&] {
      IdWalk(pieces[p], columns).any([&](const BlankId& id) {
        found[p][is_item(id.role)].add(id.before, id.behind);
        return false;
      });
    });
  }
  error.rethrow();
  std::array<CommonBlanks, 2> all;
  for (const auto& piece : found)
    for (size_t side = 0; side < all.size(); ++side) all[side].add(piece[side]);
  return all[0].mixed || all[1].mixed;
}

}  // namespace

std::string merged_id(const TextPiece& whole, const Columns& columns) {
  if (!columns.text_ids || !has_cut_blank(whole, columns.separator.front()) ||
      !are_mixed(whole, columns))
    return "";
  std::array<std::unordered_map<std::string_view, std::string_view>, 2> cut;  // with its blanks
  IdWalk(whole, columns).any([&](const BlankId& id) {
    if (id.is_cut()) cut[is_item(id.role)].emplace(id.id, id.whole());
    return false;
  });
  std::string merged;
  IdWalk walk(whole, columns);
  walk.any([&](const BlankId& id) {
    const auto found = cut[is_item(id.role)].find(id.id);
    if (found == cut[is_item(id.role)].end() || found->second == id.whole()) return false;
    merged = fmt::format(
        "line {}: the {} {} is that of another line, {}: blanks around a field are cut; put ids "
        "whose blanks count in quotes",
        walk.line_number(), name_of(id.role), shown(id.whole()), shown(found->second));
    return true;
  });
  return merged;
}

}  // namespace alsbench
