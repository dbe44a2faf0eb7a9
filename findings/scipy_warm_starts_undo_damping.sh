#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SciPy's lsmr and lsqr with x0 damp the step away from x0 and not x, so warm starts take the regularisation off again.
#
# Versions: scipy 1.17.1, numpy 2.4.6.
# Behaviour: with x0 both solve for dx = x - x0 and minimise |A x - b|^2 + damp^2 |x - x0|^2. Started from 0 that is ridge
#   regression; started from the ridge solution it is a step further to plain least squares, also with the tolerances at
#   1e-12. lsqr's page has x - x0 there. lsmr's page has damp^2 |x|^2, and x0 as the "initial guess of x".
# Likely guess: the solution of a strictly convex problem does not depend on where a solver starts, and x0 saves iterations.
#   An ALS or LSQR loop that starts each row from its last factor has lambda in its formula, and in the end no
#   regularisation. cg with x0 is as one expects. Right: no x0, or A and b with damp * I and zeros below them, and damp=0.
# Output seen: starts from the solution before: 0, 1, 4, 9, 29; lsmr off ridge 0.000 0.448 0.868 0.981 0.997, off plain least
#   squares 0.517 0.301 0.081 0.011 0.000; lsqr the same; cg off ridge 0.000 0.000 0.000 0.000 0.000; lsmr with the rows of
#   damp * I off ridge 0.000 0.000 0.000 0.000 0.000
#
# Run by hand. SciPy is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check scipy==1.17.1 numpy==2.4.6

"$folder/venv/bin/python" - <<'PY'
import sys

import numpy as np
from scipy.sparse.linalg import cg, lsmr, lsqr

RATINGS, RANK, DAMP = 50, 8, 5.0
SHOWN = (0, 1, 4, 9, 29)
random = np.random.default_rng(1)
a = random.normal(size=(RATINGS, RANK))
b = random.normal(size=RATINGS) + a @ np.ones(RANK)
gram = a.T @ a + DAMP**2 * np.eye(RANK)
ridge = np.linalg.solve(gram, a.T @ b)
plain = np.linalg.lstsq(a, b, rcond=None)[0]
stacked = np.vstack([a, DAMP * np.eye(RANK)]), np.concatenate([b, np.zeros(RANK)])
exact = {"atol": 1e-12, "btol": 1e-12}
solvers = {
    "lsmr": lambda x: lsmr(a, b, damp=DAMP, x0=x, **exact)[0],
    "lsqr": lambda x: lsqr(a, b, damp=DAMP, x0=x, **exact)[0],
    "cg": lambda x: cg(gram, a.T @ b, x0=x, rtol=1e-12)[0],
    "lsmr with the rows of damp * I": lambda x: lsmr(*stacked, x0=x, **exact)[0],
}


def distances(solve):
    """Relative distances from the ridge and the plain solution, after a number of starts from the solution before."""
    x, of_ridge, of_plain = None, [], []
    for starts in range(max(SHOWN) + 1):
        x = solve(x)
        if starts in SHOWN:
            of_ridge.append(np.linalg.norm(x - ridge) / np.linalg.norm(ridge))
            of_plain.append(np.linalg.norm(x - plain) / np.linalg.norm(plain))
    return np.array(of_ridge), np.array(of_plain)


def listed(values):
    return " ".join(f"{value:.3f}" for value in values)


seen = {name: distances(solve) for name, solve in solvers.items()}
print("starts from the solution before:", *SHOWN)
for name, (of_ridge, of_plain) in seen.items():
    print(f"{name}: off ridge {listed(of_ridge)}, off plain least squares {listed(of_plain)}")
for name in ("cg", "lsmr with the rows of damp * I"):
    if seen[name][0].max() > 1e-6:
        sys.exit(f"no example: {name} depends on its start")
for name in ("lsmr", "lsqr"):
    of_ridge, of_plain = seen[name]
    if of_ridge[0] > 1e-6:
        sys.exit(f"no example: {name} from 0 is no ridge regression")
    if of_ridge[1] < 0.4 or of_plain[-1] > 1e-4:
        sys.exit(f"changed: {name} damps x wherever it starts")
PY
