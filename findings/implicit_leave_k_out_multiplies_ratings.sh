#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# implicit's leave_k_out_split multiplies the test ratings by the users whom it leaves out: 1 to 5 become 10 to 50.
#
# Versions: implicit 0.7.3, numpy 2.4.6, scipy 1.17.1.
# Behaviour: users of at most K + 1 ratings have no test. The split counts ratings by user number, where these have 0, and takes
#   the last rating of the user before for each of them as well. The same cells are in its list again and again, and
#   csr_matrix adds them up. A test rating is then multiplied by one more than the number of such users up to the next one
#   with a test. train + test is no longer the matrix that was split; train is right. Issue 639 is open since 2022.
# Likely guess: a split moves cells and leaves their values, as train_test_split of the same module does. Metrics of sets do
#   not show it; RMSE, MAE and gains of a graded NDCG do, most where many users have few ratings.
#   Right: drop these users' rows first, or copy the values back by test.data = ratings[test.nonzero()].
# Output seen: a tenth of 1,000 users with 5 ratings, the others with 2: test ratings 1 times 1 and 99 times 10; of the users
#   with 5 ratings alone: 100 times 1
#
# Run by hand. implicit is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check implicit==0.7.3 numpy==2.4.6 scipy==1.17.1

"$folder/venv/bin/python" -W ignore - <<'PY'
import collections
import sys

import numpy as np
from implicit.evaluation import leave_k_out_split
from scipy.sparse import csr_matrix

USERS, ITEMS, EVERY = 1000, 100, 10
random = np.random.default_rng(1)
ratings = np.zeros((USERS, ITEMS), np.float32)
for user in range(USERS):
    items = random.choice(ITEMS, 2 if user % EVERY else 5, replace=False)
    ratings[user, items] = random.integers(1, 6, len(items))


def factors(matrix):
    """How many test ratings are their value in the matrix times 1, 2 and so on."""
    train, test = leave_k_out_split(csr_matrix(matrix), K=1)
    if train.multiply(test).nnz or train.nnz + test.nnz != np.count_nonzero(matrix):
        sys.exit("no example: cells are in both parts, or in none")
    return dict(sorted(collections.Counter((test.data / matrix[test.nonzero()]).tolist()).items()))


def said(counts):
    return " and ".join(f"{count} times {factor:g}" for factor, count in counts.items())


mixed, alone = factors(ratings), factors(ratings[::EVERY])
print(f"test ratings with users of two ratings: {said(mixed)}; without them: {said(alone)}")
tests = USERS // EVERY
if alone != {1.0: tests}:
    sys.exit("no example: a split without such users changes values")
if mixed != {1.0: 1, float(EVERY): tests - 1}:
    sys.exit("changed: test ratings keep their values")
PY
