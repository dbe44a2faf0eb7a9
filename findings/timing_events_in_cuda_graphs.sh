#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Timing events in a CUDA graph cost as much as the kernels that they stand between.
#
# Versions: PyTorch 2.11.0+cu130, CUDA 13.0, driver 580.159, one NVIDIA H200.
# Behaviour: events that are recorded while a graph is captured, as external ones, become nodes of it and give the times
#   of each replay. Each node takes some 2 us of the device. A graph of twelve short kernels with an event before each and
#   one at the end takes more than twice as long as without them.
# Likely guess: an event is a time stamp that costs next to nothing, so a graph with times of its stages is as fast as one
#   without. Right: keep events to the ends of what must be told apart, and one event between two stages, not two.
# Output seen: PyTorch 2.11.0+cu130, NVIDIA H200: 12 kernels launched one by one 85.5 us, with events 174.3 us; as a graph
#   22.1 us, with 13 event nodes 50.2 us (stages add up to 41.8 us): 2.16 us an event
#
# Needs an NVIDIA GPU; run by hand. PyTorch is installed into a temporary folder unless it is there already.
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
import statistics
import sys
import time

import torch

KERNELS = 12
values = torch.zeros(1 << 18, device="cuda")
events = [torch.cuda.Event(enable_timing=True) for _ in range(KERNELS + 1)]
nodes = [torch.cuda.Event(enable_timing=True, external=True) for _ in range(KERNELS + 1)]


def work(moments):
    for i in range(KERNELS):
        if moments:
            moments[i].record()
        values.add_(1)
    if moments:
        moments[KERNELS].record()


def captured(moments):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work(moments)
    return graph


def microseconds(run):
    """The median of the host's time for a run and the wait for it."""
    times = []
    for _ in range(500):
        torch.cuda.synchronize()
        start = time.perf_counter()
        run()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
    return 1e6 * statistics.median(times[100:])


work(None)
torch.cuda.synchronize()
plain, timed = captured(None), captured(nodes)
stream = microseconds(lambda: work(None))
stream_timed = microseconds(lambda: work(events))
graph = microseconds(plain.replay)
graph_timed = microseconds(timed.replay)
sums = 1e3 * sum(a.elapsed_time(b) for a, b in zip(nodes, nodes[1:]))
each = (graph_timed - graph) / (KERNELS + 1)
print(
    f"PyTorch {torch.__version__}, {torch.cuda.get_device_name()}: {KERNELS} kernels launched one by one {stream:.1f} us, "
    f"with events {stream_timed:.1f} us; as a graph {graph:.1f} us, with {KERNELS + 1} event nodes {graph_timed:.1f} us "
    f"(stages add up to {sums:.1f} us): {each:.2f} us an event"
)
if each < 1:
    sys.exit("changed: an event node costs less than 1 us")
PY
