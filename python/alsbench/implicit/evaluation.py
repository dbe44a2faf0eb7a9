# SPDX-License-Identifier: Apache-2.0
"""The functions of `implicit.evaluation`: splits of ratings, and measures of the items that a model recommends."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix

from alsbench.implicit.utils import RandomState, added_up, check_random_state, check_sparse
from alsbench.ratings import level_of_caller

_BATCH = 1000  # users


def train_test_split(
    ratings: Any, train_percentage: float = 0.8, random_state: RandomState = None
) -> tuple[csr_matrix, csr_matrix]:
    """Each rating is one to train on with the probability train_percentage, else one to test with. Tests have none below 0.

    An equal seed splits as `implicit` does. Raises ValueError for a probability outside [0, 1], such as 80.
    """
    if not 0 <= train_percentage <= 1:
        raise ValueError(f"train_percentage {train_percentage} is outside [0, 1]; give 0.8 for 80 %")
    ratings = coo_matrix(check_sparse(ratings, "ratings"))
    trained = check_random_state(random_state).random(ratings.nnz) < train_percentage
    return _cells(ratings, trained), _cells(ratings, ~trained & (ratings.data > 0))


def leave_k_out_split(
    ratings: Any, K: int = 1, train_only_size: float = 0.0, random_state: RandomState = None
) -> tuple[csr_matrix, csr_matrix]:
    """Holds out K ratings, drawn at random, of each user with more than K + 1.

    train_only_size: the share of users of whom none are held out. random_state: that of all draws;
    `implicit` draws the ratings from numpy's global state.

    Raises ValueError for K below 1 and a share outside [0, 1).
    """
    if K < 1:
        raise ValueError(f"K {K}: hold out 1 rating or more")
    if not 0 <= train_only_size < 1:
        raise ValueError(f"train_only_size {train_only_size} is outside [0, 1)")
    ratings, random = coo_matrix(check_sparse(ratings, "ratings")), check_random_state(random_state)
    users, lengths = np.unique(ratings.row, return_counts=True)
    tested = lengths > K + 1
    if train_only_size > 0:
        count = max(1, int(len(users) * train_only_size))
        tested[random.choice(len(users), count, replace=False)] = False
    order = np.lexsort((random.random(ratings.nnz), ratings.row))  # by user, each one's shuffled
    rank = np.arange(ratings.nnz) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    held_out = np.zeros(ratings.nnz, bool)
    held_out[order] = (rank < K) & np.repeat(tested, lengths)
    return _cells(ratings, ~held_out), _cells(ratings, held_out)


def _metric(name: str) -> Callable[..., float]:
    """A function of the arguments of ranking_metrics_at_k that returns one of its figures."""

    def metric(
        model: Any,
        train_user_items: Any,
        test_user_items: Any,
        K: int = 10,
        show_progress: bool = True,
        num_threads: int = 1,
    ) -> float:
        return ranking_metrics_at_k(model, train_user_items, test_user_items, K, show_progress, num_threads)[name]

    metric.__doc__ = f'ranking_metrics_at_k(...)["{name}"].'
    return metric


precision_at_k = _metric("precision")
mean_average_precision_at_k = _metric("map")
ndcg_at_k = _metric("ndcg")
AUC_at_k = _metric("auc")


def ranking_metrics_at_k(
    model: Any,
    train_user_items: Any,
    test_user_items: Any,
    K: int = 10,
    show_progress: bool = True,
    num_threads: int = 1,
) -> dict[str, float]:
    """How well the K items that a model recommends meet those that users have in test_user_items.

    model: has recommend(users, user_items, N). train_user_items: CSR, whose items are not recommended.
    show_progress, num_threads: not used; the model has threads of its own.
    Let h_i be 1 where a user's i-th item is in the test and else 0, t the number of the user's test items, and m = min(K, t).
    Returns, over the users that have test items:
      precision: the sum of all h_i over the sum of all m;
      map: the mean of (sum of h_i (h_1 + ... + h_i) / i) / m;
      ndcg: the mean of sum of h_i / log2(i + 1), over the same sum of m ones;
      auc: the mean area under the curve of hits over misses, where items beyond K are in no order.
    Warns where no user has test items; all of them are NaN then.
    """
    train = csr_matrix(check_sparse(train_user_items, "train_user_items"))
    test = csr_matrix(added_up(check_sparse(test_user_items, "test_user_items")))
    relevant = csr_matrix((np.ones(test.nnz, np.int8), test.indices, test.indptr), shape=test.shape)
    users = np.flatnonzero(np.diff(test.indptr))
    if not users.size:
        warnings.warn("test_user_items: has no items, so nothing is measured", stacklevel=level_of_caller())
        return dict.fromkeys(("precision", "map", "ndcg", "auc"), float("nan"))
    sums = np.zeros(5)
    for first in range(0, len(users), _BATCH):
        batch = users[first : first + _BATCH]
        ids, _ = model.recommend(batch, train[batch], N=K)
        hits = np.asarray(relevant[batch[:, None], ids].todense()).reshape(ids.shape) > 0
        sums += _sums(hits, np.diff(test.indptr)[batch].astype(float), test.shape[1], K)
    hit, most, average, gain, area = sums
    return {
        "precision": float(hit / most),
        "map": float(average / len(users)),
        "ndcg": float(gain / len(users)),
        "auc": float(area / len(users)),
    }


def _sums(hits: np.ndarray, tested: np.ndarray, items: int, K: int) -> np.ndarray:
    """Over users: hits, the most there could be, average precisions, NDCGs, areas. hits: users x places."""
    place = np.arange(1, hits.shape[1] + 1)
    so_far, most = np.cumsum(hits, axis=1), np.minimum(tested, K)
    average = (hits * so_far / place).sum(axis=1) / most
    ideal = np.cumsum(1 / np.log2(np.arange(2, K + 2)))
    gain = (hits / np.log2(place + 1)).sum(axis=1) / ideal[most.astype(int) - 1]
    found, missed = hits.sum(axis=1), (~hits).sum(axis=1)
    others = items - tested
    area = (so_far * ~hits).sum(axis=1) + (found + tested) / 2 * (others - missed)
    return np.array([found.sum(), most.sum(), average.sum(), gain.sum(), (area / (tested * others)).sum()])


def _cells(ratings: Any, chosen: np.ndarray) -> csr_matrix:
    """Those of the ratings, in their type where it holds the sums of cells that are there twice."""
    part = coo_matrix((ratings.data[chosen], (ratings.row[chosen], ratings.col[chosen])), shape=ratings.shape)
    sums = csr_matrix(added_up(part))
    held = sums.astype(ratings.dtype)
    return held if ratings.dtype == bool or np.array_equal(held.data, sums.data) else sums
