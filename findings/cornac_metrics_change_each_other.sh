#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Cornac's MRR and its metrics of whole lists change where a metric with a cutoff is asked for in the same call.
#
# Versions: cornac 3.0.1, numpy 2.4.6, scipy 1.17.1.
# Behaviour: ranking_eval ranks once, to the largest k of the metrics. -1, which means all items, is below any cutoff, so with
#   NDCG(k=10) in the list only the first ten items are sorted. The others follow in the order that argpartition left them
#   in, and MRR, NDCG() and NCRR() read it as a ranking. AUC and MAP take the scores, and stay.
# Likely guess: a metric is a function of the model and the test set, and a second one in the list is a column more.
#   Right: ask for metrics with cutoffs and those without in calls of their own.
# Output seen: 199 users whose test item has the rank 100 of 300: alone: MRR 0.0100 NDCG 0.1502 MAP 0.0100; with NDCG@10:
#   MRR 0.0083 NDCG 0.1433 MAP 0.0100; ranks from 61 to 300; with NDCG@100: MRR 0.0100 NDCG 0.1502 MAP 0.0100
#
# Run by hand. cornac is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check cornac==3.0.1 numpy==2.4.6 scipy==1.17.1

"$folder/venv/bin/python" - <<'PY'
import sys

import numpy as np
from cornac.data import Dataset
from cornac.eval_methods.base_method import ranking_eval
from cornac.metrics import MAP, MRR, NDCG
from cornac.models import Recommender

USERS, ITEMS, RANK = 200, 300, 100


class Scores(Recommender):
    """Scores each item of a user by another number; no two are equal."""

    def score(self, user_idx, item_idx=None):
        return np.random.default_rng(user_idx).permutation(ITEMS).astype(float)


def dataset(ratings):
    users, items = ({index: index for index in range(count)} for count in (USERS, ITEMS))
    return Dataset.build([(*rating, 1.0) for rating in ratings], global_uid_map=users, global_iid_map=items)


# The first user has rated all items. Each other user's test item is the one of the rank RANK.
model = Scores(name="scores")
train = dataset([(0, item) for item in range(ITEMS)])
test = dataset([(user, np.argsort(-model.score(user))[RANK - 1]) for user in range(1, USERS)])
model.fit(train)


def judged(*more):
    """The means of MRR, NDCG and MAP, and the lowest and highest rank that MRR saw."""
    means, users = ranking_eval(model, [MRR(), NDCG(), MAP(), *more], train, test)
    ranks = [round(1 / value) for value in users[0].values()]
    return " ".join(f"{name} {value:.4f}" for name, value in zip(("MRR", "NDCG", "MAP"), means)), min(ranks), max(ranks)


seen = {"alone": judged(), "with NDCG@10": judged(NDCG(k=10)), "with NDCG@100": judged(NDCG(k=100))}
print(f"{USERS - 1} users whose test item has the rank {RANK} of {ITEMS}:")
for name, (means, lowest, highest) in seen.items():
    print(f"{name}: {means}; ranks from {lowest} to {highest}")
if seen["alone"][1:] != (RANK, RANK) or seen["with NDCG@100"] != seen["alone"]:
    sys.exit("no example: the metrics are others without a cutoff below the rank")
if seen["with NDCG@10"][1:] == (RANK, RANK):
    sys.exit("changed: a metric with a cutoff leaves the others as they are")
PY
