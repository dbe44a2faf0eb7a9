# SPDX-License-Identifier: Apache-2.0
"""Input that alsbench.implicit refuses, and the exceptions."""

import pickle

import numpy as np
import pytest
import scipy.sparse
from implicit_models import ITEMS, RANK, USERS, Fixed, model_of

from alsbench.errors import UsageError
from alsbench.implicit import evaluation

pytest_plugins = ("implicit_fixtures",)


def test_wrong_arguments_are_refused(counts, model):
    with pytest.raises(ValueError, match="is no CSR matrix"):
        model.recommend(0, counts.tocsc())
    with pytest.raises(ValueError, match="has 3 rows; give one for each of 2 users"):
        model.recommend([0, 1], counts[:3])
    with pytest.raises(IndexError, match="30 is outside"):
        model.recommend(0, counts[0], items=[3, ITEMS])
    with pytest.raises(ValueError, match="give one of them"):
        model.recommend(0, counts[0], items=[3], filter_items=[4])
    with pytest.raises(ValueError, match="dtype float16"):
        model_of(dtype=np.float16).fit(counts)
    wrong = counts.copy()
    wrong.data[0] = np.nan
    with pytest.raises(UsageError, match="has the value nan"):
        model_of().fit(wrong, show_progress=False)


@pytest.mark.parametrize(
    "wrong, message",
    [
        ({"factors": 0}, "factors 0: give a whole number from 1"),
        ({"factors": 0, "use_cg": True}, "factors 0: give a whole number from 1"),
        ({"factors": 2.5}, "factors 2.5: give a whole number"),
        ({"num_threads": 100000}, "num_threads 100000: give a whole number from 0 to"),
        ({"num_threads": 1.5}, "num_threads 1.5: give a whole number"),
        ({"regularization": -5}, "regularization -5: give a number from 0"),
        ({"regularization": np.nan}, "regularization nan: give a number from 0"),
        ({"regularization": "1"}, "regularization '1': give a number"),
        ({"iterations": -1}, "iterations -1: give a whole number from 0"),
        ({"iterations": 1.5}, "iterations 1.5: give a whole number"),
        ({"alpha": np.inf}, "alpha inf: give a number"),
    ],
)
def test_wrong_numbers_are_refused(counts, wrong, message):
    """Some ended the process: no factors, and more threads than the system starts."""
    with pytest.raises(ValueError, match=message):
        model_of(**wrong).fit(counts, show_progress=False)


def test_values_beyond_floats_are_told_with_alpha(counts):
    with pytest.raises(ValueError, match=r"row 0, column \d+: \S+ times 1e\+38 is beyond a float; give smaller ones"):
        model_of(alpha=1e38).fit(counts * np.float32(10), show_progress=False)
    large = scipy.sparse.csr_matrix(np.array([[1, 2], [0, 1e300]]))
    with pytest.raises(ValueError, match=r"user_items: row 1, column 1 has the value 1e\+300, which is too large"):
        model_of().fit(large, show_progress=False)
    with pytest.raises(ValueError, match="user_items: holds complex128; give real numbers"):
        model_of().fit(counts.astype(complex), show_progress=False)


@pytest.mark.parametrize(
    "ask",
    [
        lambda model, counts: model.recalculate_user(0, counts[0]),
        lambda model, counts: model.recommend(0, counts[0]),
        lambda model, counts: model.similar_users(0),
    ],
)
def test_too_many_threads_are_refused_by_questions(counts, model, ask):
    many = pickle.loads(pickle.dumps(model))
    many.num_threads = 100000
    with pytest.raises(ValueError, match="num_threads 100000"):
        ask(many, counts)


@pytest.mark.parametrize("count", [-1, 1.5, None])
def test_wrong_counts_of_results_are_refused(counts, model, count):
    """-1 ended the process."""
    for ask in (lambda: model.recommend(0, counts[0], N=count), lambda: model.similar_items(0, N=count)):
        with pytest.raises(ValueError, match=f"N {count}: give a whole number from 0 on"):
            ask()


