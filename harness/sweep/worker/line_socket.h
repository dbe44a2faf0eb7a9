// SPDX-License-Identifier: Apache-2.0
// Lines over a socket: what planner and worker exchange.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace alsbench {

// Blocking; does not own the descriptor.
class LineSocket {
 public:
  explicit LineSocket(int fd) : fd_(fd) {}
  // The next line without its newline; nothing at the end of the stream.
  std::optional<std::string> read_line();
  // A complete line that is already here; does not block.
  std::optional<std::string> buffered_line();
  // Reads once what is there, blocking when nothing is; false at the end of the stream.
  bool fill();

 private:
  int fd_;
  std::string buffer_;
};

// Sends `text` and a newline; false when the other end is gone (never SIGPIPE).
bool send_line(int fd, std::string_view text);

}  // namespace alsbench
