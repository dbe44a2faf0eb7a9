#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""alsbench beside implicit, LIBMF and OpenBLAS on this machine's CPU, on ratings of MovieLens 10M's shape.

    scripts/compare_cpu.py                             writes results/CPU/cpu-peers.json and prints a table
    scripts/compare_cpu.py --scale 0.01 --out t.json   a trial

    iteration      seconds of an iteration at rank 64, CG of 3 steps, FP32, beside implicit's
    time-to-rmse   seconds of the iterations that reach the test RMSE that LIBMF has after 20 epochs
    hermitian      useful FLOP/s at rank 100 beside OpenBLAS's sgemm: batched, and one large product

Both sides get the same ratings and as many threads, and their runs alternate. A peer that cannot be installed, fails or
hangs leaves a row `unavailable` with the reason. ALSBENCH_BINARY names another program than build/alsbench.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BINARY = os.environ.get("ALSBENCH_BINARY", str(ROOT / "build" / "alsbench"))
PIPELINES = ["update:matrix_free:steps=3", "update:blocked:steps=3", "hermitian:blocked/bias:rows/solve:cg:steps=3"]
RANK, EPOCHS = 64, 20
LAMBDA = 0.06  # the least test RMSE of 0.03, 0.05, 0.055, 0.06, 0.065, 0.07 and 0.09
LIBMF_LAMBDAS = [0.1, 0.05]  # its default, and the least test RMSE of 0.03, 0.04, 0.05, 0.06, 0.07 and 0.1
PEERS = {"implicit": ["implicit", "numpy", "scipy"], "libmf": ["libmf", "numpy", "scipy"], "sgemm": ["numpy"]}
# As in LIBMF's own Makefile; its Python package leaves out AVX and OpenMP.
LIBMF_FLAGS = "-O3 -march=native -fopenmp -DUSEAVX -DUSEOMP"

# What the peers' Python runs, after numpy, json and sys: `job` is the argument, the answer the last line.
START = (
    "import json, sys, time, warnings; warnings.filterwarnings('ignore'); import numpy; job = json.loads(sys.argv[1])\n"
)
CODE = {
    "implicit": """
import scipy.sparse
from implicit.cpu.als import AlternatingLeastSquares
ratings = scipy.sparse.load_npz(job["train"]).tocsr().astype(numpy.float32)
model = AlternatingLeastSquares(factors=job["rank"], regularization=job["lambda"], dtype=numpy.float32, use_native=True,
                                use_cg=True, iterations=job["iterations"], num_threads=job["threads"], random_state=1)
model.cg_steps = 3
seconds = []
model.fit(ratings, show_progress=False, callback=lambda iteration, elapsed, loss: seconds.append(elapsed))
print(json.dumps(seconds))
""",
    "libmf": """
import scipy.sparse
from libmf import mf
train, test = (scipy.sparse.load_npz(job[name]).tocoo() for name in ("train", "test"))
model = mf.MF(k=job["rank"], nr_threads=job["threads"], nr_iters=job["epochs"], lambda_p1=0, lambda_q1=0,
              lambda_p2=job["lambda"], lambda_q2=job["lambda"])
model.fit(numpy.stack([train.row, train.col, train.data], axis=1))
predicted = model.predict(numpy.stack([test.row, test.col]).T)  # it reads the users first, then the items
print(json.dumps(float(numpy.sqrt(numpy.mean((predicted - test.data) ** 2)))))
""",
    "sgemm": """
a, b = numpy.random.default_rng(1).random((2, 2048, 2048), dtype=numpy.float32)
stamps = [(time.perf_counter(), a @ b)[0] for _ in range(12)]
print(json.dumps([2 * 2048**3 / (end - start) for start, end in zip(stamps[1:], stamps[2:])]))
""",
}


class Unavailable(Exception):
    """A peer that cannot be installed or run; the text says why."""


