#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# exp, log, pow and sin of doubles give other last bits on a processor without FMA, from one binary, linked statically or not.
#
# Versions: glibc 2.36-9+deb12 of Debian 12, gcc 12.2, x86-64.
# Behaviour: glibc's libm has two or three versions of these functions and chooses by the processor when a program starts. The one
#   with FMA rounds less often, so of 200,000 values 21 to 138 end in another bit. expf, logf, powf and sinf compute in
#   doubles and round once: none differs. sqrt, cbrt and erf have one version.
# Likely guess: the same container or a static binary gives the same bits on each x86-64, since SSE2 rounds as
#   IEEE 754 says, and the code is the same. A generator that takes exp or log of doubles then makes other data in CI, and hashes of
#   results differ. Right: functions of floats where bits have to be equal, or polynomials of one's own. GLIBC_TUNABLES
#   shows it on one machine.
# Output seen: dynamic and static alike, values of 200,000 that differ: exp 138, log 21, pow 130, sin 124, cos 129, expf 0, logf 0,
#   powf 0, sinf 0, sqrt 0, cbrt 0, erf 0
#
# Needs gcc and a processor with FMA; run by hand.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/values.c" <<'C'
// Writes 200,000 values of each function to the file argv[1].
#include <math.h>
#include <stdint.h>
#include <stdio.h>
static uint64_t state;
static double uniform(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 11) * 0x1p-53;
}
#define WRITE(RESULT)                     \
  state = 1;                              \
  for (int i = 0; i < 200000; i++) {      \
    const double x = uniform();           \
    const double value = RESULT;          \
    fwrite(&value, sizeof value, 1, file); \
  }
int main(int count, char** arguments) {
  FILE* const file = fopen(arguments[count - 1], "wb");
  WRITE(exp(40 * x - 20))
  WRITE(log(x + 1e-9))
  WRITE(pow(x, 1.7))
  WRITE(sin(100 * x))
  WRITE(cos(100 * x))
  WRITE(expf((float)(40 * x - 20)))
  WRITE(logf((float)x + 1e-6f))
  WRITE(powf((float)x, 1.7f))
  WRITE(sinf((float)(100 * x)))
  WRITE(sqrt(x))
  WRITE(cbrt(x))
  WRITE(erf(x))
  return fclose(file);
}
C
cat >"$folder/compare.py" <<'PY'
"""Prints how many values of each function differ between the files argv[1] and argv[2]."""

import array
import sys

names = "exp log pow sin cos expf logf powf sinf sqrt cbrt erf".split()
files = []
for path in sys.argv[1:]:
    values = array.array("Q")
    values.frombytes(open(path, "rb").read())
    files.append(values)
size = len(files[0]) // len(names)
counts = {
    name: sum(a != b for a, b in zip(files[0][i * size : (i + 1) * size], files[1][i * size : (i + 1) * size]))
    for i, name in enumerate(names)
}
print(", ".join(f"{name} {count}" for name, count in counts.items()))
if any((count > 0) != (name in ("exp", "log", "pow", "sin", "cos")) for name, count in counts.items()):
    sys.exit("changed, or a processor without FMA: other functions depend on it")
PY
for linking in dynamic static; do
  flags=()
  if [ "$linking" = static ]; then flags=(-static); fi
  gcc -O1 -fno-builtin "${flags[@]}" -o "$folder/values" "$folder/values.c" -lm
  "$folder/values" "$folder/with.bin"
  GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2 "$folder/values" "$folder/without.bin"
  echo "$linking, values of 200,000 that differ:"
  python3 "$folder/compare.py" "$folder/with.bin" "$folder/without.bin"
done
