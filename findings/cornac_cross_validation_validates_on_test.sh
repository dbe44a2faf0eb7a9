#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Cornac's CrossValidation gives a model the test fold as its validation set, so a search chooses by the test.
#
# Versions: cornac 3.0.1, numpy 2.4.6, scipy 1.17.1.
# Behaviour: in each fold the ratings that judge a model are also the val_set of its fit(). GridSearch and RandomSearch, which
#   need one, choose by them, and so do models that stop early. RatioSplit with val_size has a set of its own.
# Likely guess: a validation set in cross-validation is taken from the training folds, and a search without one is refused, as
#   it is by RatioSplit without val_size. Then the figure of the best of 15 models that guess is that of any: an AUC of 0.5.
#   Right: search with RatioSplit, or in a loop of your own within each fold.
# Output seen: AUC of a model that guesses: 0.503 by folds, 0.495 by splits; of the best of 15: 0.541 by folds, 0.493 by
#   splits; validation is the test: True in a fold, False in a split
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
from cornac.eval_methods import CrossValidation, RatioSplit
from cornac.hyperopt import Discrete, GridSearch
from cornac.metrics import AUC
from cornac.models import Recommender

SEEDS, FOLDS = 15, 5


class Guess(Recommender):
    """Scores items at random: it learns nothing."""

    validation = None

    def __init__(self, name="guess", trainable=True, verbose=False, seed=1):
        super().__init__(name=name, trainable=trainable, verbose=verbose)
        self.seed = seed

    def fit(self, train_set, val_set=None):
        Guess.validation = val_set
        return super().fit(train_set, val_set)

    def score(self, user_idx, item_idx=None):
        return np.random.default_rng([user_idx, self.seed]).random(self.num_items)


random = np.random.default_rng(1)
ratings = [(user, item, 1.0) for user in range(60) for item in random.choice(60, 20, replace=False)]


def auc(method, search):
    """The mean AUC of the method's folds, of one model or of the best by a search in each fold."""
    model = GridSearch(Guess(), [Discrete("seed", list(range(1, SEEDS + 1)))], AUC(), method) if search else Guess()
    result, _ = method.evaluate(model, [AUC()], user_based=True, show_validation=False)
    folds = result if isinstance(method, CrossValidation) else [result]
    return np.mean([fold.metric_avg_results["AUC"] for fold in folds])


means = {}
for search in (False, True):
    folds = CrossValidation(ratings, n_folds=FOLDS, seed=1)
    splits = [RatioSplit(ratings, test_size=0.2, val_size=0.2, seed=seed) for seed in range(FOLDS)]
    means[search] = auc(folds, search), np.mean([auc(split, search) for split in splits])
same = (Guess.validation.csr_matrix != splits[-1].test_set.csr_matrix).nnz == 0
folds.evaluate(Guess(), [AUC()], user_based=True, show_validation=False)
same_in_fold = (Guess.validation.csr_matrix != folds.test_set.csr_matrix).nnz == 0
print(
    f"AUC of a model that guesses: {means[False][0]:.3f} by folds, {means[False][1]:.3f} by splits; of the best of {SEEDS}: "
    f"{means[True][0]:.3f} by folds, {means[True][1]:.3f} by splits; validation is the test: {same_in_fold} in a fold, "
    f"{same} in a split"
)
if max(abs(means[False][0] - 0.5), abs(means[False][1] - 0.5), abs(means[True][1] - 0.5)) > 0.02 or same:
    sys.exit("no example: a guess is better or worse than one")
if not same_in_fold or means[True][0] < 0.53:
    sys.exit("changed: a fold validates on other ratings than it tests on")
PY
