#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A few instructions on tensor cores lower the clock of an H200's multiprocessors by a tenth, and NVML does not show it.
#
# Versions: driver 580.159.04, CUDA 13.0, one NVIDIA H200.
# Behaviour: a loop of FP32 instructions alone runs at 1980 MHz, by clock64() over %globaltimer. With one mma.sync among
#   thousands of them the same loop runs at 1800 MHz, far below the power limit, and a loop after it at 1980 again.
#   nvmlDeviceGetClockInfo says 1980 throughout, and no reason for a lower clock.
# Likely guess: the clock falls with power alone, NVML shows it, and time times 1980 MHz are cycles. A kernel that moves a
#   small part of its work to tensor cores then looks as if its other instructions had become slower. Right: count cycles
#   and nanoseconds in the kernel, or take both from counters.
# Output seen: FFMA alone 1980 MHz at 144 W; one mma.sync among 32768 FFMA of a warp 1800 MHz, among 2048 1800, among 256
#   1800 at 260 of 700 W; FFMA alone again 1980; NVML says 1980 MHz and no reason all the time
#
# Needs an NVIDIA GPU of sm_80 or newer and g++; run by hand. nvcc is installed into a temporary folder unless it is there.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
nvcc=nvcc
if ! command -v nvcc >/dev/null; then
  python3 -m venv "$folder/venv"
  "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps nvidia-cuda-nvcc==13.0.88 \
    nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96 nvidia-cuda-cccl==13.0.85
  cuda=$(echo "$folder"/venv/lib/python3*/site-packages/nvidia/cu13)
  nvcc="$cuda/bin/nvcc"
fi
cat >"$folder/clock.cu" <<'CU'
#include <dlfcn.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

struct Moment {
  long long cycles, nanoseconds;
};

__device__ Moment now() {
  Moment moment;
  moment.cycles = clock64();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(moment.nanoseconds));
  return moment;
}

// Chains of FFMA, 128 a turn and thread, and one mma.sync of each warp every `between` turns; 0: none.
__global__ void work(float* out, Moment* moments, int turns, int between) {
  const Moment begin = now();
  float x[8], d[4] = {};
  for (int i = 0; i < 8; ++i) x[i] = threadIdx.x + i;
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (int i = 0; i < 128; ++i) x[i % 8] = fmaf(x[i % 8], 0.999f, 0.001f);
    if (between > 0 && turn % between == 0)
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};"
          : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
          : "r"(0));
  }
  float sum = d[0] + d[1] + d[2] + d[3];
  for (float value : x) sum += value;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  if (threadIdx.x == 0) {
    const Moment end = now();
    moments[blockIdx.x] = {end.cycles - begin.cycles, end.nanoseconds - begin.nanoseconds};
  }
}

struct Nvml {
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
  void* device = nullptr;
  int (*clock)(void*, int, unsigned*);
  int (*power)(void*, unsigned*);
  int (*limit)(void*, unsigned*);
  int (*reasons)(void*, unsigned long long*);
  template <class F>
  void find(F& function, const char* name) {
    function = reinterpret_cast<F>(dlsym(library, name));
    if (!function) exit((fprintf(stderr, "NVML has no %s\n", name), 3));
  }
  Nvml() {
    if (!library) exit((fprintf(stderr, "NVML is missing\n"), 3));
    int (*init)();
    int (*handle)(unsigned, void**);
    find(init, "nvmlInit_v2"), find(handle, "nvmlDeviceGetHandleByIndex_v2");
    find(clock, "nvmlDeviceGetClockInfo"), find(power, "nvmlDeviceGetPowerUsage");
    find(limit, "nvmlDeviceGetEnforcedPowerLimit"), find(reasons, "nvmlDeviceGetCurrentClocksEventReasons");
    if (init() || handle(0, &device)) exit((fprintf(stderr, "NVML does not answer\n"), 3));
  }
};

int main() {
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return fprintf(stderr, "no GPU\n"), 3;
  Nvml nvml;
  const int blocks = 4 * properties.multiProcessorCount, threads = 256;
  float* out;
  Moment* moments;
  cudaMalloc(&out, sizeof(float) * blocks * threads);
  cudaMallocManaged(&moments, sizeof(Moment) * blocks);
  unsigned limit = 0;
  nvml.limit(nvml.device, &limit);
  const auto megahertz = [&](int between) {
    const int turns = 1 << 20;  // half a second
    work<<<blocks, threads>>>(out, moments, turns / 8, between);
    work<<<blocks, threads>>>(out, moments, turns, between);
    std::this_thread::sleep_for(std::chrono::milliseconds(350));
    unsigned shown = 0, power = 0;
    unsigned long long reasons = 0;
    nvml.clock(nvml.device, 1 /* SM */, &shown);
    nvml.power(nvml.device, &power);
    nvml.reasons(nvml.device, &reasons);
    if (cudaDeviceSynchronize() != cudaSuccess) exit((fprintf(stderr, "the kernel failed\n"), 3));
    std::vector<double> clocks;
    for (int i = 0; i < blocks; ++i) clocks.push_back(1e3 * moments[i].cycles / moments[i].nanoseconds);
    std::nth_element(clocks.begin(), clocks.begin() + blocks / 2, clocks.end());
    const double clock = clocks[blocks / 2];
    if (between)
      printf("  one mma.sync among %d FFMA of a warp: ", 128 * between);
    else
      printf("  FFMA alone: ");
    printf("%.0f MHz; NVML says %u MHz, %u of %u W, reasons 0x%llx\n", clock, shown, power / 1000, limit / 1000, reasons);
    return clock;
  };
  printf("%s, nvcc %d.%d\n", properties.name, __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__);
  const double before = megahertz(0), rare = megahertz(256), few = megahertz(16), some = megahertz(2), after = megahertz(0);
  if (few > 0.95 * before || after < 0.98 * before) {
    fprintf(stderr, "changed: tensor cores leave the clock as it is\n");
    return 1;
  }
  return rare > 0 && some > 0 ? 0 : 1;
}
CU
"$nvcc" -O3 -arch=native -o "$folder/clock" "$folder/clock.cu" -ldl
"$folder/clock"
