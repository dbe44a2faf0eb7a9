#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cudaDriverGetVersion starts the driver: it calls cuInit, and waits for it, before it asks for the version.
#
# Versions: nvidia-cuda-runtime 13.0.96 (PyPI), no GPU: a library in place of libcuda.so.1 notes what is called.
# Behaviour: the first call of CUDA's runtime, also one that needs no device, loads libcuda.so.1 and calls cuInit. On a
#   machine with GPUs cuInit takes a quarter of a second. cuDriverGetVersion itself needs no cuInit.
# Likely guess: asking for a version is a lookup, so a program may check for a driver at its start, and start CUDA later or
#   in another thread. Right: dlopen("libcuda.so.1") says whether there is a driver, and cuDriverGetVersion from it which one.
# Output seen: cudaDriverGetVersion: cuInit before the version; cuDriverGetVersion of the library: no cuInit, version 13000
#
# Needs g++; run by hand. CUDA's runtime is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps nvidia-cuda-runtime==13.0.96
runtime=$(echo "$folder"/venv/lib/python3*/site-packages/nvidia/cu13/lib/libcudart.so.13)

# In place of the driver: it has no device, and answers each other function by its version.
cat >"$folder/driver.cpp" <<'CPP'
#include <cstdio>
#include <cstring>
extern "C" {
int cuDriverGetVersion(int* version) {
  *version = 13000;
  return 0;
}
int cuInit(unsigned) {
  puts("cuInit");
  return 100;  // no device
}
int cuGetProcAddress_v2(const char* name, void** function, int, unsigned long long, int* found) {
  *function = !strcmp(name, "cuInit")             ? (void*)cuInit
              : !strcmp(name, "cuGetProcAddress") ? (void*)cuGetProcAddress_v2
                                                  : (void*)cuDriverGetVersion;
  if (found) *found = 0;
  return 0;
}
int cuGetProcAddress(const char* name, void** function, int version, unsigned long long flags) {
  return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}
}
CPP
cat >"$folder/ask.cpp" <<'CPP'
#include <dlfcn.h>
#include <cstdio>
int main(int, char** words) {  // LIBRARY FUNCTION
  void* library = dlopen(words[1], RTLD_NOW);
  if (!library) return fprintf(stderr, "%s\n", dlerror()), 3;
  int version = 0;
  reinterpret_cast<int (*)(int*)>(dlsym(library, words[2]))(&version);
  printf("version %d\n", version);
}
CPP
g++ -shared -fPIC -Wl,-soname,libcuda.so.1 -o "$folder/libcuda.so.1" "$folder/driver.cpp"
g++ -o "$folder/ask" "$folder/ask.cpp" -ldl
by_runtime=$(LD_LIBRARY_PATH="$folder" "$folder/ask" "$runtime" cudaDriverGetVersion | paste -sd' ')
by_driver=$(LD_LIBRARY_PATH="$folder" "$folder/ask" libcuda.so.1 cuDriverGetVersion | paste -sd' ')
echo "cudaDriverGetVersion: $by_runtime; cuDriverGetVersion: $by_driver"
if [[ $by_runtime != cuInit* || $by_driver != "version 13000" ]]; then
  echo "changed: the runtime asks for the version without starting the driver" >&2
  exit 1
fi
