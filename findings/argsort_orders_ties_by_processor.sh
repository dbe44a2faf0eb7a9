#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# np.argsort and np.argpartition put equal scores in an order that depends on the processor, and so does NDCG of such lists.
#
# Versions: numpy 2.4.6, x86_64.
# Behaviour: without kind="stable" numpy sorts with AVX2 or AVX-512 where the processor has them, and each of these leaves
#   equal values in an order of its own. The ten best of a popularity baseline, or of scores that were rounded to halves, are
#   other items on another machine with the same wheel, input and seed. NPY_DISABLE_CPU_FEATURES shows it on one machine.
# Likely guess: an unstable sort is arbitrary but fixed, so a metric that was computed twice from one file of scores is the
#   same, and a difference in a CI job is one of the model. Right: np.argsort(-scores, kind="stable"), whose top ten is that
#   of every processor, or np.lexsort with the items as the last resort.
# Output seen: 100 users, 2,000 items with counts from 0 to 49: users whose ten best are the same with and without the
#   processor's vectors: argsort 0, argpartition 0, stable 100; mean NDCG@10 of one test item 0.134 and 0.101
#
# Needs a processor with AVX2 or AVX-512; run by hand. numpy is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check numpy==2.4.6

cat >"$folder/best.py" <<'PY'
"""Writes the ten best items of each user, by three ways, to the file argv[1]."""

import sys

import numpy as np

scores = np.random.default_rng(1).integers(0, 50, (100, 2000)).astype(np.float32)
np.savez(
    sys.argv[1],
    argsort=np.argsort(-scores, axis=1)[:, :10],
    argpartition=np.sort(np.argpartition(-scores, 10, axis=1)[:, :10], axis=1),
    stable=np.argsort(-scores, axis=1, kind="stable")[:, :10],
)
PY
NPY_DISABLE_CPU_FEATURES="" "$folder/venv/bin/python" "$folder/best.py" "$folder/vectors.npz"
NPY_DISABLE_CPU_FEATURES="X86_V3 X86_V4 AVX512_ICL AVX512_SPR" "$folder/venv/bin/python" -W ignore "$folder/best.py" "$folder/plain.npz"
"$folder/venv/bin/python" - "$folder/vectors.npz" "$folder/plain.npz" <<'PY'
import sys

import numpy as np

found = [np.load(path) for path in sys.argv[1:]]
same = {way: int((found[0][way] == found[1][way]).all(axis=1).sum()) for way in found[0]}
# A test item of each user, drawn from those of the highest count.
scores = np.random.default_rng(1).integers(0, 50, (100, 2000))
draws = np.random.default_rng(2).random(scores.shape) * (scores == 49)
ndcg = [((each["argsort"] == draws.argmax(axis=1)[:, None]) / np.log2(np.arange(2, 12))).sum(axis=1).mean() for each in found]
print(
    "users of 100 whose ten best are the same with and without the processor's vectors: "
    f"{', '.join(f'{way} {users}' for way, users in same.items())}; mean NDCG@10 {ndcg[0]:.3f} and {ndcg[1]:.3f}"
)
if same["stable"] != 100:
    sys.exit("changed: a stable order depends on the processor")
if same["argsort"] > 50 or same["argpartition"] > 50 or abs(ndcg[0] - ndcg[1]) < 0.001:
    sys.exit("changed, or a processor without AVX2: both orders are the same")
PY