def run(command, limit, **environment):
    """[(seconds, line)] of what a peer's command prints; Unavailable where it fails or takes longer than `limit` seconds."""
    command = ["timeout", str(limit), *map(str, command)]
    with (
        tempfile.TemporaryFile("w+") as log,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True, env={**os.environ, **environment}
        ) as process,
    ):
        lines = [(time.perf_counter(), line) for line in process.stdout]
        code = process.wait()
        log.seek(0)
        message = (
            f"not done within {limit} s" if code == 124 else (log.read().strip().splitlines() or ["no message"])[-1]
        )
    if code != 0:
        raise Unavailable(message)
    return lines


def peer(name, options, **job):
    """(answer, lines) of CODE[name], installed first where needed."""
    if name in options.skip:
        raise Unavailable("skipped")
    python = options.venv / "bin" / "python"
    if not python.exists():
        run([sys.executable, "-m", "venv", options.venv], 300)
    local = ["--no-binary", "libmf", "--no-cache-dir"] if name == "libmf" else []
    run(
        [python, "-m", "pip", "install", "-q", *local, "-c", ROOT / "scripts" / "requirements-peers.txt", *PEERS[name]],
        900,
        CFLAGS=LIBMF_FLAGS,
        CXXFLAGS=LIBMF_FLAGS,
        LDFLAGS="-fopenmp",
    )
    print(f"{name}, load {os.getloadavg()[0]:.1f}", file=sys.stderr)
    blas = options.threads if name == "sgemm" else 1  # implicit spreads rows over threads and asks for a BLAS of one
    lines = run(
        [python, "-c", START + CODE[name], json.dumps({"threads": options.threads, **job})],
        options.limit,
        OMP_NUM_THREADS=str(options.threads),
        OPENBLAS_NUM_THREADS=str(blas),
    )
    return json.loads(lines[-1][1]), lines


def alsbench(options, *words):
    print(f"alsbench {words[0]}, load {os.getloadavg()[0]:.1f}", file=sys.stderr)
    process = subprocess.run(
        [BINARY, *map(str, words)],
        env={**os.environ, "OMP_NUM_THREADS": str(options.threads)},
        stdout=subprocess.DEVNULL,
    )
    if process.returncode != 0:
        sys.exit(f"compare_cpu: {BINARY} {words[0]} ended with exit code {process.returncode}; the lines above say why")


def train(options, pipeline, iterations, *words):
    """The record of a training run."""
    with tempfile.TemporaryDirectory() as folder:
        alsbench(
            options,
            "train",
            "-d",
            "cpu",
            "--data",
            options.train,
            "--test",
            options.test,
            "--rank",
            RANK,
            "--lambda",
            LAMBDA,
            "--iterations",
            iterations,
            "--pipeline",
            pipeline,
            "--out",
            folder,
            "-q",
            *words,
        )
        return json.loads(pathlib.Path(folder, "record.json").read_text(encoding="utf-8"))


def spread(values):
    return {"median": statistics.median(values), "minimum": min(values), "maximum": max(values), "count": len(values)}


def row(comparison, unit, what, ours, name, theirs, bound, **more):
    """One comparison: `ours` and `theirs` are samples in `unit`; `bound` is the ratio of medians that is asked for."""
    result = {"comparison": comparison, "unit": unit, "alsbench": what, "peer": name, **more}
    if ours:
        result["ours"] = spread(ours)
    if isinstance(theirs, Unavailable):
        return {**result, "status": "unavailable", "reason": str(theirs)}
    ratio, best = statistics.median(ours) / statistics.median(theirs), min if unit == "seconds" else max
    met = (ratio <= bound if unit == "seconds" else ratio >= bound) and more.get("reached", True)
    return {
        **result,
        "status": "measured",
        "theirs": spread(theirs),
        "ratio": ratio,
        "ratio_of_best": best(ours) / best(theirs),
        "bound": bound,
        "met": met,
    }


