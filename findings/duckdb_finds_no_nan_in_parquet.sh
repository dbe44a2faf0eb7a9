#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# DuckDB finds no NaN in a Parquet file of pyarrow or polars, so a mean is NaN and a check for NaN counts none.
#
# Versions: DuckDB 2.0.1, pyarrow 26.0.1, polars 2.1.0; DuckDB 1.4.5 finds it by isnan, and not by > 5.
# Behaviour: both write the least and the largest value of a column as statistics and leave NaN out. DuckDB takes its answer from
#   these: isnan is false, score > 5 is false and score <= 5 is true of all rows, without a look at them. "WHERE NOT isnan"
#   keeps the NaN. max is the largest number of pyarrow's file, and NaN of polars' file. The same rows as a table, in a file of
#   DuckDB's own and in one without statistics have their NaN. A filter of pyarrow, NOT score <= 5, loses it, too,
#   where it reads the file and not a table.
# Likely guess: a file has the rows that were written, and a filter selects of the file what it selects of the table. A
#   diverged model's scores pass the check. Right: write_statistics=False, or NULL in place of NaN.
# Output seen: NaN by isnan, by > 5, sum without NaN, max: table 1 1 6 nan; pyarrow 0 0 nan 3; polars 0 0 nan nan; without
#   statistics 1 1 6 nan; by DuckDB 1 1 6 nan; pyarrow's NOT score <= 5: table 1, file 0
#
# Run by hand. The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check duckdb==2.0.1 pyarrow==26.0.1 polars==2.1.0

(cd "$folder" && venv/bin/python -) <<'PY'
import sys

import duckdb
import polars
import pyarrow
import pyarrow.compute
import pyarrow.dataset
import pyarrow.parquet

scores = pyarrow.table({"item": [0, 1, 2, 3], "score": [1.0, 2.0, float("nan"), 3.0]})
pyarrow.parquet.write_table(scores, "pyarrow.parquet")
polars.from_arrow(scores).write_parquet("polars.parquet")
pyarrow.parquet.write_table(scores, "without.parquet", write_statistics=False)
duckdb.sql("COPY scores TO 'duckdb.parquet'")


def seen(source):
    """The rows of NaN by two filters, the sum of the others, and the maximum."""
    queries = [
        f"count(*) FROM {source} WHERE isnan(score)",
        f"count(*) FROM {source} WHERE score > 5",
        f"sum(score) FROM {source} WHERE NOT isnan(score)",
        f"max(score) FROM {source}",
    ]
    return " ".join(f"{duckdb.sql('SELECT ' + query).fetchall()[0][0]:g}" for query in queries)


sources = {
    "table": ("scores", "1 1 6 nan"),
    "pyarrow": ("'pyarrow.parquet'", "0 0 nan 3"),
    "polars": ("'polars.parquet'", "0 0 nan nan"),
    "without statistics": ("'without.parquet'", "1 1 6 nan"),
    "by DuckDB": ("'duckdb.parquet'", "1 1 6 nan"),
}
answers = {name: seen(source) for name, (source, _) in sources.items()}
above = ~(pyarrow.compute.field("score") <= 5)
table = scores.filter(above).num_rows
file = pyarrow.dataset.dataset("pyarrow.parquet").to_table(filter=above).num_rows
print(
    f"NaN by isnan, by > 5, sum without NaN, max: {'; '.join(f'{name} {answer}' for name, answer in answers.items())}; "
    f"pyarrow's NOT score <= 5: table {table}, file {file}"
)
if any(answers[name] != expected for name, (_, expected) in sources.items()) or (table, file) != (1, 0):
    sys.exit("changed: NaN of a Parquet file is found in other cases")
PY
