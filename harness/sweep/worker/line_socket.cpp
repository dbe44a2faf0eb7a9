// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/worker/line_socket.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace alsbench {

std::optional<std::string> LineSocket::buffered_line() {
  const size_t end = buffer_.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  return line;
}

bool LineSocket::fill() {
  std::array<char, 65536> chunk{};
  ssize_t count = 0;
  do count = read(fd_, chunk.data(), chunk.size());
  while (count < 0 && errno == EINTR);
  if (count <= 0) return false;
  buffer_.append(chunk.data(), static_cast<size_t>(count));
  return true;
}

std::optional<std::string> LineSocket::read_line() {
  while (true) {
    if (auto line = buffered_line()) return line;
    if (!fill()) return std::nullopt;
  }
}

bool send_line(int fd, std::string_view text) {
  std::string line(text);
  line += '\n';
  for (size_t sent = 0; sent < line.size();) {
    const ssize_t count = send(fd, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    sent += static_cast<size_t>(count);
  }
  return true;
}

}  // namespace alsbench
