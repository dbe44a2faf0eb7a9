# SPDX-License-Identifier: Apache-2.0
"""Rows that a model was not trained on: against numpy's solution, and against a training's own."""

import dataclasses

import numpy as np
import pytest
import scipy.sparse

import alsbench

RANK, LAMBDA = 8, 0.1
KINDS = {
    "explicit": {},
    "biases": {"hyper": {"biases": "on"}},
    "implicit": {"feedback": "implicit", "alpha": 3},
    "weighted": {"feedback": "implicit", "alpha": 3, "hyper": {"regularisation": "weighted"}},
    "direct": {"feedback": "implicit", "alpha": 0.5, "hyper": {"confidence": "direct"}},
}


@pytest.fixture(scope="module")
def ratings():
    return alsbench.load_ratings(dataset="ml-100k", scale=0.2).matrix


@pytest.fixture(scope="module", params=KINDS)
def trained(request, ratings):
    als = alsbench.ALS(
        rank=RANK, regularization=LAMBDA, iterations=4, device="cpu", pipeline="exact", **KINDS[request.param]
    )
    return request.param, als.fit(ratings).model_


def solution(kind, values, fixed, mean):
    """The row that minimises the objective: values of all columns of the other side, 0 where there is no rating."""
    rated = values != 0
    if not rated.any():
        return np.zeros(RANK)
    if kind == "explicit":
        y, count = fixed[rated], rated.sum()
        return np.linalg.solve(y.T @ y + LAMBDA * count * np.eye(RANK), y.T @ values[rated])
    if kind == "biases":  # columns: features, 1, level; the level and the features are sought
        y, count = fixed[rated][:, :-1], rated.sum()
        target = values[rated] - fixed[rated][:, -1] - mean
        x = np.linalg.solve(y.T @ y + LAMBDA * count * np.eye(RANK - 1), y.T @ target)
        return np.concatenate([x[:-1], [x[-1] + mean, 1]])
    c = np.where(rated, 0.5 * values, 1) if kind == "direct" else 1 + 3 * values
    damping = LAMBDA * (rated.sum() if kind == "weighted" else 1)
    return np.linalg.solve((fixed.T * c) @ fixed + damping * np.eye(RANK), (c * rated) @ fixed)


def test_new_users_are_the_solution_of_their_equations(ratings, trained):
    kind, model = trained
    users = ratings[:40]
    mean = float(ratings.data.mean())
    fixed = model.item_factors.astype(float)
    expected = np.array([solution(kind, row, fixed, mean) for row in users.toarray().astype(float)])
    np.testing.assert_allclose(model.fold_in(users), expected, atol=2e-5 * np.abs(expected).max())


def test_items_are_those_of_the_half_iteration_that_was_the_last(ratings, trained):
    _, model = trained
    items = scipy.sparse.csr_array(ratings.T)
    found = model.fold_in_items(items)
    np.testing.assert_allclose(found, model.item_factors, atol=1e-6 * np.abs(model.item_factors).max())


def test_models_with_users_anew_and_added(ratings, trained):
    _, model = trained
    users = len(model.user_factors)
    more = model.with_users([3, users + 1], ratings[[7, 9]])
    folded = model.fold_in(ratings[[7, 9]])
    assert more.user_factors.shape == (users + 2, RANK)
    np.testing.assert_array_equal(more.user_factors[[3, users + 1]], folded)
    np.testing.assert_array_equal(more.user_factors[4:users], model.user_factors[4:])
    assert more.cold_users[users] and not more.cold_users[users + 1]
    ids, _ = more.recommend(users + 1, ratings[[9]], N=4)
    assert len(set(ids) - set(ratings[[9]].indices)) == 4


def test_what_cannot_be_folded_in_is_refused(ratings, trained):
    _, model = trained
    with pytest.raises(alsbench.UsageError, match="user_items: is 2 x 5"):
        model.fold_in(ratings[:2, :5])
    unknown = dataclasses.replace(model, objective=None)
    with pytest.raises(alsbench.UsageError, match="does not know what it minimised"):
        unknown.fold_in(ratings[:2])
