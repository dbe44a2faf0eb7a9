// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

#include "base/error.h"

namespace alsbench {

void secure_standard_streams() {
  int fd = 0;
  do fd = open("/dev/null", O_RDWR);  // takes the lowest number that is free
  while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0) close(fd);
}

void flush_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw EnvironmentError(kLostOutput);
}

}  // namespace alsbench
