#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The same lists and test items: NDCG@10 of perfect lists is 1 in implicit and 0.22 in RecTools, precision@10 is 1 and 0.1.
#
# Versions: implicit 0.7.3, RecTools 0.19.0.
# Behaviour: each user has one test item, and it is first in the list. RecTools divides NDCG by that of 10 relevant items
#   however many there are, so it is at most 0.2201 here. implicit divides the hits of all users by the sum of
#   min(10, test items of a user), so its precision is a recall here, and weighs users by their test items. MAP agrees until
#   a user has more than 10 test items: implicit then divides by 10, and RecTools by their number.
# Likely guess: a metric of one name is one number, and NDCG of a perfect list is 1. Right: hold libraries against each other
#   with one library's metrics. Exactly, for h relevant items in the first k of a list and r in the test: RecTools has
#   h / k and, with divide_by_achievable=True, the usual NDCG; implicit has sum(h) / sum(min(k, r)).
# Output seen: one test item each: implicit precision 1.0000 map 1.0000 ndcg 1.0000; RecTools 0.1000 1.0000 0.2201
#   one of the users with 20: implicit 0.2727 0.6000 0.6795; RecTools 0.1500 0.5500 0.2895
#
# Run by hand. Both packages are installed into environments of their own, since RecTools brings another build of implicit.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for package in implicit rectools; do
  python3 -m venv "$folder/$package"
done
"$folder/implicit/bin/python" -m pip install --quiet --disable-pip-version-check implicit==0.7.3 numpy==1.26.4 scipy==1.17.1
"$folder/rectools/bin/python" -m pip install --quiet --disable-pip-version-check rectools==0.19.0 numpy==1.26.4 scipy==1.17.1

# Two users get the items 0 to 9 of 40, in that order. LIKED are their test items.
cat >"$folder/shared.py" <<'PY'
USERS, ITEMS, K = 2, 40, 10
CASES = [[[0], [0]], [[0], [0, 1, *range(20, 38)]]]


def show(precision, mean_average_precision, ndcg):
    print(f"{precision:.4f} {mean_average_precision:.4f} {ndcg:.4f}")
PY
cat >"$folder/by_implicit.py" <<'PY'
import numpy as np
from implicit.als import AlternatingLeastSquares
from implicit.evaluation import ranking_metrics_at_k
from scipy.sparse import csr_matrix
from shared import CASES, ITEMS, K, USERS, show

model = AlternatingLeastSquares(factors=1, use_gpu=False)
model.user_factors = np.ones((USERS, 1), np.float32)
model.item_factors = np.arange(ITEMS, 0, -1, dtype=np.float32)[:, None]
for liked in CASES:
    rows = [user for user in range(USERS) for _ in liked[user]]
    test = csr_matrix((np.ones(len(rows), np.float32), (rows, sum(liked, []))), (USERS, ITEMS))
    metrics = ranking_metrics_at_k(model, csr_matrix(test.shape, dtype=np.float32), test, K=K, show_progress=False)
    show(metrics["precision"], metrics["map"], metrics["ndcg"])
PY
cat >"$folder/by_rectools.py" <<'PY'
import pandas as pd
from rectools.metrics import MAP, NDCG, Precision, calc_metrics
from shared import CASES, K, USERS, show

lists = pd.DataFrame([(user, item, item + 1) for user in range(USERS) for item in range(K)], columns=["user_id", "item_id", "rank"])
for liked in CASES:
    test = pd.DataFrame([(user, item) for user in range(USERS) for item in liked[user]], columns=["user_id", "item_id"])
    metrics = calc_metrics({"precision": Precision(K), "map": MAP(K), "ndcg": NDCG(K)}, lists, test)
    show(metrics["precision"], metrics["map"], metrics["ndcg"])
PY

status=0
check() { # LIBRARY EXPECTED
  local seen
  seen=$("$folder/$1/bin/python" -W ignore "$folder/by_$1.py" 2>"$folder/errors" | paste -sd '|') || cat "$folder/errors" >&2
  echo "$1: $seen"
  [ "$seen" = "$2" ] || status=1
}
check implicit "1.0000 1.0000 1.0000|0.2727 0.6000 0.6795"
check rectools "0.1000 1.0000 0.2201|0.1500 0.5500 0.2895"
[ "$status" -eq 0 ] || echo "changed: the metrics are others" >&2
exit "$status"
