#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# asm volatile keeps work that nothing uses in the PTX alone: ptxas then drops it, so a micro-benchmark may time an empty kernel.
#
# Versions: nvcc and ptxas 13.0.88, nvdisasm 13.2.51, all from PyPI; sm_80, sm_90, sm_100; no GPU.
# Behaviour: an empty asm volatile with a value as its input, as Google Benchmark's DoNotOptimize has it, leaves nothing in the
#   PTX, so the eight FMAs that make the value are in the PTX and not in the machine code. asm volatile with a clobber of memory
#   around fma, mma.sync, ldmatrix or ld.global is in the PTX alone, too, where its result is not used. So are ld.cv, ld.relaxed
#   and a local volatile variable. atom, ld.volatile and a pointer to volatile stay.
# Likely guess: asm volatile is executed, as it is by GCC, so a loop of mma.sync without a store measures tensor cores, and
#   ld.global.cg without a use measures the L2 cache. The guide's promise ends at "generation of PTX".
#   Right: store the result under a condition on a parameter, and count the instructions in the machine code.
# Output seen: instructions in PTX and in machine code, sm_80, sm_90 and sm_100 alike: empty_asm 8 0, asm_in_out 8 0, sink 8 0,
#   asm_fma 8 0, asm_mma 1 0, asm_ldmatrix 1 0, asm_ld 1 0, asm_ld_cg 1 0, asm_ld_cv 1 0, asm_ld_relaxed 1 0, asm_ld_volatile 1 1,
#   pointer_to_volatile 1 1, asm_atom 1 1, stored_if 8 8
#
# Needs g++; run by hand. The compiler is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
  nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96 \
  nvidia-cuda-cccl==13.0.85 nvidia-cuda-nvdisasm==13.2.51
cuda=$(echo "$folder"/venv/lib/python3*/site-packages/nvidia/cu13)
cat >"$folder/kernels.cu" <<'CU'
#define KERNEL extern "C" __global__ void
// Eight FMAs, each of which needs the one before.
__device__ __forceinline__ float chain(float x) {
#pragma unroll
  for (int i = 0; i < 8; i++) x = x * x + 1;
  return x;
}
KERNEL empty_asm(float x) { asm volatile("" : : "f"(chain(x)) : "memory"); }
KERNEL asm_in_out(float x) {
  x = chain(x);
  asm volatile("" : "+f"(x) : : "memory");
}
KERNEL sink(float x) { [[maybe_unused]] volatile float kept = chain(x); }
KERNEL asm_fma(float x) {
#pragma unroll
  for (int i = 0; i < 8; i++) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x) : : "memory");
}
KERNEL asm_mma(unsigned x) {
  float sums[4] = {};
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, {%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3]) : "r"(x) : "memory");
}
KERNEL asm_ldmatrix() {
  __shared__ uint4 rows[8];
  unsigned x;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(x) : "r"(static_cast<unsigned>(__cvta_generic_to_shared(rows + threadIdx.x))) : "memory");
}
#define LOAD(NAME, INSTRUCTION)                                                          \
  KERNEL NAME(const float* from) {                                                       \
    float x;                                                                             \
    asm volatile(INSTRUCTION " %0, [%1];" : "=f"(x) : "l"(from + threadIdx.x) : "memory"); \
  }
LOAD(asm_ld, "ld.global.f32")
LOAD(asm_ld_cg, "ld.global.cg.f32")
LOAD(asm_ld_cv, "ld.global.cv.f32")
LOAD(asm_ld_relaxed, "ld.relaxed.gpu.global.f32")
LOAD(asm_ld_volatile, "ld.volatile.global.f32")
KERNEL pointer_to_volatile(const volatile float* from) { [[maybe_unused]] float x = from[threadIdx.x]; }
KERNEL asm_atom(int* to) {
  int before;
  asm volatile("atom.global.add.s32 %0, [%1], 1;" : "=r"(before) : "l"(to + threadIdx.x) : "memory");
}
KERNEL stored_if(float x, float* to, int n) {
  x = chain(x);
  if (n < 0) to[0] = x;
}
CU

count() { # file, beginning of a kernel, pattern
  awk -v start="$2" -v pattern="$3" '
    /^\.visible \.entry|^\.text\./ { inside = index($0, start) == 1 }
    inside && $0 ~ pattern { count++ }
    END { print count + 0 }' "$1"
}

expected="empty_asm 8 0, asm_in_out 8 0, sink 8 0, asm_fma 8 0, asm_mma 1 0, asm_ldmatrix 1 0, asm_ld 1 0, asm_ld_cg 1 0, "
expected+="asm_ld_cv 1 0, asm_ld_relaxed 1 0, asm_ld_volatile 1 1, pointer_to_volatile 1 1, asm_atom 1 1, stored_if 8 8"
for architecture in sm_80 sm_90 sm_100; do
  "$cuda/bin/nvcc" -ptx -arch="$architecture" -diag-suppress 550 -o "$folder/code.ptx" "$folder/kernels.cu"
  "$cuda/bin/ptxas" -arch="$architecture" -o "$folder/code.cubin" "$folder/code.ptx"
  "$cuda/bin/nvdisasm" "$folder/code.cubin" >"$folder/code.sass"
  seen=""
  for kernel in empty_asm asm_in_out sink asm_fma asm_mma asm_ldmatrix asm_ld asm_ld_cg asm_ld_cv asm_ld_relaxed \
    asm_ld_volatile pointer_to_volatile asm_atom stored_if; do
    in_ptx=$(count "$folder/code.ptx" ".visible .entry $kernel(" '^[[:space:]]*(fma|mma|ldmatrix|ld\..*global|atom)')
    in_code=$(count "$folder/code.sass" ".text.$kernel:" '[[:space:]](FFMA|HMMA|LDSM|LDG|ATOMG?|REDG?)[. ]')
    seen+="${seen:+, }$kernel $in_ptx $in_code"
  done
  echo "$architecture: $seen"
  if [ "$seen" != "$expected" ]; then
    echo "changed: other instructions are kept" >&2
    exit 1
  fi
done
