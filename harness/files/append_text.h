// SPDX-License-Identifier: Apache-2.0
// Content that is written piece by piece, and never is in memory as a whole.
#pragma once

#include <fstream>
#include <functional>
#include <string_view>

namespace alsbench {

// Appends to what is written.
using WriteText = std::function<void(std::string_view)>;
// Writes all of a file, piece by piece.
using FileContent = std::function<void(const WriteText& write)>;

// To a stream of replace_stream (atomic_file.h), from any thread. Throws std::runtime_error with
// the reason, which the stream itself tells only the thread that wrote.
void append_text(std::ofstream& stream, std::string_view text);

}  // namespace alsbench
