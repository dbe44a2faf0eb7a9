# SPDX-License-Identifier: Apache-2.0
"""The evaluation of alsbench.implicit, against plain loops, and where it differs from `implicit`'s."""

import numpy as np
import pytest
import scipy.sparse
from implicit_models import ITEMS, USERS, Fixed

from alsbench.implicit import evaluation


def test_measures_of_rankings_are_those_of_plain_loops():
    random = np.random.default_rng(3)
    ids = np.array([random.permutation(ITEMS) for _ in range(USERS)])
    test = scipy.sparse.random(USERS, ITEMS, density=0.15, random_state=4, format="csr")
    k, hits, most, average, gain, area, users = 7, 0, 0, 0.0, 0.0, 0.0, 0
    for user in range(USERS):
        liked = set(test[user].indices)
        if not liked:
            continue
        users += 1
        found = [item in liked for item in ids[user, :k]]
        hits, most = hits + sum(found), most + min(k, len(liked))
        average += sum(sum(found[: i + 1]) / (i + 1) for i in range(k) if found[i]) / min(k, len(liked))
        ideal = sum(1 / np.log2(i + 2) for i in range(min(k, len(liked))))
        gain += sum(1 / np.log2(i + 2) for i in range(k) if found[i]) / ideal
        below = sum(sum(found[:i]) for i in range(k) if not found[i])
        rest = ITEMS - len(liked) - found.count(False)
        area += (below + (sum(found) + len(liked)) / 2 * rest) / (len(liked) * (ITEMS - len(liked)))
    measured = evaluation.ranking_metrics_at_k(Fixed(ids), test, test, K=k)
    assert measured == pytest.approx(
        {"precision": hits / most, "map": average / users, "ndcg": gain / users, "auc": area / users}
    )
    assert evaluation.AUC_at_k(Fixed(ids), test, test, K=k) == measured["auc"]


def test_splits_hold_out_what_they_say():
    ratings = scipy.sparse.random(200, 50, density=0.2, random_state=1, format="csr")
    train, test = evaluation.train_test_split(ratings, 0.7, random_state=2)
    assert abs(train + test - ratings).max() == 0
    assert 0.65 < train.nnz / ratings.nnz < 0.75
    train, test = evaluation.leave_k_out_split(ratings, K=2, train_only_size=0.25, random_state=2)
    assert abs(train + test - ratings).max() == 0
    assert set(np.diff(test.indptr)) == {0, 2} and (np.diff(test.indptr) == 0).sum() >= 50
    again = evaluation.leave_k_out_split(ratings, K=2, train_only_size=0.25, random_state=2)
    assert abs(test - again[1]).max() == 0  # `implicit` draws from numpy's global state


def test_a_test_item_that_is_there_twice_is_one():
    random = np.random.default_rng(3)
    fixed = Fixed(np.array([random.permutation(ITEMS) for _ in range(USERS)]))
    test = scipy.sparse.random(USERS, ITEMS, density=0.15, random_state=4, format="csr")
    twice = scipy.sparse.csr_matrix(
        (np.repeat(test.data, 2), np.repeat(test.indices, 2), 2 * test.indptr), shape=test.shape
    )
    measured = evaluation.ranking_metrics_at_k(fixed, test, twice, K=7)
    assert measured == evaluation.ranking_metrics_at_k(fixed, test, test, K=7)
    assert twice.nnz == 2 * test.nnz  # the caller's matrix stays as it is


def test_a_split_of_a_log_of_bytes_has_its_sums():
    """300 lines of 1 in int8 were 44, and 200 of them below 0."""
    log = scipy.sparse.coo_matrix((np.ones(301, np.int8), ([0] * 300 + [1], [0] * 300 + [2])), shape=(2, 3))
    train, test = evaluation.train_test_split(log, 0.7, random_state=1)
    assert (train + test).toarray().tolist() == [[300, 0, 0], [0, 0, 1]]
    assert test.nnz and evaluation.train_test_split(log.tocsr()[1:], 0.5, random_state=1)[0].dtype == np.int8


def test_a_test_without_items_measures_nothing():
    """The reason was a division by 0 within."""
    counts = scipy.sparse.random(USERS, ITEMS, density=0.15, random_state=4, format="csr")
    with pytest.warns(UserWarning, match="test_user_items: has no items") as said:
        measured = evaluation.ranking_metrics_at_k(None, counts, scipy.sparse.csr_matrix(counts.shape), K=3)
    assert len(said) == 1 and said[0].filename == __file__
    assert measured.keys() == {"precision", "map", "ndcg", "auc"} and np.isnan(list(measured.values())).all()


@pytest.mark.parametrize("share", [80, -0.1, np.nan])
def test_a_share_outside_of_all_is_refused(share):
    """80 held out nothing."""
    with pytest.raises(ValueError, match=r"^train_percentage .* is outside \[0, 1\]; give 0.8 for 80 %"):
        evaluation.train_test_split(scipy.sparse.eye(3, format="csr"), share)
