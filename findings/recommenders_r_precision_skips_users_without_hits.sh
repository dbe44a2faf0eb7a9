#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# recommenders' r_precision_at_k averages over the users who have a hit: 1 is the score of a model that finds one user of 100.
#
# Versions: recommenders 1.2.1 (Microsoft's), pandas 2.3.3, numpy 1.26.4.
# Behaviour: its mean is over the frame of hit counts, from which an inner join has dropped users without a hit among the top k.
#   Those with a hit at k and none among their first R, whose quotient is NaN, are dropped as well. Precision, recall and MAP
#   of the same module divide by the number of users. A model that finds fewer users may score higher than a better one.
# Likely guess: as its page says, the mean over users of precision at R, with 0 for a user without a hit; it is then at most
#   recall at k. Right: fill up with zeros, that is multiply by users with a hit among R over users.
# Output seen: 100 users of one test item, k=10: found first for 1 user: R-precision 1.00 recall 0.01 MAP 0.01; for all users,
#   first for half of them and last for the others: R-precision 1.00 recall 1.00 MAP 0.55
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
from recommenders.evaluation.python_evaluation import map, r_precision_at_k, recall_at_k

USERS, K = 100, 10
# Each user's only test item is 0.
true = pd.DataFrame({"userID": range(USERS), "itemID": 0, "rating": 1.0})


def judged(place_of):
    """R-precision, recall and MAP where place_of(user) is the place of the user's test item from 0 on; None is none."""
    rows = []
    for user in range(USERS):
        items = list(range(1, K + 1))
        if (place := place_of(user)) is not None:
            items[place] = 0
        rows += [(user, item, -1.0 * index) for index, item in enumerate(items)]
    pred = pd.DataFrame(rows, columns=["userID", "itemID", "prediction"])
    return [metric(true, pred, k=K) for metric in (r_precision_at_k, recall_at_k, map)]


seen = {
    "found first for 1 user": judged(lambda user: 0 if user == 0 else None),
    "found first for one half and last for the other": judged(lambda user: 0 if user % 2 else K - 1),
}
print(f"{USERS} users of one test item, k={K}:")
for name, (r_precision, recall, mean_ap) in seen.items():
    print(f"{name}: R-precision {r_precision:.2f} recall {recall:.2f} MAP {mean_ap:.2f}")
if [round(values[2], 2) for values in seen.values()] != [0.01, 0.55]:
    sys.exit("no example: MAP is another")
if any(round(values[0], 6) != 1.0 for values in seen.values()):
    sys.exit("changed: R-precision counts users without a hit")
PY
