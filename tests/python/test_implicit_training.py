# SPDX-License-Identifier: Apache-2.0
"""Trainings of alsbench.implicit, against plain loops in double over dense matrices."""

import json
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest
import scipy.sparse
from implicit_models import ITEMS, LAMBDA, RANK, USERS, model_of, row_equations, solved

from alsbench.implicit.cpu.als import calculate_loss
from alsbench.implicit.recommender_base import ModelFitError
from alsbench.implicit.utils import ParameterWarning

pytest_plugins = ("implicit_fixtures",)


def stepped(values, fixed, x, steps=3):
    if not values.any():
        return np.zeros(fixed.shape[1])
    a, b = row_equations(values, fixed)
    r = b - a @ x
    p = r
    for _ in range(steps):
        step = (r @ r) / (p @ a @ p)
        x, next_r = x + step * p, r - step * (a @ p)
        p, r = next_r + (next_r @ next_r) / (r @ r) * p, next_r
    return x


def trained(dense, iterations, update, dtype):
    random = np.random.default_rng(5)
    x = random.random((USERS, RANK), dtype=dtype).astype(float) * 0.01
    y = random.random((ITEMS, RANK), dtype=dtype).astype(float) * 0.01
    for _ in range(iterations):
        x = np.array([update(row, y, old) for row, old in zip(dense, x)])
        y = np.array([update(row, x, old) for row, old in zip(dense.T, y)])
    return x, y


def dense_loss(dense, x, y, regularization):
    c = np.where(dense == 0, 1, np.abs(dense))
    error = (c * ((dense > 0) - x @ y.T) ** 2).sum()
    return (error + regularization * ((x**2).sum() + (y**2).sum())) / c.sum()


@pytest.mark.parametrize("use_cg", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_factors_are_those_of_plain_loops(counts, use_cg, dtype):
    model = model_of(use_cg=use_cg, dtype=dtype, alpha=2.0)
    model.fit(counts, show_progress=False)
    update = stepped if use_cg else (lambda values, fixed, _: solved(values, fixed))
    x, y = trained(2.0 * counts.toarray().astype(float), 4, update, dtype)
    assert model.user_factors.dtype == model.item_factors.dtype == dtype
    tolerance = 5e-3 if use_cg else 2e-4  # few steps keep the rounding of early ones
    np.testing.assert_allclose(model.user_factors, x, atol=tolerance)
    np.testing.assert_allclose(model.item_factors, y, atol=tolerance)
    assert not model.user_factors[3].any() and not model.item_factors[7].any()


ON_TILES = """
import json
import numpy as np, scipy.sparse
from alsbench.implicit.cpu import als
random = np.random.default_rng(1)
counts = scipy.sparse.random(3000, 800, 0.05, "csr", np.float32, random, lambda n: random.integers(1, 9, n))
losses = {}
for many in (1, 10**9):
    als.MANY_CELLS = many
    model = als.AlternatingLeastSquares(16, 0.1, iterations=8, random_state=5)
    hyper = model._problem(counts)[1]
    model.fit(counts, show_progress=False)
    losses[hyper] = als.calculate_loss(counts, model.user_factors, model.item_factors, 0.1)
print(json.dumps(losses))
"""


def test_large_trainings_on_tiles_have_the_loss_of_others():
    """Tiles are emulated where the processor has none; a process finds out once."""
    environment = {**os.environ, "ALSBENCH_TILES": "emulated"}
    done = subprocess.run([sys.executable, "-c", ON_TILES], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    losses = json.loads(done.stdout)
    assert set(losses) == {"alpha=1", "confidence=direct,alpha=1"}
    assert losses["alpha=1"] == pytest.approx(losses["confidence=direct,alpha=1"], rel=2e-3)


def test_callbacks_get_the_loss_of_all_cells(counts):
    heard = []
    model = model_of(calculate_training_loss=True)
    model.fit(counts, show_progress=False, callback=lambda *call: heard.append(call))
    dense = counts.toarray().astype(float)
    assert [call[0] for call in heard] == [0, 1, 2, 3]
    assert all(call[1] > 0 for call in heard)
    expected = dense_loss(dense, model.user_factors, model.item_factors, LAMBDA)
    assert heard[-1][2] == pytest.approx(expected, rel=1e-5)
    assert calculate_loss(counts, model.user_factors, model.item_factors, LAMBDA) == pytest.approx(expected, rel=1e-6)


def test_fit_goes_on_from_the_factors_that_are_there(counts):
    twice, once = model_of(iterations=2), model_of(iterations=4)
    for _ in range(2):
        twice.fit(counts, show_progress=False)
    once.fit(counts, show_progress=False)
    assert np.array_equal(twice.user_factors, once.user_factors)
    twice.item_factors = twice.item_factors[:-1]
    with pytest.raises(ValueError, match="item_factors: is of shape"):
        twice.fit(counts, show_progress=False)


def test_cells_that_are_there_twice_are_added_up(counts):
    """`implicit` counts the confidence of such a cell once too often."""
    doubled = scipy.sparse.csr_matrix(
        (np.repeat(counts.data / 2, 2), np.repeat(counts.indices, 2), 2 * counts.indptr), shape=counts.shape
    )
    once, twice = model_of(), model_of()
    once.fit(counts, show_progress=False)
    twice.fit(doubled, show_progress=False)
    assert doubled.nnz == 2 * counts.nnz
    np.testing.assert_array_equal(once.user_factors, twice.user_factors)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, bool])
