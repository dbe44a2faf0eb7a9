#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Surprise's FCP divides concordant and discordant pairs by different numbers of users: 99 % of the pairs in order score 0.5.
#
# Versions: scikit-surprise 1.1.5, numpy 1.26.4.
# Behaviour: pairs in order and out of order are each averaged over the users who have at least one of that kind, and not over
#   the same users. One user with a wrong pair among 99 with a right one counts as much as these 99. A model that moves its
#   errors to users who have some already looks worse, and one that spreads them better. Pairs of equal predictions are all
#   discordant, so a constant model scores 0.
# Likely guess: the page's "fraction of concordant pairs": pairs in order over pairs, as the cited paper has it by sums over
#   users; a model that orders all pairs wrongly scores 0, a random one a half. Right: count pairs by hand.
# Output seen: 100 users of two ratings: wrong at 0 users: 1.00, at 1: 0.50, at 50: 0.50, at 99: 0.50, at 100: 0.00; pairs in
#   order: 1.00 0.99 0.50 0.01 0.00
#
# Run by hand. Surprise is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check \
  scikit-surprise==1.1.5 numpy==1.26.4 scipy==1.15.3 joblib==1.6.0

"$folder/venv/bin/python" - <<'PY'
import sys

from surprise import Prediction
from surprise.accuracy import fcp

USERS = 100
WRONG = (0, 1, 50, 99, 100)


def judged(wrong):
    """FCP of users with the ratings 1 and 5, where a number of them has the two predictions the wrong way round."""
    predictions = []
    for user in range(USERS):
        first, second = (4.0, 2.0) if user < wrong else (2.0, 4.0)
        predictions += [Prediction(user, 0, 1.0, first, {}), Prediction(user, 1, 5.0, second, {})]
    return fcp(predictions, verbose=False)


seen = [judged(wrong) for wrong in WRONG]
fractions = [(USERS - wrong) / USERS for wrong in WRONG]
said = ", ".join(f"at {wrong}: {value:.2f}" for wrong, value in zip(WRONG, seen))
print(f"{USERS} users of two ratings: wrong {said}; pairs in order:", *(f"{share:.2f}" for share in fractions))
if seen[0] != 1.0 or seen[-1] != 0.0:
    sys.exit("no example: FCP is no fraction of pairs")
if seen[1:-1] != [0.5] * 3:
    sys.exit("changed: FCP averages both kinds of pairs over the same users")
PY
