#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# np.unique of rating cells takes tens of times a sort's time, and asking for counts as well makes it that much faster.
#
# Versions: numpy 2.4.6 and, to compare, 2.2.6.
# Behaviour: since numpy 2.3 np.unique(keys) of integers puts them into a hash set and sorts what is left. Where nearly all
#   keys differ, as user * items + item of ratings do, that takes 40 to 60 times the processor time of sorting them. With
#   return_counts, return_index or return_inverse it sorts, as numpy 2.2 always does, so more output takes a small part of the time.
# Likely guess: np.unique costs a sort; leaving out return_counts can only save time; sorted=False is the fast way.
#   Right: np.unique(keys, return_counts=True)[0], or a sort and a comparison of neighbours.
# Output seen: numpy 2.2.6, 4,000,000 cells: unique 0.07 s, with counts 0.09 s, sort and compare 0.09 s
#   numpy 2.4.6, 4,000,000 cells: unique 4.37 s, with counts 0.08 s, sort and compare 0.08 s, sorted=False 4.28 s
#
# Run by hand. numpy is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for version in 2.2.6 2.4.6; do
  python3 -m venv "$folder/$version"
  "$folder/$version/bin/python" -m pip install --quiet --disable-pip-version-check "numpy==$version"
  "$folder/$version/bin/python" - <<'PY'
import sys
import time

import numpy as np

USERS, ITEMS, RATINGS = 138_493, 26_744, 4_000_000
random = np.random.default_rng(0)
cells = random.integers(0, USERS, RATINGS) * ITEMS + random.integers(0, ITEMS, RATINGS)


def by_sort(keys):
    ordered = np.sort(keys)
    return ordered[np.diff(ordered, prepend=-1) > 0]


def seconds(work):
    best, found = float("inf"), None
    for _ in range(3):
        begin = time.process_time()
        found = work(cells)
        best = min(best, time.process_time() - begin)
    return best, found


plain, found = seconds(np.unique)
counted, (same, _) = seconds(lambda keys: np.unique(keys, return_counts=True))
sort, also = seconds(by_sort)
text = f"unique {plain:.2f} s, with counts {counted:.2f} s, sort and compare {sort:.2f} s"
hashes = np.__version__ >= "2.3"
if hashes:
    text += f", sorted=False {seconds(lambda keys: np.unique(keys, sorted=False))[0]:.2f} s"
print(f"numpy {np.__version__}, {RATINGS:,} cells: {text}")
if not (np.array_equal(found, same) and np.array_equal(found, also)):
    sys.exit("changed: the cells differ")
if hashes and plain < 5 * counted:
    sys.exit("changed: unique alone is no longer far slower than with counts")
if not hashes and plain > 2 * counted:
    sys.exit("changed: numpy 2.2 does not sort")
PY
done
