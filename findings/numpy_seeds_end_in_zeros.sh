#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# numpy's default_rng([seed, 0]) draws the same numbers as default_rng(seed), so fold 0 repeats what the seed alone gave.
#
# Versions: numpy 2.4.6.
# Behaviour: a seed of numbers is a row of 32-bit words that is filled up to four with zeros. [7], [7, 0] and [7, 0, 0, 0] are
#   one seed, and [7, 1] is that of the number 7 + 2**32. A zero in front counts, and so does a fifth word. RandomState, of
#   the old interface, tells all of them apart.
# Likely guess: other lists are other seeds, so default_rng([seed, fold]) is independent of default_rng(seed). Where the one
#   shuffles the ratings and the other makes a fold's start values, noise or samples, fold 0 has both from the same numbers.
#   Right: [fold, seed] with a seed that is not 0, [seed, fold + 1], or SeedSequence(seed).spawn(folds).
# Output seen: numbers equal to those of default_rng(7): [7, 0] True, [7, 0, 0, 0] True, [7, 0, 0, 0, 0] False, [0, 7] False,
#   spawned False, RandomState False, 2**32 True; correlation of noise by [7, fold] with that by 7: fold 0 1.00, fold 1 0.01
#
# Run by hand. numpy is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check numpy==2.4.6

"$folder/venv/bin/python" - <<'PY'
import sys

import numpy as np

SEED = 7


def drawn(seed, make=np.random.default_rng):
    return make(seed).normal(size=10_000)


def equal(one, other):
    return np.array_equal(one, other)


alone = drawn(SEED)
seeds = {str(seed): seed for seed in ([SEED, 0], [SEED, 0, 0, 0], [SEED, 0, 0, 0, 0], [0, SEED])}
seeds["spawned"] = np.random.SeedSequence(SEED).spawn(1)[0]
seen = {name: equal(drawn(seed), alone) for name, seed in seeds.items()}
seen["RandomState"] = equal(drawn([SEED, 0], np.random.RandomState), drawn(SEED, np.random.RandomState))
seen["2**32"] = equal(drawn(SEED + 2**32), drawn([SEED, 1]))
correlations = [abs(np.corrcoef(drawn([SEED, fold]), alone)[0, 1]) for fold in (0, 1)]
print(f"numbers equal to those of default_rng({SEED}):", *(f"{name} {same}" for name, same in seen.items()), sep="\n  ")
by_fold = ", ".join(f"fold {fold} {correlation:.2f}" for fold, correlation in enumerate(correlations))
print(f"correlation of noise by [{SEED}, fold] with that by {SEED}: {by_fold}")
if list(seen.values()) != [True, True, False, False, False, False, True] or correlations[1] > 0.05:
    sys.exit("changed: zeros at the end of a seed count")
PY
