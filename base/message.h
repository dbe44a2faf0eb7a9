// SPDX-License-Identifier: Apache-2.0
// Messages on standard error. Each is written at once, so those of several threads do not mix, and
// is dropped where it cannot be written: no work ends because nobody reads its messages.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string_view>
#include <utility>

namespace alsbench {

void write_message(std::FILE* stream, std::string_view text);

// fmt::print(stderr, ...) throws where standard error is full or has no reader.
template <class... Arguments>
void print_message(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_message(stderr, fmt::format(format, std::forward<Arguments>(arguments)...));
}

}  // namespace alsbench
