#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Negatives of recommenders' negative_feedback_sampler are the lowest ids of its draw, so half of the items is never a negative.
#
# Versions: recommenders 1.2.1 (Microsoft's), pandas 2.3.3, numpy 1.26.4.
# Behaviour: for n positives it draws n + wanted items, takes away the positives by np.setdiff1d, which sorts, and cuts after as
#   many as are wanted. The cut keeps the lowest. With a ratio of 1 ids of the upper half are left out nearly always, with 4
#   those of the upper tenth. Ids are often in the order of popularity or date, and a model that learns "low ids are negative"
#   then tells positives from negatives without knowing a user.
# Likely guess: negatives are a uniform sample of the items that a user has not rated; the page says "sample negative feedback",
#   and seed= is the generator's. Right: give items ids in a random order first, or sample by hand.
# Output seen: 200 users with 50 of 1,000 items: negatives by tenths of the ids: ratio 1: 1943 1890 1904 1920 1723 604 16 0 0 0;
#   ratio 4: 4796 4751 4756 4771 4764 4795 4713 4636 2018 0; AUC of the id alone: ratio 1: 0.74, ratio 4: 0.58
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

import numpy as np
import pandas as pd
from recommenders.datasets.pandas_df_utils import negative_feedback_sampler
from sklearn.metrics import roc_auc_score

USERS, ITEMS, RATED = 200, 1000, 50
random = np.random.default_rng(0)
ratings = pd.concat(
    [pd.DataFrame({"userID": user, "itemID": random.choice(ITEMS, RATED, replace=False)}) for user in range(USERS)]
)


def tenths(ratio):
    """Negatives by tenths of the ids, and the AUC of a model whose score is the id."""
    labelled = negative_feedback_sampler(ratings, ratio_neg_per_user=ratio)
    negatives = labelled.loc[labelled.feedback == 0, "itemID"]
    if len(negatives) != USERS * RATED * ratio:
        sys.exit(f"no example: {len(negatives)} negatives")
    return np.histogram(negatives, bins=10, range=(0, ITEMS))[0], roc_auc_score(labelled.feedback, labelled.itemID)


seen = {ratio: tenths(ratio) for ratio in (1, 4)}
print(f"{USERS} users with {RATED} of {ITEMS:,} items: negatives by tenths of the ids:")
for ratio, (counts, auc) in seen.items():
    print(f"ratio {ratio}:", *counts, f"; AUC of the id alone {auc:.2f}")
if seen[1][0][7:].sum() > 0 or seen[4][0][9] > 0 or seen[1][1] < 0.65:
    sys.exit("changed: negatives have ids of all tenths")
PY
