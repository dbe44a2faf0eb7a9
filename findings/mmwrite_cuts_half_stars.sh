#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SciPy's mmwrite cuts half stars off with field="integer", and rounds them with precision=1, without a word of either.
#
# Versions: scipy 1.17.1, numpy 2.4.6.
# Behaviour: field="integer" writes 3.5 as 3 and 0.5 as 0, whose entry stays in the file with that value. precision counts
#   significant digits and not those behind the point, so 1 makes 3.5 and 4.5 both 4e+00, and 2.5 is 2e+00. mmread truncates, too: a
#   line 1 1 3.5 of an integer file is read as 3.
# Likely guess: a field that the values do not fit warns, as field="real" does for complex values, or it rounds; and one
#   digit is enough for half stars. Right: leave both out, or write twice the ratings as integers.
# Output seen: 0.5 2.5 3.5 4.5 as integer 0 2 3 4, with precision=1 0.5 2 4 4, with 2 0.5 2.5 3.5 4.5, by default 0.5 2.5 3.5
#   4.5; warnings 0, of complex values as real 1; 3.5 of an integer file is read as 3
#
# Run by hand. scipy is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check scipy==1.17.1 numpy==2.4.6

"$folder/venv/bin/python" - <<'PY'
import io
import sys
import warnings

import numpy as np
import scipy.io
import scipy.sparse

STARS = np.array([0.5, 2.5, 3.5, 4.5], dtype=np.float32)
ratings = scipy.sparse.coo_array((STARS, (range(4), range(4))), shape=(4, 5))


def written(matrix, **options):
    """The values that are read back, and the number of warnings."""
    file = io.BytesIO()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scipy.io.mmwrite(file, matrix, **options)
        file.seek(0)
        data = scipy.io.mmread(file).data
    return " ".join(f"{value:g}" for value in data), len(caught)


(cut, silent), (one, also), (two, _), (default, _) = (
    written(ratings, **options) for options in ({"field": "integer"}, {"precision": 1}, {"precision": 2}, {})
)
_, warned = written(ratings * 1j, field="real")
text = b"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 3.5\n"
read = scipy.io.mmread(io.BytesIO(text)).data[0]
stars = " ".join(f"{star:g}" for star in STARS)
print(
    f"{stars} as integer {cut}, with precision=1 {one}, with 2 {two}, by default {default}; "
    f"warnings {silent + also}, of complex values as real {warned}; 3.5 of an integer file is read as {read:g}"
)
if (cut, one, two, default) != ("0 2 3 4", "0.5 2 4 4", stars, stars) or read != 3:
    sys.exit("changed: half stars are written or read in another way")
if silent or also or not warned:
    sys.exit("changed: other values are written with a warning")
PY