def iteration(options):
    """Rows of all pipelines, the fastest first. The first iteration of each run warms up and does not count."""
    entries, theirs = {pipeline: [] for pipeline in options.pipeline}, []
    for _ in range(options.rounds):
        for pipeline in options.pipeline:
            entries[pipeline] += [entry["seconds"] for entry in train(options, pipeline, 6)["iterations"][1:]]
        try:
            if not isinstance(theirs, Unavailable):
                theirs += peer("implicit", options, train=options.train, rank=RANK, iterations=6, **{"lambda": LAMBDA})[
                    0
                ][1:]
        except Unavailable as error:
            theirs = error
    rows = [
        row(
            "iteration",
            "seconds",
            pipeline,
            [s["total"] for s in seconds],
            "implicit",
            theirs,
            0.5,
            stages={stage: statistics.median(s["stages"][stage] for s in seconds) for stage in seconds[0]["stages"]},
        )
        for pipeline, seconds in entries.items()
    ]
    return sorted(rows, key=lambda one: one["ours"]["median"])


def libmf(options, weight):
    """(seconds of all epochs, test RMSE). The first epoch counts as the others' mean: its line also waits for shuffling."""
    rmse, lines = peer(
        "libmf", options, train=options.train, test=options.test, rank=RANK, epochs=EPOCHS, **{"lambda": weight}
    )
    stamps = [stamp for stamp, line in lines if re.match(r"\s*\d+\s+\d+\.\d+\s", line)]
    return (stamps[-1] - stamps[0]) * EPOCHS / (EPOCHS - 1), rmse


def time_to_rmse(options, pipeline):
    rows = []
    for weight in LIBMF_LAMBDAS:
        try:
            theirs, rmse = zip(*(libmf(options, weight) for _ in range(options.rounds)))
        except Unavailable as error:
            rows.append(row("time-to-rmse", "seconds", pipeline, [], f"libmf, lambda {weight}", error, 1))
            continue
        target = statistics.median(rmse)
        runs = [train(options, pipeline, EPOCHS, "--target-rmse", target) for _ in range(options.rounds)]
        ours = [sum(entry["seconds"]["total"] for entry in run["iterations"]) for run in runs]
        rows.append(
            row(
                "time-to-rmse",
                "seconds",
                pipeline,
                ours,
                f"libmf, lambda {weight}",
                theirs,
                1,
                target_rmse=target,
                reached=all(run["reached_target"] for run in runs),
                test_rmse=[entry["test_rmse"] for entry in runs[0]["iterations"]],
            )
        )
    return rows


def hermitian(options):
    suite = {
        "name": "hermitian",
        "description": "The stage beside sgemm of the mean row length.",
        "problems": [{"dataset": "ml-10m", "scale": options.scale, "rank": 100, "lambda": LAMBDA, "backend": "cpu"}],
        "measure": [{"stage": "hermitian", "variant": "blocked", "side": ["x", "theta"], "cache": "hot"}],
        "roofs": [{"stage": "gemm_batched", "variant": "strided", "cache": "hot"}],
        "sampling": {"min_samples": 5, "max_samples": 5 * options.rounds, "max_noise": 0.02, "max_seconds": 30},
    }
    with tempfile.TemporaryDirectory() as folder:
        source, result = pathlib.Path(folder, "hermitian.json"), pathlib.Path(folder, "result.json")
        source.write_text(json.dumps(suite), encoding="utf-8")
        alsbench(options, "run", source, "-d", "cpu", "--out", folder, "--json", result, "-q")
        cases = json.loads(result.read_text(encoding="utf-8"))["cases"]
    try:
        large = peer("sgemm", options)[0]
    except Unavailable as error:
        large = error

    def rates(case, flops):  # useful: A_u's f (f + 1) a rating; paper: all 2 f^2 that sgemm computes
        return [case["work"][flops] / sample["seconds"] for sample in case["hot"]["samples"]]

    by_name = {(case["stage"], case["side"]): case for case in cases}
    return [
        row(
            "hermitian",
            "flops_per_second",
            f"hermitian:blocked, {side}",
            rates(by_name["hermitian", side], "useful_flops"),
            name,
            theirs,
            0.6,
        )
        for side in ("x", "theta")
        for name, theirs in (
            ("gemm_batched, useful", rates(by_name["gemm_batched", side], "useful_flops")),
            ("gemm_batched, all", rates(by_name["gemm_batched", side], "paper_flops")),
            ("sgemm, 2048 x 2048", large),
        )
    ]


