#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# mma.sync with FP32 sums truncates them: long sums of positive products come out too small, by an error of one sign.
#
# Versions: PyTorch 2.11.0+cu130, CUDA 13.0, driver 580.159, one NVIDIA H200.
# Behaviour: products are aligned to the largest of them and of the old sum. Two bits behind a float's are kept, and the
#   rest is cut off towards zero. 1,048,576 equal products come out 1.0 % too small; in groups of 16 that FADD adds up they
#   are off by 0.09 %.
# Likely guess: "FP32 accumulate" rounds to nearest as an FFMA does, so errors of a sum of n products grow with the root of
#   n. Right: sum short groups on tensor cores from zero, and add the groups on CUDA cores.
# Output seen: PyTorch 2.11.0+cu130, NVIDIA H200: 1 + 0.75 ulp is 1, -1 - 0.75 ulp is -1; 2 bits behind a float's are kept
#   while products are added; 1048576 equal products: off by -1.0e-02, in groups added by FADD 8.7e-04
#
# Needs an NVIDIA GPU of sm_80 or newer; run by hand. PyTorch is installed into a temporary folder unless it is there
# already.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=python3
if ! python3 -c 'import torch' 2>/dev/null; then
  python3 -m venv "$folder/venv"
  python="$folder/venv/bin/python"
  "$python" -m pip install --quiet 'torch==2.11.0' numpy
fi

"$python" - <<'PY'
import sys

import torch

# D = A B + C of one warp, of which D(0, 0) is looked at: row 0 of A and column 0 of B, 16 halves each.
SOURCE = r"""
extern "C" __global__ void multiply(const unsigned* a, const unsigned* b, float* sum, int times) {
  const int lane = threadIdx.x, column = lane % 4;
  const bool first = lane / 4 == 0;
  const unsigned a0 = first ? a[column] : 0, a2 = first ? a[4 + column] : 0;
  const unsigned b0 = first ? b[column] : 0, b1 = first ? b[4 + column] : 0;
  float d0 = lane == 0 ? *sum : 0, d1 = 0, d2 = 0, d3 = 0;
  for (int i = 0; i < times; ++i)
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
        : "r"(a0), "r"(0), "r"(a2), "r"(0), "r"(b0), "r"(b1));
  if (lane == 0) *sum = d0;
}
"""
multiply = torch.cuda._compile_kernel(SOURCE, "multiply")


def summed(start, products, times=1):
    """start + sum(x * y of the products), `times` times, in the order of the instruction."""
    x, y = (torch.zeros(16, dtype=torch.float16) for _ in range(2))
    for i, (a, b) in enumerate(products):
        x[i], y[i] = a, b
    sum_ = torch.tensor([start], dtype=torch.float32, device="cuda")
    multiply((1, 1, 1), (32, 1, 1), (x.view(torch.int32).cuda(), y.view(torch.int32).cuda(), sum_, times))
    return sum_.item()


ULP = 2.0**-23
up = summed(1, [(2.0**-12, 0.75 * 2.0**-11)])  # 1 + 0.75 ulp
down = summed(-1, [(2.0**-12, -0.75 * 2.0**-11)])
bits = 0  # behind those of a float: the finest addend of which enough together count
while bits < 4 and summed(1, [(2.0**-12, 2.0 ** -(12 + bits))] * 2 ** (bits + 1)) == 1 + ULP:
    bits += 1
n = 1 << 16
tensor = summed(0, [(0.1, 0.1)] * 16, n)
exact = 16 * n * float(torch.tensor(0.1, dtype=torch.float16)) ** 2
cuda = torch.zeros(1, device="cuda")
step = torch.tensor(exact / n, dtype=torch.float32, device="cuda")
for _ in range(n):
    cuda += step
print(
    f"PyTorch {torch.__version__}, {torch.cuda.get_device_name()}: 1 + 0.75 ulp is {'1' if up == 1 else '1 + ulp'}, "
    f"-1 - 0.75 ulp is {'-1' if down == -1 else '-1 - ulp'}; {bits} bits behind a float's are kept while products are added; "
    f"{16 * n} equal products: off by {tensor / exact - 1:.1e}, in groups added by FADD {cuda.item() / exact - 1:.1e}"
)
if up != 1 or down != -1:
    sys.exit("changed: sums are rounded")
PY
