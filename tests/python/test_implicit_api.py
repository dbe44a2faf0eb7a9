# SPDX-License-Identifier: Apache-2.0
"""Answers of models of alsbench.implicit, against plain loops in double over dense matrices."""

import io
import pickle

import numpy as np
import pytest
import scipy.sparse
from implicit_models import ITEMS, RANK, USERS, model_of, solved

from alsbench.implicit.recommender_base import RecommenderBase

pytest_plugins = ("implicit_fixtures",)


LOWEST = -np.finfo(np.float32).max


def test_recommendations_are_the_largest_products(counts, model):
    users = np.array([8, 0, 8, 21])
    rows = counts[users]
    ids, scores = model.recommend(users, rows, N=6, filter_items=[2, 4])
    products = model.user_factors[users].astype(float) @ model.item_factors.T
    products[rows.toarray() != 0] = -np.inf
    products[:, [2, 4]] = -np.inf
    np.testing.assert_array_equal(ids, np.argsort(-products, axis=1, kind="stable")[:, :6])
    np.testing.assert_allclose(scores, -np.sort(-products, axis=1)[:, :6], atol=1e-5)
    assert ids.dtype == np.int32 and scores.dtype == np.float32
    one, own = model.recommend(8, counts[8], N=6, filter_items=[2, 4])
    assert np.array_equal(one, ids[0]) and np.allclose(own, scores[0])


def test_items_that_were_left_out_fill_the_rest(counts, model):
    liked = counts[0].indices
    ids, scores = model.recommend(0, counts[0], N=ITEMS)
    assert sorted(ids) == list(range(ITEMS))
    assert set(ids[-len(liked) :]) == set(liked)
    assert (scores[-len(liked) :] == LOWEST).all()
    candidates = [*liked[:2], 1, 12, 20]
    ids, scores = model.recommend(0, counts[0], N=20, items=candidates)
    assert set(ids) == set(candidates)
    assert (scores == LOWEST).sum() == len(set(candidates) & set(liked))


def test_more_items_than_there_are_are_no_more(counts, model):
    """`implicit` repeats item 0 with the score 0."""
    ids, scores = model.recommend([0, 1], counts[[0, 1]], N=1000, filter_already_liked_items=False)
    assert ids.shape == scores.shape == (2, ITEMS)


def test_similar_rows_have_the_largest_cosines(model):
    ids, scores = model.similar_items([4, 9], N=5, filter_items=[1])
    lengths = np.linalg.norm(model.item_factors, axis=1).astype(float)
    cosines = (model.item_factors @ model.item_factors[[4, 9]].T / np.where(lengths, lengths, 1)[:, None]).T
    cosines = cosines / lengths[[4, 9], None]
    cosines[:, 1] = -np.inf
    np.testing.assert_array_equal(ids, np.argsort(-cosines, axis=1, kind="stable")[:, :5])
    np.testing.assert_allclose(scores, -np.sort(-cosines, axis=1)[:, :5], atol=1e-5)
    assert ids[:, 0].tolist() == [4, 9]
    users, _ = model.similar_users(6, users=[1, 6, 8])
    assert users[0] == 6 and set(users) == {1, 6, 8}


def test_rows_are_recalculated_and_added(counts):
    model = model_of(alpha=2.0)
    model.fit(counts, show_progress=False)
    dense = 2.0 * counts.toarray().astype(float)
    expected = np.array([solved(dense[u], model.item_factors.astype(float)) for u in (2, 11)])
    np.testing.assert_allclose(model.recalculate_user([2, 11], counts[[2, 11]]), expected, atol=1e-5)
    model.partial_fit_users([USERS + 1], counts[2])
    assert model.user_factors.shape == (USERS + 2, RANK)
    np.testing.assert_allclose(model.user_factors[-1], expected[0], atol=1e-5)
    assert not model.user_factors[USERS].any()
    users = scipy.sparse.csr_matrix(counts.T)[5]
    model.partial_fit_items([5, ITEMS], scipy.sparse.vstack([users, users], format="csr"))
    item = solved(np.append(dense[:, 5], [0, 0]), model.user_factors.astype(float))
    np.testing.assert_allclose(model.item_factors[[5, ITEMS]], [item, item], atol=1e-5)
    ids, _ = model.recommend(USERS + 1, counts[2], recalculate_user=True, N=3)
    assert len(ids) == 3


