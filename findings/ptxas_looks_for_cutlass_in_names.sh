#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas compiles a kernel otherwise where "cutlass" stands anywhere in its name, so a new name is another kernel to a benchmark.
#
# Versions: nvcc and ptxas 13.0.88 from PyPI; no GPU.
# Behaviour: the PTX is the same but for the name. On sm_90 a plain float product of two tiles takes 64 registers in place
#   of 56, and has other instructions; on sm_80 it has others of the same number; on sm_100 it has the same ones. The
#   mangled name counts: a namespace or the type of a template argument is enough. "Cutlass" and "cutlas" are ordinary names.
# Likely guess: a name is a label, so a kernel that moves into namespace cutlass, or takes cutlass::half_t in place of
#   __half, is the same code, and a difference is noise. Right: compare two kernels below names that both have the word or
#   both lack it, and look at the machine code before a change of time is put down to a change of the source.
# Output seen: registers and bytes of code: sm_80: multiply 56 7808, cutlass 56 7808, other code; sm_100: multiply 50 6400,
#   cutlass 50 6400, same code; sm_90: multiply 56 8320, cutlass 64 8576, other code; sm_90: my_cutlass_2 as cutlass,
#   Cutlass as multiply, cutlas as multiply, in_namespace as cutlass, type_of_cutlass as cutlass, type_of_other as multiply
#
# Needs g++; run by hand. The compiler is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
  nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96 \
  nvidia-cuda-cccl==13.0.85
cuda=$(echo "$folder"/venv/lib/python3*/site-packages/nvidia/cu13)
cat >"$folder/body.inc" <<'CU'
(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  __shared__ float tile_a[16][64], tile_b[16][64];
  float sum[4][4] = {};
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  for (int start = 0; start < n; start += 16) {
    for (int i = threadIdx.x; i < 1024; i += 256) {
      tile_a[i / 64][i % 64] = a[(start + i / 64) * n + i % 64];
      tile_b[i / 64][i % 64] = b[(start + i / 64) * n + i % 64];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k)
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) sum[i][j] += tile_a[k][y * 4 + i] * tile_b[k][x * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) c[(y * 4 + i) * n + x * 4 + j] = sum[i][j];
}
CU
for name in multiply cutlass my_cutlass_2 Cutlass cutlas; do
  printf 'extern "C" __global__ void %s\n#include "body.inc"\n' "$name" >"$folder/$name.cu"
done
printf 'namespace cutlass { __global__ void multiply\n#include "body.inc"\n}\n' >"$folder/in_namespace.cu"
for of in cutlass other; do
  printf 'namespace %s { struct half_t {}; }\ntemplate <class T> __global__ void multiply\n#include "body.inc"\n' "$of"
  printf 'template __global__ void multiply<%s::half_t>(const float*, const float*, float*, int);\n' "$of"
done >"$folder/both.cu"
head -4 "$folder/both.cu" >"$folder/type_of_cutlass.cu"
tail -n +5 "$folder/both.cu" >"$folder/type_of_other.cu"
cat >"$folder/code.py" <<'PY'
"""Writes the machine code of the one kernel of a cubin, which is an ELF file: CUBIN, OUTPUT."""

import struct
import sys

with open(sys.argv[1], "rb") as file:
    elf = file.read()
(table,) = struct.unpack_from("<Q", elf, 40)
size, count, names = struct.unpack_from("<HHH", elf, 58)
sections = [struct.unpack_from("<IIQQQQ", elf, table + i * size) for i in range(count)]
start = sections[names][4]
(code,) = [s for s in sections if elf[start + s[0] :].startswith(b".text.")]
with open(sys.argv[2], "wb") as file:
    file.write(elf[code[4] : code[4] + code[5]])
PY

compiled() { # source, architecture: registers and bytes of code, which is left as SOURCE.code
  "$cuda/bin/nvcc" -cubin -arch="$2" -Xptxas -v -o "$folder/code.cubin" "$folder/$1.cu" 2>"$folder/log"
  python3 "$folder/code.py" "$folder/code.cubin" "$folder/$1.code"
  echo "$(sed -n 's/.*Used \([0-9]*\) registers.*/\1/p' "$folder/log") $(wc -c <"$folder/$1.code")"
}
same() { # two sources
  cmp -s "$folder/$1.code" "$folder/$2.code"
}

seen=""
for architecture in sm_80 sm_100 sm_90; do
  plain=$(compiled multiply "$architecture")
  named=$(compiled cutlass "$architecture")
  seen+="$architecture: multiply $plain, cutlass $named, $(same multiply cutlass && echo same || echo other) code; "
done
seen+="sm_90:"
for source in my_cutlass_2 Cutlass cutlas in_namespace type_of_cutlass type_of_other; do
  compiled "$source" sm_90 >/dev/null
  alike=neither
  for of in multiply cutlass; do
    if same "$source" "$of"; then alike="as $of"; fi
  done
  seen+=" $source $alike,"
done
seen=${seen%,}
echo "registers and bytes of code: $seen"
expected="sm_80: multiply 56 7808, cutlass 56 7808, other code; sm_100: multiply 50 6400, cutlass 50 6400, same code; "
expected+="sm_90: multiply 56 8320, cutlass 64 8576, other code; sm_90: my_cutlass_2 as cutlass, Cutlass as multiply, "
expected+="cutlas as multiply, in_namespace as cutlass, type_of_cutlass as cutlass, type_of_other as multiply"
if [ "$seen" != "$expected" ]; then
  echo "changed: names count otherwise" >&2
  exit 1
fi
