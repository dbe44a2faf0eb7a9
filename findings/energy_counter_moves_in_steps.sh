#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# NVML's energy counter of an H200 counts millijoules, moves ten times a second, and takes milliseconds to read.
#
# Versions: driver 580.159.04, PyTorch 2.11.0+cu130, one NVIDIA H200.
# Behaviour: nvmlDeviceGetTotalEnergyConsumption has a unit of 1 mJ, but a new value every 100 ms only, so most reads around
#   a kernel of 5 ms differ by 0 and the others by the energy of 100 ms. One read takes some milliseconds, so a program that
#   reads before and after each kernel leaves the device idle for about as long as it works, and at another power.
# Likely guess: a counter in millijoules resolves millijoules, and a read is as cheap as a time stamp. Right: let a kernel run
#   in a row for half a second or more, begin and end when the counter has just moved, and read it from another thread.
# Output seen: PyTorch 2.11.0+cu130, NVIDIA H200: a read takes 3.1 ms, the counter moves every 100 ms; around a kernel of
#   4.3 ms it moved by 0 in 98 %, else by 46.4 J; the device worked 39 % of the time
#
# Needs an NVIDIA GPU of Volta or newer; run by hand. PyTorch is installed into a temporary folder unless it is there already.
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
import ctypes
import statistics
import sys
import time

import torch

nvml = ctypes.CDLL("libnvidia-ml.so.1")
device = ctypes.c_void_p()
if nvml.nvmlInit_v2() or nvml.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(device)):
    sys.exit("NVML does not answer")


def millijoules():
    value = ctypes.c_ulonglong()
    if nvml.nvmlDeviceGetTotalEnergyConsumption(device, ctypes.byref(value)):
        sys.exit("this device has no counter of energy")
    return value.value


def work(products):
    for _ in range(products):
        torch.mm(matrix, matrix, out=product)


matrix = torch.randn(4096, 4096, device="cuda", dtype=torch.float16)
product = torch.empty_like(matrix)
work(500)
torch.cuda.synchronize()
begin = time.perf_counter()
work(200)
torch.cuda.synchronize()
products = round(200 * 0.005 / (time.perf_counter() - begin))  # in some 5 ms

# Each read, and the moments when the counter has moved, while the device works.
reads, moves, last = [], [], millijoules()
for _ in range(400):
    work(max(1, products // 2))
    begin = time.perf_counter()
    now = millijoules()
    reads.append(time.perf_counter() - begin)
    if now != last:
        moves.append(begin)
        last = now
    torch.cuda.synchronize()
steps = [after - before for before, after in zip(moves, moves[1:])]

# As a program would measure one kernel.
energies, working = [], 0.0
start = time.perf_counter()
for _ in range(200):
    before = millijoules()
    begin = time.perf_counter()
    work(products)
    torch.cuda.synchronize()
    working += time.perf_counter() - begin
    energies.append(millijoules() - before)
whole = time.perf_counter() - start
zeros = energies.count(0) / len(energies)
others = [energy for energy in energies if energy]

print(
    f"PyTorch {torch.__version__}, {torch.cuda.get_device_name()}: a read takes {1e3 * statistics.median(reads):.1f} ms, "
    f"the counter moves every {1e3 * statistics.median(steps):.0f} ms; around a kernel of {1e3 * working / 200:.1f} ms "
    f"it moved by 0 in {100 * zeros:.0f} %, else by {statistics.median(others) / 1e3:.1f} J; "
    f"the device worked {100 * working / whole:.0f} % of the time"
)
if zeros < 0.5:
    sys.exit("changed: most reads around a kernel of 5 ms differ")
PY
