#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# nevergrad's RandomSearch is uniform between bounds only for some spellings of them: Array(lower=, upper=) is a bell.
#
# Versions: nevergrad 1.0.12, numpy 2.4.6.
# Behaviour: a parameter samples uniformly where its bounds came without an initial value. Scalar(lower=, upper=) has none, and
#   nor has Array(shape=).set_bounds(lower, upper). Array(shape=, lower=, upper=) fills its shape with a value first, and
#   draws a Gaussian of a sixth of the range round the middle: the outer fifth of a range gets a twelfth of its share.
#   Scalar(init=0.5, lower=0, upper=1) changes the draws as well, from uniform to a bell of another form.
# Likely guess: RandomSearch's page: "samples uniformly between bounds and a Gaussian otherwise", and init= is where a search
#   starts, which a random one ignores. A baseline that hardly looks at the ends of a range is a weak one, or a strong one
#   where the best is in the middle. Right: set_bounds(lower, upper, full_range_sampling=True) always.
# Output seen: of 2,000 draws from 0 to 1 those outside 0.1 to 0.9: Scalar(lower, upper) 20.6 %, Array(shape).set_bounds 19.4 %,
#   Array(shape, lower, upper) 1.7 %, Scalar(init, lower, upper) 8.3 %
#
# Run by hand. nevergrad is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check nevergrad==1.0.12 numpy==2.4.6

"$folder/venv/bin/python" -W ignore - <<'PY'
import sys

import nevergrad as ng
import numpy as np

DRAWS = 2000
parameters = {
    "Scalar(lower, upper)": ng.p.Scalar(lower=0, upper=1),
    "Array(shape).set_bounds": ng.p.Array(shape=(2,)).set_bounds(0, 1),
    "Array(shape, lower, upper)": ng.p.Array(shape=(2,), lower=0, upper=1),
    "Scalar(init, lower, upper)": ng.p.Scalar(init=0.5, lower=0, upper=1),
}


def outer(parameter):
    """The percentage of draws of random search within a tenth of the range of its ends."""
    parameter.random_state.seed(1)
    search = ng.optimizers.RandomSearch(parameter, budget=DRAWS)
    draws = np.array([np.ravel(search.ask().value)[0] for _ in range(DRAWS)])
    if draws.min() < 0 or draws.max() > 1:
        sys.exit("no example: draws beyond the bounds")
    return 100 * np.mean(abs(draws - 0.5) > 0.4)


seen = {name: outer(parameter) for name, parameter in parameters.items()}
said = ", ".join(f"{name} {share:.1f} %" for name, share in seen.items())
print(f"of {DRAWS:,} draws from 0 to 1 those outside 0.1 to 0.9: {said}")
uniform, bounds, array, initial = seen.values()
if abs(uniform - 20) > 4 or abs(bounds - 20) > 4:
    sys.exit("no example: no parameter is drawn uniformly")
if array > 5 or initial > 14:
    sys.exit("changed: random search is uniform between bounds")
PY
