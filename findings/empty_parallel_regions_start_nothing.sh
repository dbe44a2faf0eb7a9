#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Optimizing compilers drop an OpenMP parallel region with an empty body, so this usual warm-up of a benchmark starts no thread.
#
# Versions: cc1 of GCC 12.2.0-14+deb12u1 from Debian 12; Clang 18.1.6 of ziglang 0.13.0 from PyPI; x86_64.
# Behaviour: from -O1 on, both emit no call of the runtime for `#pragma omp parallel {}`, with num_threads
#   or without. Both keep the call for a loop without effects and for a body that only reads its thread's number.
# Likely guess: the region starts the team, as its threads are state outside the function, so the first timed region finds
#   them there. Instead that region pays for starting them, and a program that wants to learn early that a thread cannot be
#   started (libgomp then ends the process) learns nothing. Right: give the region an effect, such as an atomic increment.
# Output seen: -O0: empty num_threads number loop; -O1: number loop; -O2: number loop, with both compilers
#
# Needs Debian 12's package lists; run by hand. The compilers are unpacked into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet=2 cpp-12=12.2.0-14+deb12u1 libisl23 libmpc3 libmpfr6 libgmp10 >log 2>&1 || { cat log >&2 && exit 1; }
for package in *.deb; do
  dpkg-deb --extract "$package" gcc
done
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps ziglang==0.13.0

cat >regions.c <<'C'
int omp_get_thread_num(void);

void empty(void) {
#pragma omp parallel
  {}
}
void num_threads(void) {
#pragma omp parallel num_threads(8)
  {}
}
void number(void) {
#pragma omp parallel
  {
    int thread = omp_get_thread_num();
    (void)thread;
  }
}
void loop(void) {
#pragma omp parallel for
  for (int i = 0; i < 1000; ++i) {
  }
}
C

kept() { # file, call: functions of the assembly that make the call
  awk -v call="$2" '/^[a-z_]+:/ { name = $1; sub(":.*", "", name) } $0 ~ call && !seen[name]++ { print name }' "$1" | xargs
}
gcc="" clang=""
for level in -O0 -O1 -O2; do
  LD_LIBRARY_PATH=gcc/usr/lib/x86_64-linux-gnu gcc/usr/lib/gcc/x86_64-linux-gnu/12/cc1 -quiet -fopenmp "$level" -o gcc.s regions.c
  gcc+="$level: $(kept gcc.s GOMP_parallel); "
  ZIG_LOCAL_CACHE_DIR=cache ZIG_GLOBAL_CACHE_DIR=cache venv/bin/python -m ziglang cc -target x86_64-linux-gnu "$level" -fopenmp \
    -S -o clang.s regions.c
  clang+="$level: $(kept clang.s __kmpc_fork_call); "
done
echo "regions that start their threads, GCC: $gcc"
echo "regions that start their threads, Clang: $clang"
expected="-O0: empty num_threads number loop; -O1: number loop; -O2: number loop; "
if [ "$gcc" != "$expected" ] || [ "$clang" != "$expected" ]; then
  echo "changed: see the head of this script" >&2
  exit 1
fi
