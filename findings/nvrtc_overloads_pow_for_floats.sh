#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pow(x, 2) of a float is FP32 where NVRTC compiles it and 92 instructions of FP64 where nvcc does, without a word of either.
#
# Versions: nvcc and NVRTC 13.0.88, nvdisasm 13.2.51, all from PyPI, with g++ 12.2; sm_90; no GPU.
# Behaviour: NVRTC has overloads of its own, by which a float and an int give a float. nvcc takes those of the host's
#   <cmath>, which convert both to double, as C++11 says. So pow(x, 2), pow(x, n) and pow(2, x) are FP64 there, which consumer
#   GPUs run at a 64th of the speed. fmax(x, 0), fma(x, y, 1) and hypot(x, 1) are FP64, too, with --expt-relaxed-constexpr,
#   which extensions of PyTorch set, and refused without it. -use_fast_math changes nothing of that.
# Likely guess: both are one front end, so a kernel that was tuned by NVRTC, as CuPy compiles it, is as fast by nvcc and
#   gives the same bits. Right: powf, fmaxf, fmaf and hypotf, or x * x, and literals such as 2.0f.
# Output seen: FP64 instructions by NVRTC and nvcc: pow(x, 2) 0 92, pow(x, 3) 0 93, pow(x, n) 0 101, pow(2, x) 0 88,
#   fmax(x, 0) 0 3, fma(x, y, 1) 0 4, hypot(x, 1) 0 17, pow(x, 2.0f) 0 0; pow(x, 2) by nvcc -use_fast_math 93
#
# Needs g++; run by hand. The compilers are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
  nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96 \
  nvidia-cuda-cccl==13.0.85 nvidia-cuda-nvdisasm==13.2.51 nvidia-cuda-nvrtc==13.0.88
cuda=$(echo "$folder"/venv/lib/python3*/site-packages/nvidia/cu13)
cat >"$folder/nvrtc.py" <<'PY'
"""Compiles a file with NVRTC for sm_90: FOLDER OF THE LIBRARY, SOURCE, CUBIN."""

import ctypes
import glob
import sys

folder, source, cubin = sys.argv[1:]
ctypes.CDLL(glob.glob(f"{folder}/libnvrtc-builtins.so*")[0], mode=ctypes.RTLD_GLOBAL)
nvrtc = ctypes.CDLL(glob.glob(f"{folder}/libnvrtc.so*")[0])
program = ctypes.c_void_p()
with open(source, "rb") as file:
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), file.read(), b"source.cu", 0, None, None)
if nvrtc.nvrtcCompileProgram(program, 1, (ctypes.c_char_p * 1)(b"-arch=sm_90")) != 0:
    sys.exit(f"NVRTC does not compile {source}")
size = ctypes.c_size_t()
nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size))
code = ctypes.create_string_buffer(size.value)
nvrtc.nvrtcGetCUBIN(program, code)
with open(cubin, "wb") as file:
    file.write(code.raw)
PY

write() { # expression
  cat >"$folder/source.cu" <<CU
extern "C" __global__ void evaluate(float* values, const float* more, int n) {
  const float x = values[threadIdx.x];
  [[maybe_unused]] const float y = more[threadIdx.x];
  values[threadIdx.x] = $1;
}
CU
}
# Arithmetic of doubles, and conversions from and to them.
doubles() {
  "$cuda/bin/nvdisasm" "$folder/code.cubin" >"$folder/code.sass"
  grep -cE '[[:space:]](D(ADD|MUL|FMA|SETP|MNMX)|MUFU\.[A-Z0-9]*64H|F2F\.F64\.F32|F2F\.F32\.F64|I2F\.F64)' "$folder/code.sass" || true
}
by_nvcc() { # expression, flags
  write "$1"
  "$cuda/bin/nvcc" -cubin -arch=sm_90 "${@:2}" -o "$folder/code.cubin" "$folder/source.cu"
  doubles
}
by_nvrtc() { # expression
  write "$1"
  python3 "$folder/nvrtc.py" "$cuda/lib" "$folder/source.cu" "$folder/code.cubin"
  doubles
}

seen=""
for expression in "pow(x, 2)" "pow(x, 3)" "pow(x, n)" "pow(2, x)" "fmax(x, 0)" "fma(x, y, 1)" "hypot(x, 1)" "pow(x, 2.0f)"; do
  flags=()
  if [[ $expression != pow* ]]; then flags=(--expt-relaxed-constexpr); fi
  nvrtc=$(by_nvrtc "$expression")
  nvcc=$(by_nvcc "$expression" "${flags[@]}")
  seen+="${seen:+, }$expression $nvrtc $nvcc"
  kind=$([ "$nvcc" = 0 ] && echo float || echo double)
  expected=$([[ $expression == *f\) ]] && echo float || echo double)
  if [ "$nvrtc" != 0 ] || [ "$kind" != "$expected" ]; then changed=yes; fi
done
fast=$(by_nvcc "pow(x, 2)" -use_fast_math)
echo "FP64 instructions by NVRTC and nvcc: $seen; pow(x, 2) by nvcc -use_fast_math $fast"
if [ "${changed:-no}" = yes ] || [ "$fast" = 0 ]; then
  echo "changed: other expressions are computed in FP64" >&2
  exit 1
fi
