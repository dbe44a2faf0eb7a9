// SPDX-License-Identifier: Apache-2.0
// Text for a stream of replace_stream (atomic_file.h) that threads write.
#pragma once

#include <fstream>
#include <string_view>

namespace alsbench {

// Throws std::runtime_error with the reason, which the stream itself tells only the thread that
// wrote.
void append_text(std::ofstream& stream, std::string_view text);

}  // namespace alsbench
