#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ConfigSpace's grid of an integer on a logarithmic scale has some values twice and others never, also with a step for each.
#
# Versions: ConfigSpace 1.2.2, numpy 2.4.6.
# Behaviour: generate_grid takes evenly spaced points on the scale and rounds them. Eight steps from 1 to 8 with log=True are 1 1 2 2
#   3 4 6 8: 5 and 7 are missing. Each repetition is a configuration of its own in the list, so with another parameter
#   of two values 1 is tried four times. Nothing is removed and nothing is said. Without log=True the eight are 1 to 8.
# Likely guess: a grid is a set, and as many steps as there are values is an exhaustive search; a best value that is
#   not in it was tried. Right: an ordinal parameter with the values listed, or a set of the configurations.
# Output seen: 8 steps from 1 to 8: log 1 1 2 2 3 4 6 8, linear 1 2 3 4 5 6 7 8; 32 steps from 1 to 32: log 20 values,
#   linear 32; with a parameter of two values 16 configurations, 12 different
#
# Run by hand. ConfigSpace is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check ConfigSpace==1.2.2 numpy==2.4.6

"$folder/venv/bin/python" - <<'PY'
import sys

from ConfigSpace import Categorical, ConfigurationSpace, Integer
from ConfigSpace.util import generate_grid


def grid(values, log, *others):
    """The configurations of a grid with as many steps as there are values."""
    space = ConfigurationSpace(seed=1)
    space.add(Integer("unroll", (1, values), log=log), *others)
    return sorted(tuple(str(each[name]) for name in each) for each in generate_grid(space, {"unroll": values}))


def listed(values, log):
    return " ".join(sorted(unroll for (unroll,) in grid(values, log)))


log, linear = listed(8, True), listed(8, False)
many, all_of_them = len(set(grid(32, True))), len(set(grid(32, False)))
both = grid(8, True, Categorical("layout", ["rows", "columns"]))
print(
    f"8 steps from 1 to 8: log {log}, linear {linear}; 32 steps from 1 to 32: log {many} values, linear {all_of_them}; "
    f"with a parameter of two values {len(both)} configurations, {len(set(both))} different"
)
if (log, linear) != ("1 1 2 2 3 4 6 8", "1 2 3 4 5 6 7 8") or all_of_them != 32 or many >= 32:
    sys.exit("changed: a grid has other values")
if len(both) != 16 or len(set(both)) != 12:
    sys.exit("changed: configurations of a grid are repeated otherwise")
PY
