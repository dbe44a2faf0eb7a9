#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seconds from a model to lists in a file, from a file of ratings to a model, and of the shortest commands.

    scripts/compare_lists.py --python VENV/bin/python --shape netflix --out lists.json
    scripts/compare_lists.py --python VENV/bin/python --shape netflix --scale 0.1 --rank 32 --device cpu

VENV is a throw-away environment with `pip install numpy pyarrow polars`, and alsbench itself where Parquet is to be written.
A set of that shape is generated and trained for an iteration; both are kept in --folder, so a second call takes the same ones.
A round runs each command once, in turn, and the best of --rounds counts: the whole process, from its start to its end.
No kernel is cached: on a GPU those of the pack beside the program are taken, else they are compiled.
A training of one iteration also says when that iteration had ended.
Beside lists stands what numpy or pyarrow takes to write the same columns, which are in memory then: the write alone.
"""

import json
import pathlib
import re
import tempfile

from timed_commands import generated, has, keep, options_of, output_of, timed

FIRST = "set file to an iteration"  # the command that is asked when that iteration ends

# Runs in the environment with pyarrow: reads the array of lists argv[1] and prints the seconds of writing it as argv[2].
WRITE = r"""
import sys, time
import numpy as np, pyarrow as pa, pyarrow.csv, pyarrow.parquet
lists, path, threads = np.load(sys.argv[1]), sys.argv[2], int(sys.argv[3])
pa.set_cpu_count(threads)
users, count = lists["item"].shape
columns = {"user": np.repeat(lists["user"], count), "rank": np.tile(np.arange(1, count + 1), users),
           "item": lists["item"].ravel(), "score": lists["score"].ravel()}
table = pa.table(columns)
start = time.perf_counter()
if path.endswith(".npy"):
    np.save(path, lists)
elif path.endswith(".parquet"):
    pa.parquet.write_table(table, path)
else:
    pa.csv.write_csv(table, path, pa.csv.WriteOptions(delimiter="\t", quoting_style="none"))
print(time.perf_counter() - start)
"""


def until_first_iteration(record):
    """Seconds from the start of the program to the end of its first iteration, as the record of a training has them."""
    record = json.loads(record.read_text())
    return record["start_seconds"]["total"] + record["iterations"][0]["wall_seconds"]


def lists_of(arguments, model, folder):
    """{name: (command, the file it writes)} of every command that is timed."""
    program, device = arguments.program, ["--device", arguments.device]

    def recommended(count, ending, command):
        out = folder / f"top{count}.{ending}"
        return [*command, "recommend", "--model", model, "-k", str(count), "-o", out, "-q", *device], out

    kinds = {"top 100, tsv": recommended(100, "tsv", [program]), "top 100, npy": recommended(100, "npy", [program])}
    if has(arguments.python, "alsbench"):
        kinds["top 100, parquet"] = recommended(100, "parquet", [arguments.python, "-m", "alsbench"])
    kinds["top 10, tsv"] = recommended(10, "tsv", [program])
    ratings = folder / "ratings.csv"
    kinds["set file to csv"] = [program, "data", "convert", arguments.set, "-o", ratings, "-q"], ratings
    words = ["--rank", str(arguments.rank), "--iterations", "10", "--out", folder / "model", "-q", *device]
    kinds["csv to model"] = [program, "train", "--data", ratings, *words], folder / "model" / "record.json"
    words = ["--rank", str(arguments.rank), "--iterations", "1", "--out", folder / "first", "-q", *device]
    kinds[FIRST] = [program, "train", "--data", arguments.set, *words], folder / "first" / "record.json"
    for word in ("--version", "list", "--help"):
        kinds[word] = [program, word], None
    return kinds


def compared(arguments, model, folder):
    kinds = lists_of(arguments, model, folder)
    kinds = {name: kind for name, kind in kinds.items() if re.search(arguments.commands, name)}
    rows = {name: {"command": name, "seconds": {}, "peak_bytes": 0} for name in kinds}
    for _ in range(arguments.rounds):
        for name, (command, out) in kinds.items():
            seconds, peak = timed(command, arguments.threads)
            row = rows[name]
            times = {"alsbench": seconds}
            if name.startswith("top 100"):
                words = [folder / "top100.npy", folder / f"other{out.suffix}", str(arguments.threads)]
                if words[0].exists():
                    library = "numpy" if out.suffix == ".npy" else "pyarrow"
                    times[library] = float(output_of([arguments.python, "-c", WRITE, *words], arguments.threads))
            if name == FIRST:
                times["first iteration"] = until_first_iteration(out)
            row["seconds"] |= {key: min(value, row["seconds"].get(key, value)) for key, value in times.items()}
            row["peak_bytes"] = max(peak, row["peak_bytes"])
            row["bytes"] = out.stat().st_size if out else 0
    return list(rows.values())


def prepare(arguments):
    """The model of one iteration, and the set it was trained on."""
    name = f"{arguments.shape}-{arguments.scale:g}"
    arguments.set = generated(arguments, f"{name}.alsset", arguments.shape, "--scale", str(arguments.scale))
    model = arguments.folder / f"{name}-rank{arguments.rank}"
    if not (model / "record.json").exists():
        words = ["--rank", str(arguments.rank), "--iterations", "1", "--device", arguments.device, "--out", model, "-q"]
        output_of([arguments.program, "train", "--data", arguments.set, *words], arguments.threads)
    return model


def print_table(rows):
    print(f"{'command':24} {'MB':>7} {'alsbench':>9} {'numpy':>8} {'pyarrow':>8} {'peak MB':>8}")
    for row in rows:
        seconds = row["seconds"]
        shown = [f"{seconds[name]:.3f}" if name in seconds else "" for name in ("alsbench", "numpy", "pyarrow")]
        size = f"{row['bytes'] / 1e6:.0f}" if row["bytes"] else ""
        print(
            f"{row['command']:24} {size:>7} {shown[0]:>9} {shown[1]:>8} {shown[2]:>8} {row['peak_bytes'] / 1e6:>8.0f}"
        )
        if row["command"] == FIRST:
            print(f"its first iteration ends after {seconds['first iteration']:.3f} s")


def main():
    parser = options_of(__doc__, "compare_lists")
    parser.add_argument("--shape", default="netflix", help="as `alsbench data generate` names it")
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--rank", type=int, default=100)
    parser.add_argument("--device", default="auto")
    parser.add_argument(
        "--commands", default="", help="only those whose name matches this regex, such as 'npy|parquet'"
    )
    arguments = parser.parse_args()
    model = prepare(arguments)
    with tempfile.TemporaryDirectory(dir=arguments.folder) as scratch:
        rows = compared(arguments, model, pathlib.Path(scratch))
    print_table(rows)
    settings = ["shape", "scale", "rank", "device", "threads", "rounds"]
    keep(arguments, [arguments.program], ["numpy", "pyarrow"], settings, {"lists": rows})


if __name__ == "__main__":
    main()