def test_explanations_add_up_to_the_score(counts, model):
    score, parts, weights = model.explain(11, counts, itemid=4, N=100)
    row = model.recalculate_user(11, counts[11])
    assert score == pytest.approx(row @ model.item_factors[4], abs=1e-5)
    assert sum(part for _, part in parts) == pytest.approx(score)
    assert {item for item, _ in parts} == set(counts[11].indices[counts[11].data > 0])
    assert model.explain(11, counts, itemid=4, user_weights=weights, N=2)[1] == parts[:2]


@pytest.mark.parametrize(("alpha", "dtype"), [(2.0, np.float32), (40, np.int8)])
def test_cells_that_are_there_twice_explain_their_sum(model, alpha, dtype):
    """1 was taken off each of them, and bytes times an integer alpha wrapped around."""
    model = pickle.loads(pickle.dumps(model))
    model.alpha = alpha
    once = scipy.sparse.csr_matrix((np.array([5, 4], dtype), [0, 1], [0, 2]), shape=(1, ITEMS))
    twice = scipy.sparse.csr_matrix((np.array([2, 3, 4], dtype), [0, 0, 1], [0, 3]), shape=(1, ITEMS))
    score, parts, _ = model.explain(0, once, itemid=4)
    assert score == pytest.approx(model.recalculate_user(0, once) @ model.item_factors[4], abs=1e-5)
    assert model.explain(0, twice, itemid=4)[:2] == (score, parts)


def test_models_are_saved_and_loaded(counts, model):
    file = io.BytesIO()
    model.save(file)
    file.seek(0)
    for copy in (type(model).load(file), pickle.loads(pickle.dumps(model))):
        assert np.array_equal(copy.item_factors, model.item_factors)
        assert copy.dtype == model.dtype and copy.alpha == model.alpha
        assert np.array_equal(copy.recommend(1, counts[1])[0], model.recommend(1, counts[1])[0])


@pytest.mark.parametrize(
    ("random_state", "kept"),
    [(np.int64(7), 7), (None, None), (np.random.default_rng(1), None), (np.random.RandomState(1), None)],
)
def test_a_saved_model_can_be_loaded_whatever_began_it(counts, tmp_path, random_state, kept):
    """A generator was pickled into the file, which load refuses."""
    model = model_of(random_state=random_state)
    model.fit(counts, show_progress=False)
    model.save(str(tmp_path / "model"))
    loaded = type(model).load(str(tmp_path / "model"))
    assert np.array_equal(loaded.user_factors, model.user_factors)
    assert loaded.random_state == kept


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint8])
def test_ids_have_the_type_of_the_candidates(counts, model, dtype):
    candidates = np.array([9, 4, 11], dtype)
    for ids, _ in (
        model.recommend([0, 5], counts[[0, 5]], items=candidates),
        model.similar_items(4, items=candidates),
        model.similar_users([4], users=candidates),
    ):
        assert ids.dtype == dtype and set(ids.ravel()) == {4, 9, 11}
    assert model.recommend(0, counts[0], items=[4, 9])[0].dtype == np.int64
    assert model.similar_items(4)[0].dtype == model.similar_users(4)[0].dtype == np.int32


def test_a_mask_filters_as_the_numbers_of_its_rows(counts, model):
    mask = np.arange(ITEMS) % 2 == 0
    ids, _ = model.recommend(0, counts[0], N=3, filter_items=mask)
    np.testing.assert_array_equal(ids, model.recommend(0, counts[0], N=3, filter_items=np.flatnonzero(mask))[0])
    assert (ids % 2 == 1).all()
    with pytest.raises(IndexError, match="filter_items: is of dtype bool"):
        model.recommend(0, counts[0], filter_items=mask[:-1])


def test_deprecated_methods_answer_with_a_warning(counts, model):
    assert isinstance(model, RecommenderBase)
    with pytest.warns(DeprecationWarning, match="rank_items is deprecated"):
        ids, scores = model.rank_items(0, None, np.arange(12))
    products = model.user_factors[0].astype(float) @ model.item_factors[:12].T
    np.testing.assert_array_equal(ids, np.argsort(-products, kind="stable")[:10])
    np.testing.assert_allclose(scores, -np.sort(-products)[:10], atol=1e-5)
    with pytest.warns(DeprecationWarning, match="recommend_all is deprecated"):
        ids = model.recommend_all(counts, N=4, filter_items=[3])
    np.testing.assert_array_equal(ids, model.recommend(np.arange(USERS), counts, N=4, filter_items=[3])[0])
    with pytest.warns(DeprecationWarning):
        np.testing.assert_array_equal(
            model.recommend_all(counts[9:], N=4, filter_items=[3], users_items_offset=9), ids[9:]
        )
