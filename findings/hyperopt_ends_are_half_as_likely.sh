#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# hyperopt draws the two ends of a uniform range of integers half as often as the rest, and values outside of a range with steps.
#
# Versions: hyperopt 0.3.0, numpy 2.4.6; to compare, Optuna 5.0.0 and ConfigSpace 1.2.2.
# Behaviour: a number from low to high is rounded to a multiple of q, counted from 0 and not from low. So uniformint(1, 8) has 1 and
#   8 in 7 % of the draws each and the others in 14 %. Of block sizes by quniform(16, 100, 32) none is 16 or 48: they are
#   32, 64 and 96. quniform(1, 10, 4) has 0. Optuna and ConfigSpace draw 1 to 8 alike, and Optuna's steps begin at low.
# Likely guess: "uniformint" is uniform, steps begin at low, and no value is below it. Ends of a range, such as an unroll of 1, are
#   tried too seldom, and a tile of 0 is none. Right: randint(low, high + 1), and multiples by hand.
# Output seen: 1 and 8 among 100 draws of 1 to 8, and 2 to 7 on average: uniformint 7.3 7.4 14.2, randint 12.4 12.4 12.5,
#   Optuna 12.5 12.3 12.5, ConfigSpace 12.6 12.7 12.5; from 16 to 100 by 32: hyperopt 32 64 96, Optuna 16 48 80; from 1 to 10 by
#   4: hyperopt 0 4 8
#
# Run by hand. The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check \
  hyperopt==0.3.0 optuna==5.0.0 ConfigSpace==1.2.2 numpy==2.4.6 setuptools==65.5.0

"$folder/venv/bin/python" -W ignore - <<'PY'
import collections
import sys

import ConfigSpace
import numpy as np
import optuna
from hyperopt import hp
from hyperopt.pyll.stochastic import sample

DRAWS = 20_000
optuna.logging.set_verbosity(optuna.logging.ERROR)
random = np.random.default_rng(1)


def of_hyperopt(space, draws=DRAWS):
    return [int(sample(space, random)) for _ in range(draws)]


def of_optuna(low, high, step, draws):
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))
    return [study.ask().suggest_int("n", low, high, step=step) for _ in range(draws)]


def of_config_space():
    space = ConfigSpace.ConfigurationSpace({"n": (1, 8)}, seed=1)
    return [configuration["n"] for configuration in space.sample_configuration(DRAWS)]


def shares(values):
    """Of 100 draws: ones, eights, and the mean of the numbers between."""
    counts = collections.Counter(int(value) for value in values)
    if set(counts) != set(range(1, 9)):
        sys.exit(f"changed: values {sorted(counts)} of 1 to 8")
    percent = {value: 100 * count / len(values) for value, count in counts.items()}
    return percent[1], percent[8], sum(percent[value] for value in range(2, 8)) / 6


def listed(values):
    return " ".join(map(str, sorted(set(values))))


seen = {
    "uniformint": shares(of_hyperopt(hp.uniformint("n", 1, 8))),
    "randint": shares(of_hyperopt(hp.randint("n", 1, 9))),
    "Optuna": shares(of_optuna(1, 8, 1, DRAWS)),
    "ConfigSpace": shares(of_config_space()),
}
steps = listed(of_hyperopt(hp.quniform("n", 16, 100, 32), 500))
others = listed(of_optuna(16, 100, 32, 500))
below = listed(of_hyperopt(hp.quniform("n", 1, 10, 4), 500))
rows = ", ".join(f"{name} {' '.join(f'{share:.1f}' for share in three)}" for name, three in seen.items())
print(
    f"1 and 8 among 100 draws of 1 to 8, and 2 to 7 on average: {rows}; from 16 to 100 by 32: hyperopt {steps}, "
    f"Optuna {others}; from 1 to 10 by 4: hyperopt {below}"
)
for name, (first, last, inner) in seen.items():
    expected = 0.5 if name == "uniformint" else 1.0
    if abs(first / inner - expected) > 0.1 or abs(last / inner - expected) > 0.1:
        sys.exit(f"changed: the ends of {name} are drawn at another rate")
if (steps, others, below) != ("32 64 96", "16 48 80", "0 4 8"):
    sys.exit("changed: steps begin elsewhere")
PY
