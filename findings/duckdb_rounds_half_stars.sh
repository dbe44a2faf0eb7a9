#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# DuckDB rounds ratings of half stars to whole ones where the first 20,480 lines of a CSV file have whole ones alone.
#
# Versions: DuckDB 2.0.1; 1.4.5 and 1.1.3 do the same (PyPI).
# Behaviour: read_csv takes a column's type from a sample. Where later a number does not fit, it is rounded in silence: 3.5
#   in a BIGINT column is 4, and 2.5 is 3, so means rise. A user 7.6 becomes user 8. Only what is no number is an error.
#   store_rejects=true does not list it, and types={'rating': 'INTEGER'} rounds, too.
# Likely guess: a wrong type is found, as polars and pyarrow find it: "abc" in that line is a conversion error that names
#   the line. Ratings in the order of time begin with whole stars where a site allowed half ones later.
#   Right: sample_size=-1, or types={'rating': 'FLOAT'}.
# Output seen: of 10 ratings of 3.5 and 2.5 in turn after 30,000 of 3: 4 3, mean 3.5, rejects 0; with sample_size=-1: 3.5 2.5,
#   mean 3; as INTEGER: 4 3, mean 3.5; abc ConversionException; polars ComputeError
#
# Run by hand. DuckDB and polars are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check duckdb==2.0.1 polars==2.1.0

(cd "$folder" && venv/bin/python -) <<'PY'
import sys

import duckdb
import polars


def file_of(name, last):
    with open(name, "w") as file:
        file.write("user,item,rating\n")
        for line, rating in enumerate(["3"] * 30_000 + last):
            file.write(f"{line // 100},{line % 100},{rating}\n")
    return name


def last_of(table):
    """The last ten ratings' values in the order of the file, and their mean."""
    values = list(dict.fromkeys(value for (value,) in table.project("rating").fetchall()[-10:]))
    mean = table.filter('"user" = 300').aggregate("avg(rating)").fetchall()[0][0]
    return f"{' '.join(f'{value:g}' for value in values)}, mean {mean:g}"


halves = file_of("halves.csv", ["3.5", "2.5"] * 5)
sampled = last_of(duckdb.read_csv(halves))
duckdb.sql(f"FROM read_csv('{halves}', store_rejects=true)").fetchall()
rejects = duckdb.sql("SELECT count(*) FROM reject_errors").fetchall()[0][0]
whole = last_of(duckdb.read_csv(halves, sample_size=-1))
typed = last_of(duckdb.read_csv(halves, dtype={"rating": "INTEGER"}))


def refused(read):
    try:
        read()
    except (duckdb.Error, polars.exceptions.PolarsError) as error:
        return type(error).__name__
    return "nothing"


text = refused(lambda: duckdb.read_csv(file_of("text.csv", ["abc"])).fetchall())
other = refused(lambda: polars.read_csv(halves))
print(
    f"of 10 ratings of 3.5 and 2.5 in turn after 30,000 of 3: {sampled}, rejects {rejects}; "
    f"with sample_size=-1: {whole}; as INTEGER: {typed}; abc {text}; polars {other}"
)
if sampled != "4 3, mean 3.5" or rejects != 0 or whole != "3.5 2.5, mean 3" or typed != sampled:
    sys.exit("changed: ratings of half stars are read in another way")
if text != "ConversionException" or other != "ComputeError":
    sys.exit("changed: what does not fit is refused in another way")
PY