def test_factors_of_no_model_are_refused(model, counts):
    """Without columns they ended the process."""
    other = model_of()
    for wrong in (np.zeros((ITEMS, 0)), np.zeros(ITEMS)):
        with pytest.raises(ValueError, match="item_factors: are of shape"):
            other.item_factors = wrong
    other.user_factors, other.item_factors = model.user_factors, model.item_factors[:, 1:]
    with pytest.raises(ValueError, match=f"user_factors have {RANK} columns, and item_factors {RANK - 1}"):
        other.recommend(0, counts[0])


def test_tables_of_ratings_are_refused(counts):
    """Taken for a matrix, one of three columns is of three items."""
    pandas = pytest.importorskip("pandas")
    coo = counts.tocoo()
    frame = pandas.DataFrame({"user": coo.row, "item": coo.col, "rating": coo.data})
    with pytest.raises(TypeError, match=r"user_items: is a DataFrame; .* alsbench\.ratings_of"):
        model_of().fit(frame, show_progress=False)
    with pytest.raises(TypeError, match="ratings: is a DataFrame"):
        evaluation.train_test_split(frame)


@pytest.mark.parametrize("wrong", [[[1, 0], [0, 2]], np.eye(3), None])
def test_matrices_that_are_not_sparse_are_refused(counts, wrong):
    """`implicit` raises AttributeError."""
    for call in (
        lambda: model_of().fit(wrong, show_progress=False),
        lambda: evaluation.leave_k_out_split(wrong),
        lambda: evaluation.precision_at_k(Fixed(np.zeros((1, 1), int)), counts, wrong),
    ):
        with pytest.raises(TypeError, match=f": is a {type(wrong).__name__}; give scipy's CSR"):
            call()


@pytest.mark.parametrize(
    "ask",
    [
        lambda model, counts: model.recommend(-1, counts[0]),
        lambda model, counts: model.recommend([0, -1], counts[:2]),
        lambda model, counts: model.recommend(-1, counts[0], recalculate_user=True),
        lambda model, counts: model.similar_items(np.int8(-1)),
        lambda model, counts: model.similar_users(np.array([3, -1])),
        lambda model, counts: model.explain(-1, counts, 4),
        lambda model, counts: model.explain(0, counts, -1),
        lambda model, counts: model.partial_fit_users([-1], counts[0]),
        lambda model, counts: model.partial_fit_items([-1], counts.T.tocsr()[0]),
    ],
)
def test_what_pandas_does_not_find_is_no_row(counts, model, ask):
    """Index.get_indexer and codes of categories are -1 there, and the last user was answered for, or replaced."""
    before = model.user_factors.copy(), model.item_factors.copy()
    with pytest.raises(IndexError, match="-1"):
        ask(model, counts)
    assert np.array_equal(before[0], model.user_factors) and np.array_equal(before[1], model.item_factors)


def test_masks_are_no_candidates(counts, model):
    """`implicit` finds ids that are True and False."""
    for ask in (
        lambda: model.recommend(0, counts[0], items=np.ones(ITEMS, bool)),
        lambda: model.similar_items(0, items=[True] * ITEMS),
        lambda: model.similar_users(0, users=np.ones(USERS, bool)),
    ):
        with pytest.raises(IndexError, match=r"dtype bool .*flatnonzero"):
            ask()
    for wrong in ([3.0], ["a"], [[1, 2]], {1, 2}):
        with pytest.raises(IndexError, match=r"items: .* give a column of integers"):
            model.recommend(0, counts[0], items=wrong)


def test_explanations_name_a_row_that_is_missing(counts, model):
    """A row of a matrix is its user 0, as in `implicit`."""
    with pytest.raises(IndexError, match="has 1 rows, and none of userid 11"):
        model.explain(11, counts[11], itemid=4)
    with pytest.raises(IndexError, match="none of userid -1"):
        model.explain(-1, counts, itemid=4)
    assert model.explain(0, counts[11], itemid=4)[:2] == model.explain(11, counts, itemid=4)[:2]
