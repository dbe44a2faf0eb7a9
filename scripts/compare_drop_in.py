#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seconds of one script with `implicit` and with alsbench.implicit in its place: fits, and single calls of a model.

    scripts/compare_drop_in.py --python VENV/bin/python --out drop-in.json
    scripts/compare_drop_in.py --python VENV/bin/python --shape ml-1m --iterations 5 --devices cpu

VENV is a throw-away environment with `pip install implicit==0.7.3` and alsbench itself.
Python and its modules are loaded before the clock starts. A fit is `AlternatingLeastSquares(factors=64, alpha=2).fit(matrix)` of 15 iterations, on a generated set of that shape.
Each library fits in a process of its own, once in each of --rounds; the process of a GPU's model fits --repeats times,
since its first fit also makes CUDA's context. The best counts, and `first_seconds` is the best first fit of a process.
Calls are of a model with 2,000,000 users and 50,000 items, whose factors are drawn at random.
A call's time is the median of 20, and the best of --rounds counts.
"""

import json

from timed_commands import generated, has, keep, options_of, output_of

MODELS = {"alsbench": "alsbench.implicit.als", "implicit": "implicit.als"}

# Both run in VENV and print JSON: seconds of each fit, or microseconds of each call.
FIT = r"""
import importlib, json, sys, time
import scipy.sparse
module, matrix, device, rank, iterations, repeats = sys.argv[1:]
matrix = scipy.sparse.load_npz(matrix)
make = importlib.import_module(module).AlternatingLeastSquares
seconds = []
for _ in range(int(repeats)):
    start = time.perf_counter()
    model = make(factors=int(rank), alpha=2.0, iterations=int(iterations), use_gpu=device == "gpu", random_state=1)
    model.fit(matrix, show_progress=False)
    seconds.append(time.perf_counter() - start)
print(json.dumps(seconds))
"""
CALLS = r"""
import importlib, json, statistics, sys, time
import numpy as np, scipy.sparse
module, users, items, rank = sys.argv[1], *map(int, sys.argv[2:])
random = np.random.default_rng(1)
model = importlib.import_module(module).AlternatingLeastSquares(factors=rank, use_gpu=False)
model.user_factors = random.standard_normal((users, rank), dtype=np.float32)
model.item_factors = random.standard_normal((items, rank), dtype=np.float32)
liked = np.sort(random.choice(items, 50, replace=False))
row = scipy.sparse.csr_matrix((np.ones(50, np.float32), liked, [0, 50]), shape=(1, items))
batch = scipy.sparse.vstack([row] * 100, "csr")
many = np.arange(100)
calls = {
    "recommend of a user": lambda k: model.recommend(k, row, N=10),
    "recommend of a user who is recalculated": lambda k: model.recommend(k, row, N=10, recalculate_user=True),
    "recommend of 100 users": lambda k: model.recommend(many + k, batch, N=10),
    "similar_items of an item": lambda k: model.similar_items(k, N=10),
    "partial_fit_users of a user": lambda k: model.partial_fit_users(np.array([k]), row),
}
found = {}
for name, call in calls.items():
    call(0)
    times = []
    for k in range(1, 21):
        start = time.perf_counter()
        call(k)
        times.append(time.perf_counter() - start)
    found[name] = statistics.median(times)
print(json.dumps(found))
"""


def worker(arguments, code, *words):
    """JSON of what the code prints in VENV. BLAS has one thread, as `implicit` asks for; kernels are kept from fit to fit."""
    settings = ["env", "OPENBLAS_NUM_THREADS=1", f"ALSBENCH_CACHE_DIR={arguments.folder / 'cache'}"]
    return json.loads(output_of([*settings, arguments.python, "-c", code, *map(str, words)], arguments.threads))


def fits(arguments, matrix):
    """Rows of (library, device). `implicit` has no GPU in its wheels."""
    kinds = [
        (library, device)
        for library in MODELS
        for device in arguments.devices
        if (library, device) != ("implicit", "gpu")
    ]
    rows = {kind: {"library": kind[0], "device": kind[1], "seconds": [], "first_seconds": []} for kind in kinds}
    for _ in range(arguments.rounds):
        for library, device in kinds:
            repeats = arguments.repeats if device == "gpu" else 1
            words = MODELS[library], matrix, device, arguments.rank, arguments.iterations, repeats
            seconds = worker(arguments, FIT, *words)
            rows[library, device]["seconds"].append(min(seconds))
            rows[library, device]["first_seconds"].append(seconds[0])
    return [{**row, **{name: min(row[name]) for name in ("seconds", "first_seconds")}} for row in rows.values()]


def calls(arguments):
    best = {library: {} for library in MODELS}
    for _ in range(arguments.rounds):
        for library, module in MODELS.items():
            found = worker(arguments, CALLS, module, *arguments.serving, arguments.rank)
            best[library] = {name: min(time, best[library].get(name, time)) for name, time in found.items()}
    return [
        {"call": name, "seconds": {library: best[library][name] for library in MODELS}} for name in best["alsbench"]
    ]


def print_tables(measured):
    reference = next((row["seconds"] for row in measured["fits"] if row["library"] == "implicit"), float("nan"))
    print(f"{'fit':20} {'seconds':>9} {'first':>9} {'times':>7}")
    for row in measured["fits"]:
        name = f"{row['library']}, {row['device']}"
        print(f"{name:20} {row['seconds']:9.3f} {row['first_seconds']:9.3f} {reference / row['seconds']:7.1f}")
    print(f"\n{'call':42} {'alsbench, ms':>13} {'implicit, ms':>13}")
    for row in measured["calls"]:
        ours, theirs = (1e3 * row["seconds"][library] for library in MODELS)
        print(f"{row['call']:42} {ours:13.3f} {theirs:13.3f}")


def main():
    parser = options_of(__doc__, "compare_drop_in")
    parser.add_argument("--shape", default="ml-20m", help="as `alsbench data generate` names it")
    parser.add_argument("--rank", type=int, default=64)
    parser.add_argument("--iterations", type=int, default=15)
    parser.add_argument("--repeats", type=int, default=3, help="fits of a process that uses a GPU")
    parser.add_argument("--devices", nargs="+", choices=["cpu", "gpu"], default=["cpu", "gpu"])
    parser.add_argument(
        "--serving", nargs=2, type=int, default=[2_000_000, 50_000], help="users and items of the calls"
    )
    arguments = parser.parse_args()
    for module in ("alsbench", "implicit"):
        if not has(arguments.python, module):
            parser.error(f"--python {arguments.python}: has no {module}; install it there")
    matrix = generated(arguments, f"{arguments.shape}.npz", arguments.shape)
    measured = {"fits": fits(arguments, matrix), "calls": calls(arguments)}
    print_tables(measured)
    settings = ["shape", "rank", "iterations", "threads", "rounds", "serving"]
    keep(arguments, [arguments.python, "-m", "alsbench"], ["implicit"], settings, measured)


if __name__ == "__main__":
    main()