def print_table(rows):
    print("| comparison | alsbench | median (range) | peer | median (range) | ratio | of the best | bound | met |")
    print("|---|---|---|---|---|---|---|---|---|")
    for one in rows:
        scale, unit = (1, "s") if one["unit"] == "seconds" else (1e-9, "GFLOP/s")
        values = (
            [one[side][key] * scale for key in ("median", "minimum", "maximum")] if side in one else []
            for side in ("ours", "theirs")
        )
        ours, theirs = ("{:.3g} ({:.3g} to {:.3g}) {}".format(*three, unit) if three else "" for three in values)
        met = "yes" if one.get("met") else "no" if one.get("reached", True) else "no: RMSE not reached"
        end = (
            f"{one['ratio']:.2f} | {one['ratio_of_best']:.2f} | {one['bound']} | {met}"
            if theirs
            else f"{one['reason']} | | |"
        )
        print(f"| {one['comparison']} | `{one['alsbench']}` | {ours} | {one['peer']} | {theirs} | {end} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=1, help="of the generated ratings")
    parser.add_argument("--skip", action="append", default=[], choices=list(PEERS), help="a peer; may be repeated")
    parser.add_argument(
        "--threads", type=int, default=len(os.sched_getaffinity(0)), help="of each side; default: all cores"
    )
    parser.add_argument("--rounds", type=int, default=3, help="runs of each side, alternating")
    parser.add_argument(
        "--pipeline", action="append", help=f"of alsbench; may be repeated; default: {', '.join(PIPELINES)}"
    )
    parser.add_argument("--limit", type=int, default=600, help="seconds for one run of a peer")
    parser.add_argument(
        "--venv", type=pathlib.Path, default=ROOT / "build" / "peers", help="of the peers; made where missing"
    )
    parser.add_argument("--out", type=pathlib.Path, help="result file; default: results/CPU/cpu-peers.json")
    options = parser.parse_args()
    if options.rounds < 1 or options.threads < 1:
        parser.error("--rounds and --threads are at least 1")
    if not os.access(BINARY, os.X_OK):
        parser.error(f"no program at {BINARY}: scripts/setup builds it, and ALSBENCH_BINARY names another")
    options.venv, options.pipeline = options.venv.absolute(), options.pipeline or PIPELINES
    load = [os.getloadavg()[0]]
    with tempfile.TemporaryDirectory() as folder:
        options.train, options.test = f"{folder}/train.npz", f"{folder}/test.npz"
        alsbench(
            options,
            "data",
            "generate",
            "ml-10m",
            "--scale",
            options.scale,
            "-d",
            "cpu",
            "-q",
            "-o",
            options.train,
            "--test-out",
            options.test,
        )
        record = train(options, options.pipeline[0], 1)
        rows = iteration(options)
        rows += time_to_rmse(options, rows[0]["alsbench"]) + hermitian(options)
    pinned = (ROOT / "scripts" / "requirements-peers.txt").read_text(encoding="utf-8")
    provenance = {
        "time_utc": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "command_line": [pathlib.Path(word).name if word.startswith("/") else word for word in sys.argv],
        "build": record["provenance"]["build"],
        "host": record["provenance"]["host"],
        "threads": options.threads,
        "environment": {
            name: value for name, value in os.environ.items() if name.startswith(("OMP_", "GOMP_", "OPENBLAS_"))
        },
        "load_before_and_after": [*load, os.getloadavg()[0]],
        "python": sys.version.split()[0],
        "peers": dict(re.findall(r"^(\w+)==(\S+)", pinned, re.MULTILINE)),
        "libmf_flags": LIBMF_FLAGS,
    }
    document = {
        "$schema": "../schema/cpu-peers.schema.json",
        "schema_version": "1.0.0",
        "kind": "cpu-peers",
        "provenance": provenance,
        "data": {**record["data"], "id": pathlib.Path(options.train).name},
        "scale": options.scale,
        "rows": rows,
    }
    slug = re.sub("[^a-z0-9]+", "-", record["device"]["name"].lower()).strip("-")
    out = options.out or ROOT / "results" / slug / "cpu-peers.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print_table(rows)


if __name__ == "__main__":
    main()
