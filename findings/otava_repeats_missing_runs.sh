#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Apache Otava counts a missing value as a repetition of the one before, so a metric with gaps changes at most of its values.
#
# Versions: Apache Otava 0.8.0 (PyPI), numpy 2.2.0, scipy 1.16.3.
# Behaviour: None, for a run that did not measure a metric, becomes the metric's last value before its t tests. A measurement
#   at every fifth run is then five equal ones: noise within a plateau is 0, and each step between plateaus is significant.
#   Series without a change have alarms in all cases, and p values of 0. The same values without their gaps have few.
# Likely guess: missing values are left out, or lower the certainty, as they do in a t test. Right: give each metric a series
#   of its own, with the runs that have it, and draw the gaps elsewhere.
# Output seen: 20 series of 50 values with 1 % of noise and no change; series with changes, and changes in each: no gaps 1
#   and 0.1, every second run 13 and 1.6, every third 18 and 4.8, every fifth 20 and 18.8
#
# Run by hand. Otava is installed into a temporary folder, without the clients of databases that its command needs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
  apache-otava==0.8.0 numpy==2.2.0 scipy==1.16.3

"$folder/venv/bin/python" - <<'PY'
import sys

import numpy as np
from otava.series import Metric, Series

SERIES, VALUES = 20, 50


def changes(values, every):
    """The changes that Otava finds where one run of `every` has a value."""
    runs = [value for measured in values for value in [measured, *[None] * (every - 1)]]
    times = list(range(len(runs)))
    series = Series("noise", None, times, {"time": Metric(-1, 1.0)}, {"time": runs}, {})
    return series.analyze().change_points["time"]


random = np.random.default_rng(1)
noise = [random.normal(100, 1, VALUES).tolist() for _ in range(SERIES)]
seen = {}
for every in (1, 2, 3, 5):
    found = [len(changes(values, every)) for values in noise]
    seen[every] = sum(count > 0 for count in found), sum(found) / SERIES
names = {1: "no gaps", 2: "every second run", 3: "every third", 5: "every fifth"}
said = ", ".join(f"{names[every]} {with_changes} and {mean:.1f}" for every, (with_changes, mean) in seen.items())
print(
    f"{SERIES} series of {VALUES} values with 1 % of noise and no change; series with changes, and changes in each: {said}"
)
if seen[1][0] > SERIES / 4:
    sys.exit("no example: there are changes without gaps")
if seen[5][0] != SERIES or seen[5][1] < 10:
    sys.exit("changed: gaps no longer make changes")
PY
