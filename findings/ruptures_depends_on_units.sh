#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ruptures finds a change of times in milliseconds and none of the same times in seconds, with the cost that has no scale.
#
# Versions: ruptures 1.1.10, numpy 2.4.6, scipy 1.17.1.
# Behaviour: model="normal" compares logarithms of variances, so a factor on all values cancels out and one penalty fits all
#   units. But the cost adds 1e-6 to each variance, by default and in the unit of the values. Noise well below 0.001 is
#   drowned: times around 1 ms with noise of 1 % have a variance of 1e-10 in seconds, and a change to three times the noise, or of
#   the mean by three deviations, is not found. params={"add_small_diag": False} finds it. A warning tells of the
#   addition, in all units alike.
# Likely guess: 1e-6 guards against a variance of 0 and nothing else, and results in seconds, the unit of most harnesses, are
#   those in milliseconds. Right: divide by the median before, or switch the addition off.
# Output seen: changes of the noise, of the mean and none, found of 20 each: us 20 20 0, ms 20 20 0, s 0 0 0, s without the
#   addition 20 20 0
#
# Run by hand. ruptures is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check ruptures==1.1.10 numpy==2.4.6 scipy==1.17.1

"$folder/venv/bin/python" -W ignore - <<'PY'
import sys

import numpy as np
import ruptures

SERIES, HALF = 20, 50


def found(scale, deviation, shift, **params):
    """How many of the series, of 1 ms in the middle, have a change near the place where the second half begins."""
    random = np.random.default_rng(1)
    changes = 0
    for _ in range(SERIES):
        noise = random.normal(size=2 * HALF)
        noise[HALF:] = noise[HALF:] * deviation + shift
        times = scale * (1 + 0.01 * noise)
        search = ruptures.Binseg(model="normal", min_size=10, jump=1, params=params or None)
        places = search.fit(times).predict(pen=4 * np.log(2 * HALF))[:-1]
        changes += any(abs(place - HALF) <= 10 for place in places)
    return changes


def row(scale, **params):
    return [found(scale, 3, 0, **params), found(scale, 1, 3, **params), found(scale, 1, 0, **params)]


seen = {
    "us": row(1e3),
    "ms": row(1),
    "s": row(1e-3),
    "s without the addition": row(1e-3, add_small_diag=False),
}
print(
    f"changes of the noise, of the mean and none, found of {SERIES} each: "
    + ", ".join(f"{unit} {' '.join(map(str, counts))}" for unit, counts in seen.items())
)
right = seen.pop("s without the addition")
if seen.pop("s") != [0, 0, 0] or right[:2] != [SERIES] * 2 or any(counts != right for counts in seen.values()):
    sys.exit("changed: the unit of the values matters in another way")
PY
