#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# DPX functions are one instruction on sm_90 to sm_103 and two on sm_120, though its number is higher and both are Blackwell.
#
# Versions: nvcc and ptxas 13.0.88, nvdisasm 13.2.51, all from PyPI; sm_80, sm_90, sm_100, sm_103, sm_120; no GPU.
# Behaviour: __viaddmax_s32(a, b, c), a sum and a maximum, is VIADDMNMX and __vimax3_s32 is VIMNMX3 from sm_90 on. sm_120 has neither:
#   it adds and takes the maximum, as sm_80 does for 32 bits. The minimum and the maximum of two halves of 16 bits and
#   the comparison with 0 (_relu) are left of DPX there, so the functions of 16 bits are 2 in place of sm_80's 9 to 15.
# Likely guess: the guide has DPX "hardware-accelerated on devices of compute capability 9.0 and higher", so a kernel for sequences
#   or shortest paths that was tuned on an H100 has its instruction on an RTX 5090, and a test of __CUDA_ARCH__ >= 900 is
#   that of the hardware. Right: a look at the machine code of sm_120, and a tuning of its own.
# Output seen: arithmetic instructions, sm_80: viaddmax_s32 2, viaddmin_u32 2, viaddmax_s32_relu 3, viaddmax_s16x2 10, vimax3_s32
#   2, vimin3_s32_relu 3, vimax3_s16x2 11, vimax3_u16x2 9, vimax3_s16x2_relu 15, vimax_s16x2_relu 10; sm_90, sm_100 and sm_103
#   alike: 1 each; sm_120: 2 each, but for vimax_s16x2_relu 1
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
functions=(viaddmax_s32 viaddmin_u32 viaddmax_s32_relu viaddmax_s16x2 vimax3_s32 vimin3_s32_relu vimax3_s16x2 vimax3_u16x2
  vimax3_s16x2_relu vimax_s16x2_relu)
for function in "${functions[@]}"; do
  third=", c[threadIdx.x]"
  if [ "$function" = vimax_s16x2_relu ]; then third=""; fi
  echo "extern \"C\" __global__ void $function(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* to) {"
  echo "  to[threadIdx.x] = __$function(a[threadIdx.x], b[threadIdx.x]$third);"
  echo "}"
done >"$folder/functions.cu"

# Instructions that are neither loads, stores and their addresses nor moves and the end.
arithmetic() { # architecture
  "$cuda/bin/nvcc" -cubin -arch="$1" -o "$folder/code.cubin" "$folder/functions.cu"
  "$cuda/bin/nvdisasm" "$folder/code.cubin" | awk -v names="${functions[*]}" '
    /^\.text\./ { kernel = substr($1, 7, length($1) - 7) }
    kernel && match($0, /\*\/[[:space:]]+(@!?U?P[0-9]+ )?[A-Z][A-Z0-9]+[A-Za-z0-9_.]*/) {
      name = substr($0, RSTART, RLENGTH)
      sub(/.*[[:space:]]/, "", name)
      if (name !~ /^(LDG|STG|IMAD\.WIDE|S2R|LDC|ULDC|LDCU|MOV|EXIT|BRA|NOP|HFMA2|IMAD\.MOV)/) count[kernel]++
    }
    END {
      number = split(names, each, " ")
      for (i = 1; i <= number; i++) printf "%s%s %d", (i > 1 ? ", " : ""), each[i], count[each[i]]
    }'
}
each() { # instructions of each function
  local line=""
  for function in "${functions[@]}"; do line+="${line:+, }$function $1"; done
  echo "$line"
}

for architecture in sm_80 sm_90 sm_100 sm_103 sm_120; do
  seen=$(arithmetic "$architecture")
  echo "$architecture: $seen"
  expected=$(each 1)
  if [ "$architecture" = sm_80 ]; then
    expected="viaddmax_s32 2, viaddmin_u32 2, viaddmax_s32_relu 3, viaddmax_s16x2 10, vimax3_s32 2, vimin3_s32_relu 3, "
    expected+="vimax3_s16x2 11, vimax3_u16x2 9, vimax3_s16x2_relu 15, vimax_s16x2_relu 10"
  elif [ "$architecture" = sm_120 ]; then
    expected=$(each 2 | sed 's/vimax_s16x2_relu 2/vimax_s16x2_relu 1/')
  fi
  if [ "$seen" != "$expected" ]; then
    echo "changed: DPX functions are other numbers of instructions" >&2
    exit 1
  fi
done
