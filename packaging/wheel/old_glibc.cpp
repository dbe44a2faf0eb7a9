// SPDX-License-Identifier: Apache-2.0
// Linked into the wheel: functions that Debian 12's glibc has in versions newer than 2.34. The
// static C++ library calls the one, the harness the other.
#include <unistd.h>

#include <cstdlib>

double old_hypot(double a, double b);
__asm__(".symver _Z9old_hypotdd,hypot@GLIBC_2.2.5");

extern "C" {

unsigned arc4random() noexcept {
  unsigned number = 0;
  if (getentropy(&number, sizeof number) != 0) std::abort();
  return number;
}

double hypot(double a, double b) noexcept { return old_hypot(a, b); }
}
