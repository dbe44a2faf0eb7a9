#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seconds from a file of ratings to both orders in memory, beside what pyarrow and polars take to parse the same file.

    scripts/compare_readers.py --python VENV/bin/python --ratings 9000000 --out readers.json
    scripts/compare_readers.py --python VENV/bin/python --ratings 60000000 --files csv,uuids,cumf,npz,matrix-market --out readers.json
    scripts/compare_readers.py --python VENV/bin/python --files csv,csv.gz,csv.zst --out readers.json

VENV is a throw-away environment with `pip install numpy pyarrow`, and polars,
`pandas scipy implicit` or pyspark (with a Java) if they are to be compared.
The files are made in --folder and kept there, so a second call compares the same ones. Ratings are half stars, users and items are
drawn as unevenly as in MovieLens, no cell twice, in random order; 65 ratings a user, 5 users an item. Of fewer than 170,000
ratings a user has fewer: at most an eighth of all cells is rated.
A round runs each program once, in turn, and the best of --rounds counts. All files lie in the page cache then, and no set is cached.
Seconds of alsbench are `start_seconds.load` of `alsbench train`, which holds out a tenth as test ratings; those of pyarrow, polars and
pyspark are of the parse alone, of integers, texts and floats as columns. implicit reads no files: its seconds are those of pandas, and
of SciPy to both orders of rows. Users of `uuids` are UUIDs, and those and the items of `all-uuids`.
`memory` is the highest resident size of that training, over the bytes of both orders: on a CPU it holds a copy of them too.
"""

import json
import pathlib
import tempfile

from timed_commands import has, keep, options_of, output_of, timed

FILES = ["csv", "csv.gz", "csv.zst", "uuids", "all-uuids", "cumf", "npz", "matrix-market"]
TEXTS = ["csv", "csv.gz", "csv.zst", "uuids", "all-uuids", "matrix-market"]
PARSERS = ["pyarrow", "polars", "implicit", "pyspark"]
ENDINGS = {"uuids": ".csv", "all-uuids": ".csv", "cumf": "", "matrix-market": ".mtx"}  # others end as they are called

# Runs in the environment with numpy: makes the file argv[2] of the kind argv[1] with argv[3] ratings.
MAKE = r"""
import os, sys, zipfile
import numpy as np
kind, path, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
# At most an eighth of the cells is rated: else cells that are free yet are hardly drawn, or there are none.
users = max(count // 65, int((40 * count) ** 0.5), 100)
items = max(users // 5, 50)
random = np.random.default_rng(7)
def drawn(size, flat, number):  # about 1 / (rank + flat)
    return np.minimum(flat * ((1 + size / flat) ** random.random(number) - 1), size - 1).astype(np.int64)
keys = np.empty(0, np.int64)
while len(keys) < count:
    more = drawn(users, 200, count) * items + drawn(items, 30, count)
    keys = np.sort(np.concatenate([keys, more]))  # np.unique hashes, and takes fifty times as long
    keys = keys[np.diff(keys, prepend=-1) > 0]
keys = keys[random.permutation(len(keys))[:count]]
u, i = random.permutation(users)[keys // items], keys % items
r = (random.integers(1, 11, count) / 2).astype(np.float32)
if kind.startswith("csv") or kind in ("uuids", "all-uuids", "matrix-market"):
    import pyarrow as pa, pyarrow.csv as csv
    blanks = kind == "matrix-market"
    names = ["user", "item", "rating"]
    columns = [pa.array(u + 1), pa.array(i + 1), pa.array(r)]
    import uuid
    for side, column, size in ((0, u, users), (1, i, items)):
        if kind == "all-uuids" or (kind == "uuids" and side == 0):
            texts = pa.array([str(uuid.UUID(bytes=random.bytes(16))) for _ in range(size)])
            columns[side] = texts.take(pa.array(column))
    compression = {"csv.gz": "gzip", "csv.zst": "zstd"}.get(kind)
    with pa.output_stream(path, compression) as file:
        if blanks:
            file.write(f"%%MatrixMarket matrix coordinate real general\n{users} {items} {count}\n".encode())
        options = csv.WriteOptions(include_header=not blanks, delimiter=" " if blanks else ",", quoting_style="none")
        csv.write_csv(pa.table(columns, names), file, options)
else:
    order = np.lexsort((i, u))
    indptr = np.concatenate([[0], np.cumsum(np.bincount(u, minlength=users))]).astype(np.int32)
    indices, data = i[order].astype(np.int32), r[order]
    if kind == "cumf":
        os.makedirs(path, exist_ok=True)
        for name, array in (("data", data), ("indices", indices), ("indptr", indptr)):
            array.tofile(f"{path}/R_train_csr.{name}.bin")
    else:
        shape, form = np.array([users, items]), np.array(b"csr")
        np.savez(path, indices=indices, indptr=indptr, format=form, shape=shape, data=data)
"""

# Runs in the environment with the parser argv[1]: prints the seconds that the parse of argv[2] takes.
PARSE = r"""
import sys, time
name, path, blanks, threads = sys.argv[1], sys.argv[2], sys.argv[3] == "matrix-market", int(sys.argv[4])
if name == "pyarrow":
    import pyarrow, pyarrow.csv as csv
    pyarrow.set_cpu_count(threads)
    options = {}
    if blanks:
        options = {"parse_options": csv.ParseOptions(delimiter=" "),
                   "read_options": csv.ReadOptions(skip_rows=2, column_names=["user", "item", "rating"])}
    read = lambda: csv.read_csv(path, **options)
elif name == "implicit":
    import pandas, scipy.sparse
    def read():
        table = pandas.read_csv(path, **({"sep": " ", "skiprows": 2, "names": ["user", "item", "rating"]} if blanks else {}))
        codes, sizes = zip(*((codes, len(ids)) for codes, ids in (pandas.factorize(table[side]) for side in ("user", "item"))))
        rows = scipy.sparse.csr_matrix((table["rating"].to_numpy("float32"), codes), sizes)
        return rows, rows.T.tocsr()
elif name == "pyspark":
    from pyspark.sql import SparkSession
    session = SparkSession.builder.master(f"local[{threads}]").config("spark.driver.memory", "8g").config(
        "spark.ui.enabled", False).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    schema = f"user {'string' if 'uuids' in path else 'long'}, item {'string' if 'all-uuids' in path else 'long'}, rating float"
    def read():
        table = session.read.csv(path, schema=schema, header=True).cache()
        table.count()
        table.unpersist()
else:
    import polars
    options = {"separator": " ", "skip_rows": 2, "has_header": False} if blanks else {}
    read = lambda: polars.read_csv(path, **options)
read()
start = time.perf_counter()
read()
print(time.perf_counter() - start)
"""


def trained(program, path, kind, threads, scratch):
    """(seconds, bytes): of the load, and the highest resident size."""
    command = [program, "train", "--data", path, "--rank", "8", "--iterations", "1", "--out", scratch / "model", "-q"]
    command += ["--format", "csv" if "uuids" in kind or kind.startswith("csv") else kind]
    _, peak = timed(command, threads)
    record = json.loads((scratch / "model" / "record.json").read_text())
    return record["start_seconds"]["load"], peak


def size_of(path):
    return sum(f.stat().st_size for f in path.rglob("*")) if path.is_dir() else path.stat().st_size


def compared(path, kind, arguments, parsers):
    best = {}
    memory = 0
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(arguments.rounds):
            scratch = pathlib.Path(folder)
            seconds, peak = trained(arguments.program, path, kind, arguments.threads, scratch)
            memory = max(memory, peak)
            times = {"alsbench": seconds}
            for parser in parsers if kind in TEXTS else []:
                if parser == "pyspark" and kind == "matrix-market":  # it skips no lines of a header
                    continue
                command = [arguments.python, "-c", PARSE, parser, path, kind, str(arguments.threads)]
                times[parser] = float(output_of(command, arguments.threads))
            best = {name: min(time, best.get(name, time)) for name, time in times.items()}
    return {
        "file": kind,
        "ratings": arguments.ratings,
        "bytes": size_of(path),
        "threads": arguments.threads,
        "seconds": best,
        "peak_bytes": memory,
        "memory": memory / (16 * arguments.ratings),
    }


def print_table(rows):
    names = ["alsbench", *PARSERS]
    print(
        f"{'file':14} {'ratings':>11} {'MB':>6} {'threads':>7} "
        + " ".join(f"{n:>9}" for n in names)
        + f" {'ratio':>6} {'memory':>6}"
    )
    for row in rows:
        seconds = row["seconds"]
        shown = " ".join(f"{seconds[name]:>9.3f}" if name in seconds else " " * 9 for name in names)
        ratio = f"{seconds['alsbench'] / seconds['pyarrow']:.2f}" if "pyarrow" in seconds else ""
        print(
            f"{row['file']:14} {row['ratings']:>11} {row['bytes'] / 1e6:>6.0f} {row['threads']:>7} {shown} {ratio:>6} {row['memory']:>6.2f}"
        )


def main():
    parser = options_of(__doc__, "compare_readers")
    parser.add_argument("--ratings", type=int, default=9_000_000)
    parser.add_argument("--files", default="csv", help="some of " + ",".join(FILES))
    arguments = parser.parse_args()
    kinds = arguments.files.split(",")
    if wrong := [kind for kind in kinds if kind not in FILES]:
        parser.error(f"--files {wrong[0]} is none of {', '.join(FILES)}")
    parsers = [name for name in PARSERS if has(arguments.python, name)]
    arguments.folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for kind in kinds:
        path = arguments.folder / f"{kind}-{arguments.ratings}{ENDINGS.get(kind, f'.{kind}')}"
        if not path.exists():
            output_of([arguments.python, "-c", MAKE, kind, path, str(arguments.ratings)], arguments.threads)
        rows.append(compared(path, kind, arguments, parsers))
    print_table(rows)
    keep(arguments, [arguments.program], parsers, [], {"readers": rows})


if __name__ == "__main__":
    main()
