# SPDX-License-Identifier: Apache-2.0
"""Doubts about a training in Python: those of `alsbench train`, at the line that called."""

import warnings

import numpy as np
import pytest
import scipy.sparse

import alsbench

USERS, ITEMS = 40, 30


def small(**parameters):
    return alsbench.ALS(**{"rank": 4, "iterations": 6, "device": "cpu", **parameters})


@pytest.fixture(scope="module")
def ratings():
    random = np.random.default_rng(1)
    cells = random.random((USERS, ITEMS)) < 0.5
    return scipy.sparse.csr_array(np.where(cells, random.integers(1, 6, cells.shape), 0).astype(np.float32))


def halves(ratings, first):
    """The ratings of the first users, and those of the others."""
    dense, is_first = ratings.toarray(), np.arange(USERS)[:, None] < first
    return scipy.sparse.csr_array(dense * is_first), scipy.sparse.csr_array(dense * ~is_first)


def said_by(call):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        call()
    assert all(each.filename == __file__ for each in said)
    return [str(each.message) for each in said]


@pytest.mark.parametrize(
    "fit",
    [
        lambda X, test: small(early_stop=2).fit(X, test=test),
        lambda X, test: small().plan(X, test=test),
        lambda X, test: alsbench.search(small(), X, test, {"regularization": [0.05, 50]}),
    ],
)
def test_a_test_of_unknown_users_judges_nothing(ratings, fit):
    """Its metric was the same of all models, so the first iteration was kept, and the first value was the best."""
    train, test = halves(ratings, 20)
    with pytest.raises(
        alsbench.UsageError, match=r"^test: 20 of 20 test users and 0 of 30 .*: they judge nothing; give ratings of"
    ):
        fit(train, test)


def test_a_test_half_of_which_is_unknown_is_doubted(ratings):
    train, test = halves(ratings, 20)
    test = scipy.sparse.csr_array(test + halves(ratings, 1)[0])
    said, _ = said_by(lambda: small(regularization=5).fit(train, test=test))  # and of cells that are trained on
    assert said.startswith("test: 20 of 21 test users") and said.endswith("have X and test the same rows and columns?")
    train, test = alsbench.train_test_split(ratings)
    assert said_by(lambda: small(keep="best").fit(train, test=test)) == []


def test_equal_ratings_tell_nothing_apart(ratings):
    liked = (ratings > 0).astype(np.float32)
    (said,) = said_by(lambda: small().fit(liked))
    assert said.startswith("X: all ratings are 1, so they tell no items apart; feedback='implicit' learns")
    assert said_by(lambda: small(feedback="implicit").fit(liked)) == said_by(lambda: small().fit(ratings)) == []


def test_a_model_that_overfits_is_named(ratings):
    train, test = alsbench.train_test_split(ratings, 0.3)
    als = small(regularization=1e-4)
    (said,) = said_by(lambda: als.fit(train, test=test))
    metrics = [each.test_metric for each in als.iterations_]
    best = int(np.argmin(metrics)) + 1
    assert said.startswith(f"test: the RMSE was lowest after iteration {best}, {min(metrics):.6g}, and rose to")
    assert f"give iterations={best}, keep='best' or a larger" in said
    assert said_by(lambda: small(regularization=1e-4, keep="best").fit(train, test=test)) == []


def test_factors_without_regularization_may_be_anything(ratings):
    (said,) = said_by(lambda: small(regularization=0).fit(ratings))
    assert said.startswith("regularization 0: users and items with fewer than 4 ratings")
