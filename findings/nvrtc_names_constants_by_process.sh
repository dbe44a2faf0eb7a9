#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# NVRTC names a constant after its process and second once nvrtcAddNameExpression was called, so equal sources give other bytes.
#
# Versions: NVRTC 13.0.88 from PyPI, compute_90; no GPU.
# Behaviour: a constexpr or static array in a namespace has internal linkage, and where its address is taken by an index its
#   symbol begins with _INTERNAL_. With a name expression, which templates need, the middle of that symbol is a hash of the time
#   in seconds and the process id; without one it is a hash that stays. PTX and cubin therefore differ from run to run, and so do
#   hashes and caches that are made of them. Instructions are the same.
# Likely guess: NVRTC is deterministic, since nvcc is: one source and the same options give the same bytes.
#   Right: inline constexpr, whose symbol is that of the variable; or compare code without symbols.
# Output seen: two processes, an index into constexpr int weights[4]:
#   extern "C" kernel: equal; template by a name expression: different, _INTERNAL_00000000_8_scale_cu_0cee36a9_6103;
#   the same with inline constexpr: equal
#
# Run by hand. NVRTC is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps nvidia-cuda-nvrtc==13.0.88
cat >"$folder/compile.py" <<'PY'
"""Prints the PTX of a kernel: LIBRARY FOLDER, the constant's declaration, whether the kernel is a template."""

import ctypes
import glob
import sys

folder, declared, by_name = sys.argv[1], sys.argv[2], sys.argv[3] == "template"
ctypes.CDLL(glob.glob(f"{folder}/libnvrtc-builtins.so*")[0], mode=ctypes.RTLD_GLOBAL)
nvrtc = ctypes.CDLL(glob.glob(f"{folder}/libnvrtc.so*")[0])
head = "template <int kFactor>" if by_name else 'constexpr int kFactor = 3; extern "C"'
source = f"""
namespace mine {{
{declared} int weights[4] = {{1, 2, 3, 5}};
{head} __global__ void scale(int* values) {{ values[threadIdx.x] *= weights[threadIdx.x & 3] * kFactor; }}
}}
"""
program = ctypes.c_void_p()
nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"scale.cu", 0, None, None)
if by_name:
    nvrtc.nvrtcAddNameExpression(program, b"mine::scale<3>")
options = (ctypes.c_char_p * 1)(b"--gpu-architecture=compute_90")
if nvrtc.nvrtcCompileProgram(program, 1, options) != 0:
    sys.exit("the source does not compile")
size = ctypes.c_size_t()
nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size))
text = ctypes.create_string_buffer(size.value)
nvrtc.nvrtcGetPTX(program, text)
print(text.value.decode())
PY

library=$(dirname "$(find "$folder/venv" -name 'libnvrtc.so*' | head -1)")
twice() { # declaration, kind of kernel: "equal", or "different" with the part of the symbol that holds the process
  for run in 1 2; do
    "$folder/venv/bin/python" "$folder/compile.py" "$library" "$1" "$2" >"$folder/$run.ptx"
    sleep 1
  done
  if cmp -s "$folder/1.ptx" "$folder/2.ptx"; then
    echo equal
  else
    echo "different, $(sed -n 's/.*\(_INTERNAL_[0-9]*_8_scale_cu_[0-9a-f]*_[0-9]*\)4mine7weights.*/\1/p' "$folder/1.ptx" | head -1)"
  fi
}

plain=$(twice constexpr plain)
template=$(twice constexpr template)
inlined=$(twice "inline constexpr" template)
echo "two processes, an index into constexpr int weights[4]:"
echo "extern \"C\" kernel: $plain; template by a name expression: $template;"
echo "the same with inline constexpr: $inlined"
if [ "$plain" != equal ] || [ "${template%%,*}" != different ] || [ "$inlined" != equal ]; then
  echo "changed: other compilations differ" >&2
  exit 1
fi
