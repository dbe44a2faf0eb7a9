// SPDX-License-Identifier: Apache-2.0
// Content that is written piece by piece, and never is in memory as a whole.
#pragma once

#include <algorithm>
#include <functional>
#include <string_view>

namespace alsbench {

// Appends to what is written, from any thread, one at a time.
using WriteText = std::function<void(std::string_view)>;
// Writes all of a file, piece by piece.
using FileContent = std::function<void(const WriteText& write)>;

// Pieces that stay in a cache from one use of them, such as a hash, to the next.
inline void write_pieces(std::string_view bytes, const WriteText& write) {
  constexpr size_t kPiece = size_t{1} << 20;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(kPiece, bytes.size())))
    write(bytes.substr(0, kPiece));
}

}  // namespace alsbench
