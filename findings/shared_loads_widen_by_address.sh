#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas joins four neighbouring loads of a shared array where it happens to lie at a multiple of 16: another array splits them.
#
# Versions: nvcc and ptxas 13.0.88, nvdisasm 13.2.51, all from PyPI; sm_90, sm_100, sm_120; no GPU.
# Behaviour: the alignment of the type, 4 for float, does not count, but the address does, and that depends on what is declared
#   before. s[4 * i] to s[4 * i + 3] are one LDS.128 where s is alone or after 1,020 or 1,024 floats, two LDS.64 after 1,022,
#   and four LDS after 1,021 or 1,023. Declared after s the same array changes nothing. With -rdc=true, as of
#   CUDA_SEPARABLE_COMPILATION, the linker places s, and there are four. Dynamic shared memory, extern float s[], has LDS.128.
# Likely guess: a padded tile or some flags before s cost their bytes alone, and -rdc=true matters to kernels that call
#   functions of other files. Right: __align__(16) on every shared array of which neighbours are read together. It keeps
#   LDS.128 in all these cases.
# Output seen: sm_90, sm_100 and sm_120 alike: plain: alone 128, after_1020 128, after_1021 32 32 32 32, after_1022 64 64,
#   after_1023 32 32 32 32, after_1024 128, before_1021 128, dynamic 128, -rdc=true 32 32 32 32; aligned: 128 in all cases
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
cat >"$folder/loads.cu" <<'CU'
// Reads four neighbours of s, those of a row; another array, which is written and not read, is declared before or after it.
#ifdef ALIGNED
#define ALIGN __align__(16)
#else
#define ALIGN
#endif
#define S __shared__ ALIGN float s[1024];
#define KERNEL(NAME, DECLARED, WRITE)                                              \
  extern "C" __global__ void NAME(const float* from, float* to, const int* rows) { \
    const int t = threadIdx.x;                                                     \
    DECLARED                                                                       \
    WRITE                                                                          \
    s[t] = from[t];                                                                \
    __syncthreads();                                                               \
    const int i = 4 * rows[t];                                                     \
    to[t] = s[i] * s[i + 1] + s[i + 2] * s[i + 3];                                 \
  }
#define OTHER(COUNT) __shared__ volatile float other[COUNT];
#define AFTER(COUNT) KERNEL(after_##COUNT, OTHER(COUNT) S, other[t] = from[t + 1];)
extern __shared__ ALIGN float of_launch[];
KERNEL(alone, S, )
AFTER(1020)
AFTER(1021)
AFTER(1022)
AFTER(1023)
AFTER(1024)
KERNEL(before_1021, S OTHER(1021), other[t] = from[t + 1];)
KERNEL(dynamic, float* const s = of_launch;, )
CU

widths() { # kernel: bits of its shared loads
  awk -v start=".text.$1:" '
    /^\.text\./ { inside = $1 == start }
    inside && match($0, /LDS[A-Z0-9.]*/) {
      load = substr($0, RSTART, RLENGTH)
      printf " %s", load ~ /\.128/ ? 128 : load ~ /\.64/ ? 64 : 32
    }' "$folder/code.sass"
}
compile() { # flags
  "$cuda/bin/nvcc" -cubin "$@" -o "$folder/code.cubin" "$folder/loads.cu"
  "$cuda/bin/nvdisasm" "$folder/code.cubin" >"$folder/code.sass"
}

kernels=(alone after_1020 after_1021 after_1022 after_1023 after_1024 before_1021 dynamic)
each="32 32 32 32"
plain="alone 128, after_1020 128, after_1021 $each, after_1022 64 64, after_1023 $each, after_1024 128, "
plain+="before_1021 128, dynamic 128, -rdc=true $each"
aligned="$(printf '%s 128, ' "${kernels[@]}")-rdc=true 128"
for architecture in sm_90 sm_100 sm_120; do
  for kind in plain aligned; do
    seen=""
    flag=$([ "$kind" = aligned ] && echo -DALIGNED || echo -UALIGNED)
    compile -arch="$architecture" "$flag"
    for kernel in "${kernels[@]}"; do
      seen+="$kernel$(widths "$kernel"), "
    done
    compile -arch="$architecture" "$flag" -rdc=true
    seen+="-rdc=true$(widths alone)"
    echo "$architecture $kind: $seen"
    expected=$([ "$kind" = aligned ] && echo "$aligned" || echo "$plain")
    if [ "$seen" != "$expected" ]; then
      echo "changed: expected $expected" >&2
      exit 1
    fi
  done
done
