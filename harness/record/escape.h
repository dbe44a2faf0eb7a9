// SPDX-License-Identifier: Apache-2.0
// Names and messages of strangers in files that others parse: escaped so that they cannot break the
// file and different texts stay different.
#pragma once

#include <string>
#include <string_view>

namespace alsbench {

// In one line of printable text: a backslash and what no reader should meet raw (control
// characters, among them ANSI escapes and newlines; line and direction controls of Unicode; bytes
// that are no UTF-8) become \\, \n, \r, \t, \xHH or \u{HHHH}. Different texts stay different.
std::string visible(std::string_view text);

// A message that may have several lines, as a terminal may get it: visible(), but newlines and
// backslashes stay.
std::string printable(std::string_view message);

// visible(), with the characters that XML reserves as entities: content or a quoted attribute.
std::string xml_text(std::string_view text);

// visible(), as a cell of a Markdown table: a code span unless every character is plain, so no
// markup, HTML or mention in it takes effect.
std::string markdown_cell(std::string_view text);

// ASCII letters as capitals: the name of a metric as people write it.
std::string upper_case(std::string_view text);

}  // namespace alsbench
