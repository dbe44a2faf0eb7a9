// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/standard_streams.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "base/error.h"

namespace alsbench {

void secure_standard_streams() {
  int fd = 0;
  do fd = open("/dev/null", O_RDWR);  // takes the lowest number that is free
  while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0) close(fd);
}

const char* lost_output() {
  pollfd output{STDOUT_FILENO, 0, 0};
  if (poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0) {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  return "cannot write all of the output to standard output; send it to a file on a disk with "
         "free space";
}

void flush_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw EnvironmentError(lost_output());
}

}  // namespace alsbench
