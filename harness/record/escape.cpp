// SPDX-License-Identifier: Apache-2.0
#include "harness/record/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace alsbench {
namespace {

struct Character {
  uint32_t code = 0;
  size_t bytes = 0;  // 0: no UTF-8
};

// The first character of a text that is not empty (RFC 3629: no overlong form, no surrogate).
Character decode(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  uint32_t code = lead & (0x7fU >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {};
    code = (code << 6) | (byte(i) & 0x3fU);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kSmallest[bytes] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {code, bytes};
}

// Line and paragraph separators, direction controls, the byte order mark and noncharacters.
bool disguises(uint32_t code) {
  return (code >= 0x80 && code < 0xa0) || code == 0x200e || code == 0x200f ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
         code == 0xfeff || (code & 0xfffeU) == 0xfffe;
}

std::string escaped(uint32_t code) {
  switch (code) {
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return code < 0x80 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{{{:04x}}}", code);
  }
}

std::string visible_but(std::string_view text, std::string_view kept) {
  std::string line;
  while (!text.empty()) {
    const Character c = decode(text);
    const size_t bytes = std::max<size_t>(c.bytes, 1);
    if (c.bytes == 0)
      line += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    else if (kept.find(text[0]) == kept.npos &&
             (c.code < 0x20 || c.code == 0x7f || c.code == '\\' || disguises(c.code)))
      line += escaped(c.code);
    else
      line += text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return line;
}

}  // namespace

std::string visible(std::string_view text) { return visible_but(text, ""); }

std::string printable(std::string_view message) { return visible_but(message, "\n\\"); }

std::string xml_text(std::string_view text) {
  std::string xml;
  for (const char c : visible(text)) switch (c) {
      case '&':
        xml += "&amp;";
        break;
      case '<':
        xml += "&lt;";
        break;
      case '>':
        xml += "&gt;";
        break;
      case '"':
        xml += "&quot;";
        break;
      case '\'':
        xml += "&apos;";
        break;
      default:
        xml += c;
    }
  return xml;
}

std::string markdown_cell(std::string_view text) {
  std::string line = visible(text);
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view(" .,%+-/()=:").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (std::all_of(line.begin(), line.end(), plain)) return line;
  // A code span is closed by as many backticks as opened it: one more than any run inside.
  size_t longest = 0, run = 0;
  std::string code;
  for (const char c : line) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    code += c == '|' ? "\\|" : std::string(1, c);  // the table is cut into cells before all else
  }
  const std::string fence(longest + 1, '`');
  const bool pad = code.front() == '`' || code.back() == '`' || code.front() == ' ';
  return pad ? fence + " " + code + " " + fence : fence + code + fence;
}

std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return upper;
}

}  // namespace alsbench
