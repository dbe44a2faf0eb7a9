#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# implicit fills lists up: with items that it was to leave out, then with item 0 again and again, which its metrics count.
#
# Versions: implicit 0.7.3, numpy 1.26.4, scipy 1.17.1.
# Behaviour: where fewer than N items are left, recommend also returns those that the user likes, at a score of -3.4e38, and
#   beyond the number of items with item 0 at a score of 0. The same item 0 ends similar_items. ranking_metrics_at_k counts
#   each of these as a hit where item 0 is in the test: precision@10 of 5 items is 6, and NDCG@10 2.1.
# Likely guess: filter_already_liked_items leaves them out, lists are shorter where too few items are left, and a score
#   above -3e38 marks what is left; metrics are at most 1. Right: cut ids and scores after the last one that was to be there,
#   at min(N, items - liked), and ask for K of at most the number of items.
# Output seen: N=6: items 2 3 0 4 1 0, scores 4 3 2 1 -3.4e+38 0; K=4: precision 1 ndcg 0.5; K=6: 2 0.86; K=10: 6 2.1
#
# Run by hand. implicit is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check implicit==0.7.3 numpy==1.26.4 scipy==1.17.1

"$folder/venv/bin/python" -W ignore - <<'PY'
import sys

import numpy as np
from implicit.als import AlternatingLeastSquares
from implicit.evaluation import ranking_metrics_at_k
from scipy.sparse import csr_matrix

# Two users with the scores 2, 5, 4, 3 and 1 of five items. Both like item 1, and the test has item 0.
model = AlternatingLeastSquares(factors=1, use_gpu=False)
model.user_factors = np.ones((2, 1), np.float32)
model.item_factors = np.array([[2], [5], [4], [3], [1]], np.float32)
liked = csr_matrix(np.array([[0, 1, 0, 0, 0]] * 2, np.float32))
test = csr_matrix(np.array([[1, 0, 0, 0, 0]] * 2, np.float32))

items, scores = model.recommend(0, liked[0], N=6, filter_already_liked_items=True)
seen = ["N=6: items", *map(str, items), "scores", *(f"{score:.2g}" for score in scores)]
for k in (4, 6, 10):
    metrics = ranking_metrics_at_k(model, liked, test, K=k, show_progress=False)
    seen.append(f"K={k}: precision {metrics['precision']:.2g} ndcg {metrics['ndcg']:.2g}")
print(*seen)
expected = "N=6: items 2 3 0 4 1 0 scores 4 3 2 1 -3.4e+38 0"
expected += " K=4: precision 1 ndcg 0.5 K=6: precision 2 ndcg 0.86 K=10: precision 6 ndcg 2.1"
if " ".join(seen) != expected:
    sys.exit("changed: implicit fills lists up in another way")
PY
