#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sums and means of a CSR matrix over axis 0 add float32 one after another, so an item's mean rating falls with its ratings.
#
# Versions: scipy 1.17.1, numpy 2.4.6.
# Behaviour: R.sum(axis=0) and R.mean(axis=0) of float32 are a product with a vector of ones, which adds each column in
#   order into one float32. 20,000,000 ones stop at 2^24, and the mean of an item's ratings from 1 to 5 comes out as 2.92
#   in place of 3.00. dtype=float64 does not help, because the sum is converted after it was made. R.mean() of the whole
#   matrix, the same of R.tocsc() and numpy's mean of R.data are right to the last digits.
# Likely guess: mean(axis=0) is as exact as mean(), and dtype is the type of the accumulator, as its description says.
#   Right: R.astype(float64) first, or R.tocsc().
# Output seen: scipy 1.17.1, an item of 20,000,000 ratings: count 16,777,216, with dtype=float64 16,777,216, of CSC
#   20,000,000; mean over axis 0 2.9202, of all 2.9998
#
# Needs 1 GB of memory; run by hand. scipy is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check scipy==1.17.1 numpy==2.4.6

"$folder/venv/bin/python" - <<'PY'
import sys

import numpy as np
import scipy
from scipy.sparse import csr_matrix

USERS = 20_000_000
ratings = np.random.default_rng(0).integers(1, 6, USERS).astype(np.float32)


def one_item(values):
    """users x 1: each user has a rating."""
    return csr_matrix((values, np.zeros(USERS, np.int32), np.arange(USERS + 1, dtype=np.int32)), shape=(USERS, 1))


liked, rated = one_item(np.ones(USERS, np.float32)), one_item(ratings)
count = liked.sum(axis=0).item()
wide = liked.sum(axis=0, dtype=np.float64).item()
by_columns = liked.tocsc().sum(axis=0).item()
mean, of_all = rated.mean(axis=0).item(), rated.mean().item()
print(
    f"scipy {scipy.__version__}, an item of {USERS:,} ratings: count {count:,.0f}, with dtype=float64 {wide:,.0f}, "
    f"of CSC {by_columns:,.0f}; mean over axis 0 {mean:.4f}, of all {of_all:.4f}"
)
if (count, wide, by_columns) != (2**24, 2**24, USERS):
    sys.exit("changed: a count over axis 0 is another")
if abs(of_all - ratings.mean(dtype=np.float64)) > 1e-3 or abs(mean - of_all) < 0.05:
    sys.exit("changed: the mean over axis 0 is that of all")
PY
