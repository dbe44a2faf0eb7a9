#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# recommenders' NDCG counts users without predictions as 0; its precision, recall and MAP leave them out.
#
# Versions: recommenders 1.2.1 (Microsoft's), pandas 2.3.3, numpy 1.26.4.
# Behaviour: all four begin with the users that both frames have. ndcg_at_k then joins its hits to the whole test set by an
#   outer join, so each user of it has an NDCG, 0 without a prediction. The others divide by the number of common users.
#   Users unknown to a model, such as those whom a random split left without a training rating, move NDCG alone.
# Likely guess: metrics of one module, of the same two frames, are means over the same users. A table of several models, of
#   which each can score other users, ranks them by coverage in one column and by quality of what is covered in the next.
#   Right: filter both frames to the users that all models predict, or add rows for the others.
# Output seen: 100 users, lists of 50 of them perfect: precision 1.00 recall 1.00 MAP 1.00 NDCG 0.50; with the test cut to these
#   users: precision 1.00 recall 1.00 MAP 1.00 NDCG 1.00
#
# Run by hand. recommenders is installed into a temporary folder, with what its metrics and its sampler need.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps recommenders==1.2.1 \
  pandas==2.3.3 numpy==1.26.4 scipy==1.15.3 scikit-learn==1.7.2 joblib==1.6.0 threadpoolctl python-dateutil==2.9.0.post0 \
  cloudpickle pytz six tzdata

"$folder/venv/bin/python" -W ignore - <<'PY'
import sys

import pandas as pd
from recommenders.evaluation.python_evaluation import map, ndcg_at_k, precision_at_k, recall_at_k

USERS, COVERED, K = 100, 50, 5
METRICS = {"precision": precision_at_k, "recall": recall_at_k, "MAP": map, "NDCG": ndcg_at_k}
rows = [(user, item) for user in range(USERS) for item in range(K)]
true = pd.DataFrame(rows, columns=["userID", "itemID"]).assign(rating=1.0)
# The model lists each item of the test, to the users that it knows.
pred = true[true.userID < COVERED].drop(columns="rating").assign(prediction=1.0)


def judged(truth):
    return {name: round(float(metric(truth, pred, k=K)), 6) for name, metric in METRICS.items()}


def said(values):
    return " ".join(f"{name} {value:.2f}" for name, value in values.items())


seen, cut = judged(true), judged(true[true.userID < COVERED])
print(f"{USERS} users, lists of {COVERED} of them perfect: {said(seen)}; with the test cut to these users: {said(cut)}")
if set(cut.values()) != {1.0}:
    sys.exit("no example: perfect lists have another score")
if [seen[name] for name in METRICS] != [1.0, 1.0, 1.0, COVERED / USERS]:
    sys.exit("changed: NDCG is a mean over the users of the others")
PY
