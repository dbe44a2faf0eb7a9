# SPDX-License-Identifier: Apache-2.0
"""Doubts about a training, as `alsbench train` has them: warnings that begin with the argument that they are of."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from alsbench.errors import UsageError
from alsbench.ratings import level_of_caller
from alsbench.results.records import Iteration

_OVERFIT = 1e-3  # a rise of the test metric above its lowest that is worth a word, as a share of it


def doubt(text: str, category: type[Warning] = UserWarning) -> None:
    warnings.warn(text, category, stacklevel=level_of_caller())


def doubt_ratings(ratings: Any, feedback: str, rank: int, regularization: float) -> None:
    """Warns of ratings and parameters that leave factors undetermined."""
    if regularization == 0:
        doubt(
            f"regularization 0: users and items with fewer than {rank} ratings are not determined by them, and their "
            "predictions may be anything"
        )
    if feedback == "explicit" and (ratings.data == ratings.data[0]).all():
        doubt(
            f"X: all ratings are {ratings.data[0]:g}, so they tell no items apart; feedback='implicit' learns from which "
            "items a user has"
        )


def doubt_test(test: Any, ratings: Any) -> None:
    """Warns of a test half of which is of users or items without a training rating.

    Raises UsageError where all of it is: its metric is the same of all models.
    """
    if not test.data.size:
        return
    users_learnt = np.diff(ratings.indptr) > 0
    items_learnt = np.zeros(ratings.shape[1], bool)
    items_learnt[ratings.indices] = True
    lengths = np.diff(test.indptr)
    users, items = np.flatnonzero(lengths), np.unique(test.indices)
    learnt = np.repeat(users_learnt, lengths) & items_learnt[test.indices]
    counts = [(np.count_nonzero(~each), each.size) for each in (users_learnt[users], items_learnt[items], learnt)]
    if all(2 * cold < size for cold, size in counts):
        return
    text = (
        "{} of {} test users and {} of {} test items have no training rating, so {} of {} test ratings are not learnt"
    )
    said = f"test: {text.format(*(number for each in counts for number in each))}"
    if not learnt.any():
        raise UsageError(
            f"{said}: they judge nothing; give ratings of trained users and items, as train_test_split does"
        )
    doubt(f"{said}: have X and test the same rows and columns?")


def doubt_iterations(iterations: Sequence[Iteration], kept: int, metric: str) -> None:
    """Warns where the test metric of the iteration that is kept is above an earlier one's."""
    metrics = {each.iteration: each.test_metric for each in iterations if each.test_metric is not None}
    finite = {iteration: value for iteration, value in metrics.items() if np.isfinite(value)}
    if kept not in finite:
        return
    best = min(finite, key=finite.__getitem__)
    if finite[kept] - finite[best] > _OVERFIT * abs(finite[best]):
        doubt(
            f"test: the {metric.upper()} was lowest after iteration {best}, {finite[best]:.6g}, and rose to "
            f"{finite[kept]:.6g}: the model overfits; give iterations={best}, keep='best' or a larger regularization"
        )
