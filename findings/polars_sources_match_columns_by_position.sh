#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A frame of polars' Python source whose columns come in another order is taken by position: users become items, in silence.
#
# Versions: polars 2.1.0 with Python 3.11; 1.31.0 raised ShapeError.
# Behaviour: register_io_source takes a generator of frames. One that has the columns "item, user" where the schema and the
#   frame before have "user, item" is neither refused nor put in order: sink_parquet writes its items as users. A frame with
#   one column more loses it. Another type is an error, and so is the order where the frames are stacked by pl.concat.
# Likely guess: columns are matched by their names, as pl.concat and Arrow's readers do, or the frame is refused.
#   Right: give validate_schema=True, which is not the default; SchemaError then names both schemas.
# Output seen: sink {'user': [1, 30], 'item': [2, 40]}; concat ShapeError; validated SchemaError
#
# Run by hand. polars is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check polars==2.1.0

"$folder/venv/bin/python" -W ignore - "$folder/ratings.parquet" <<'PY'
import sys

import polars as pl
from polars.io.plugins import register_io_source

frames = [pl.DataFrame({"user": [1], "item": [2]}), pl.DataFrame({"item": [30], "user": [40]})]


def source(*_):
    yield from frames


def written(**options):
    try:
        register_io_source(source, schema=frames[0].schema, **options).sink_parquet(sys.argv[1])
    except pl.exceptions.PolarsError as error:
        return type(error).__name__
    return str(pl.read_parquet(sys.argv[1]).to_dict(as_series=False))


def concatenated():
    try:
        return str(pl.concat(frames).to_dict(as_series=False))
    except pl.exceptions.PolarsError as error:
        return type(error).__name__


seen = f"sink {written()}; concat {concatenated()}; validated {written(validate_schema=True)}"
print(seen)
if seen != "sink {'user': [1, 30], 'item': [2, 40]}; concat ShapeError; validated SchemaError":
    sys.exit("changed: frames of a source are matched in another way")
PY