@pytest.mark.parametrize("kind", [scipy.sparse.coo_matrix, scipy.sparse.csr_matrix])
def test_counts_of_narrow_types_do_not_wrap_around(dtype, kind):
    """A log of plays has 1 a line: scipy adds them up in its type, so 300 plays were 44."""
    plays = np.array([[300, 2, 0, 1], [1, 0, 140, 3], [0, 2, 1, 1]])
    row, column = (np.repeat(each, plays[plays > 0]) for each in np.nonzero(plays))
    log = scipy.sparse.coo_matrix((np.ones(plays.sum(), dtype), (row, column)), shape=plays.shape)
    if kind is scipy.sparse.csr_matrix:
        log = kind((log.data, column, np.append(0, np.cumsum(plays.sum(axis=1)))), shape=plays.shape)
    once, each_play = model_of(), model_of()
    once.fit(scipy.sparse.csr_matrix(plays.astype(np.float32)), show_progress=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ParameterWarning)
        each_play.fit(log, show_progress=False)
    assert log.nnz == plays.sum()
    np.testing.assert_array_equal(once.user_factors, each_play.user_factors)


def test_other_formats_are_converted_with_a_warning(counts):
    with pytest.warns(ParameterWarning, match="coo_matrix is converted"):
        model_of().fit(counts.tocoo(), show_progress=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model_of().fit(scipy.sparse.csr_array(counts), show_progress=False)


def test_numbers_of_numpy_train_as_those_of_python(counts):
    given = model_of(
        factors=np.int64(RANK), iterations=np.array(4), regularization=np.array(LAMBDA), num_threads=np.int8(2)
    )
    plain = model_of(num_threads=2)
    for each in (given, plain):
        each.fit(counts, show_progress=False)
    np.testing.assert_array_equal(given.user_factors, plain.user_factors)


@pytest.mark.parametrize("alpha", [1e15, 1e20, 1e30])
@pytest.mark.parametrize("use_cg", [True, False])
def test_confidences_beyond_the_floats_end_a_fit(counts, alpha, use_cg):
    """As in implicit. Conjugate gradients left every row where it began."""
    with pytest.raises(ModelFitError, match="smaller alpha"):
        model_of(alpha=alpha, use_cg=use_cg).fit(counts, show_progress=False)


def test_factors_that_are_not_finite_end_a_fit(counts, model):
    for iterations in (0, 1):
        broken = model_of(use_cg=True, iterations=iterations)
        broken.user_factors = np.where(np.arange(USERS)[:, None] == 6, np.nan, model.user_factors)
        with pytest.raises(ModelFitError, match="row 6"):
            broken.fit(counts, show_progress=False)
    broken.item_factors = np.full((ITEMS, RANK), np.nan)
    with pytest.raises(ModelFitError, match="scores are not finite"):
        broken.recommend(0, counts[0])
