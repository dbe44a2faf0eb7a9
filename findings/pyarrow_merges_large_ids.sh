#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pyarrow reads integers of CSV as floats where one is above 2^63, so a thousand users of unsigned 64-bit ids become one.
#
# Versions: pyarrow 26.0.1; beside it pandas 3.1.1, polars 2.1.0 and DuckDB 2.0.1.
# Behaviour: a column of integers of which one is above 2^63 - 1 becomes double, also where all fit into uint64, the type of
#   unsigned hashes. A double there is a multiple of 2,048, so users whose ids are near each other are one from then on, and
#   smaller ids of the column lose digits from 2^53 on. pandas with engine="pyarrow" has that, too. Nothing is said.
# Likely guess: integers stay integers, as uint64 or as text, or reading fails as it does for a number in a column of dates.
#   pandas' own reader has uint64, and polars and DuckDB have 128 bits.
#   Right: ConvertOptions(column_types={"user": pyarrow.uint64()}).
# Output seen: 1,000 users from 2^63 on: pyarrow double 1, with uint64 1000, pandas uint64 1000, pandas by pyarrow float64 1,
#   polars Int128 1000, DuckDB HUGEINT 1000
#
# Run by hand. The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check \
  pyarrow==26.0.1 pandas==3.1.1 polars==2.1.0 duckdb==2.0.1

(cd "$folder" && venv/bin/python -) <<'PY'
import sys

import duckdb
import pandas
import polars
import pyarrow
from pyarrow import csv

with open("ratings.csv", "w") as file:
    file.write("user,item,rating\n")
    file.writelines(f"{2**63 + number},{number % 7},3\n" for number in range(1000))

read = csv.read_csv("ratings.csv")["user"]
typed = csv.read_csv("ratings.csv", convert_options=csv.ConvertOptions(column_types={"user": pyarrow.uint64()}))["user"]
own, by_pyarrow = (pandas.read_csv("ratings.csv", engine=engine)["user"] for engine in ("c", "pyarrow"))
frame = polars.read_csv("ratings.csv")["user"]
kind, count = duckdb.sql("""SELECT any_value(typeof("user")), count(DISTINCT "user") FROM 'ratings.csv'""").fetchall()[0]
seen = (
    f"pyarrow {read.type} {len(read.unique())}, with {typed.type} {len(typed.unique())}, "
    f"pandas {own.dtype} {own.nunique()}, pandas by pyarrow {by_pyarrow.dtype} {by_pyarrow.nunique()}, "
    f"polars {frame.dtype} {frame.n_unique()}, DuckDB {kind} {count}"
)
print(f"1,000 users from 2^63 on: {seen}")
expected = "pyarrow double 1, with uint64 1000, pandas uint64 1000, pandas by pyarrow float64 1, "
expected += "polars Int128 1000, DuckDB HUGEINT 1000"
if seen != expected:
    sys.exit("changed: ids are read as other types")
PY
