#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# mma.sync of FP8 is 12 conversions and two products of halves on sm_90 to sm_103, and that of 4-bit integers is 186 instructions.
#
# Versions: nvcc and ptxas 13.0.88, nvdisasm 13.2.51, all from PyPI; sm_80, sm_89, sm_90, sm_100, sm_103, sm_120; no GPU.
# Behaviour: PTX has a type from some architecture on, and ptxas accepts it on later ones. e4m3 and e5m2 are one QMMA on sm_89 and
#   sm_120. Between these, 12 F2FP unpack them to halves, two HMMA multiply, and four FADD add the sum so far: more registers, at
#   most the rate of FP16, and other roundings. FP8's own rate there needs wgmma or tcgen05. s4 is one IMMA up to sm_89, and
#   on sm_90 two IMMA of bytes after 180 shifts and masks. FP64's m16n8k4 is one DMMA on sm_90 and two later.
# Likely guess: a data sheet with FP8 at twice the rate of FP16, and an instruction that compiles for sm_90 without a word, are one
#   thing, so a loop of mma.sync measures the ceiling of FP8. PTX's table says "sm_89 or higher", and ptxas nothing.
#   Right: count QMMA, IMMA and DMMA in the machine code of each architecture.
# Output seen: sm_80: fp16 1 HMMA, s8 1 IMMA, s4 1 IMMA; sm_89: the same, e4m3 1 QMMA, e5m2 1 QMMA; sm_90: fp16 1 HMMA, s8 1 IMMA,
#   e4m3 2 HMMA and 16, e5m2 2 HMMA and 16, s4 2 IMMA and 184, fp64 1 DMMA; sm_100 and sm_103: the same without s4, and fp64 2
#   DMMA; sm_120: fp16 1 HMMA, s8 1 IMMA, e4m3 1 QMMA, e5m2 1 QMMA, fp64 2 DMMA
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
cat >"$folder/products.cu" <<'CU'
// sums += a tile of 16 rows by one of 8 columns, both of 32 bits a register.
#define PRODUCT(NAME, INSTRUCTION, SUM, LETTER)                                                        \
  extern "C" __global__ void NAME(const uint4* a, const uint2* b, SUM* to) {                           \
    const uint4 x = a[threadIdx.x];                                                                    \
    const uint2 y = b[threadIdx.x];                                                                    \
    SUM* sums = to + threadIdx.x;                                                                  \
    asm volatile(INSTRUCTION " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"        \
                 : "+" LETTER(sums[0]), "+" LETTER(sums[32]), "+" LETTER(sums[64]), "+" LETTER(sums[96])  \
                 : "r"(x.x), "r"(x.y), "r"(x.z), "r"(x.w), "r"(y.x), "r"(y.y));                        \
  }
PRODUCT(fp16, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", float, "f")
PRODUCT(s8, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", int, "r")
#if __CUDA_ARCH__ >= 890
PRODUCT(e4m3, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", float, "f")
PRODUCT(e5m2, "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32", float, "f")
#endif
#if __CUDA_ARCH__ <= 900
PRODUCT(s4, "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32", int, "r")
#endif
#if __CUDA_ARCH__ >= 900
extern "C" __global__ void fp64(const double* a, const double* b, double* to) {
  double* sums = to + threadIdx.x;
  asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
               : "+d"(sums[0]), "+d"(sums[32]), "+d"(sums[64]), "+d"(sums[96])
               : "d"(a[threadIdx.x]), "d"(a[threadIdx.x + 32]), "d"(b[threadIdx.x]));
}
#endif
CU

# The tensor instructions of a kernel, and how many others convert and add; addresses are IMAD.WIDE.
found() { # kernel
  awk -v start=".text.$1:" '
    /^\.text\./ { inside = $1 == start }
    inside && match($0, /\*\/[[:space:]]+(@!?U?P[0-9]+ )?[A-Z][A-Z0-9]+[A-Za-z0-9_.]*/) {
      name = substr($0, RSTART, RLENGTH)
      sub(/.*[[:space:]]/, "", name)
      if (name ~ /^(F2FP|FADD|LOP3|SHF|IADD3|IMAD\.(SHL|U32|IADD))/) other++
      sub(/\..*/, "", name)
      if (name ~ /^[HIQD]MMA$/) tensor[name]++
    }
    END { for (name in tensor) printf "%d %s%s", tensor[name], name, other ? " and " other : "" }' "$folder/code.sass"
}

for architecture in sm_80 sm_89 sm_90 sm_100 sm_103 sm_120; do
  "$cuda/bin/nvcc" -cubin -arch="$architecture" -o "$folder/code.cubin" "$folder/products.cu"
  "$cuda/bin/nvdisasm" "$folder/code.cubin" >"$folder/code.sass"
  bytes="e4m3 2 HMMA and 16, e5m2 2 HMMA and 16"
  case $architecture in
    sm_80) expected="s4 1 IMMA" ;;
    sm_89) expected="e4m3 1 QMMA, e5m2 1 QMMA, s4 1 IMMA" ;;
    sm_90) expected="$bytes, s4 2 IMMA and 184, fp64 1 DMMA" ;;
    sm_120) expected="e4m3 1 QMMA, e5m2 1 QMMA, fp64 2 DMMA" ;;
    *) expected="$bytes, fp64 2 DMMA" ;;
  esac
  seen=""
  for kernel in fp16 s8 e4m3 e5m2 s4 fp64; do
    if grep -q "^.text.$kernel:" "$folder/code.sass"; then seen+="${seen:+, }$kernel $(found "$kernel")"; fi
  done
  echo "$architecture: $seen"
  if [ "$seen" != "fp16 1 HMMA, s8 1 IMMA, $expected" ]; then
    echo "changed: products are other instructions" >&2
    exit 1
  fi
done
