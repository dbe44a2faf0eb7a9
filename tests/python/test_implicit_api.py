# SPDX-License-Identifier: Apache-2.0
"""alsbench.implicit against plain loops in double over dense matrices, and where it differs from `implicit`."""

import io
import json
import os
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
import scipy.sparse

from alsbench._libraries import native
from alsbench.errors import MachineError, UsageError
from alsbench.implicit import evaluation, gpu
from alsbench.implicit.als import AlternatingLeastSquares
from alsbench.implicit.cpu import als as cpu
from alsbench.implicit.cpu.als import calculate_loss
from alsbench.implicit.cpu.resources import device_named
from alsbench.implicit.recommender_base import ModelFitError, RecommenderBase
from alsbench.implicit.utils import ParameterWarning, confidences

USERS, ITEMS, RANK, LAMBDA = 40, 30, 5, 0.3
LOWEST = -np.finfo(np.float32).max


@pytest.fixture(scope="module")
def counts():
    """Confidences above and below 1, and below 0 where a user does not prefer an item; user 3 and item 7 have none."""
    random = np.random.default_rng(1)
    dense = np.where(random.random((USERS, ITEMS)) < 0.3, random.choice([0.25, 1, 2.5, 8, -0.5, -3], (USERS, ITEMS)), 0)
    dense[3], dense[:, 7] = 0, 0
    return scipy.sparse.csr_matrix(dense.astype(np.float32))


def model_of(**parameters):
    return AlternatingLeastSquares(
        **{
            "factors": RANK,
            "regularization": LAMBDA,
            "iterations": 4,
            "use_cg": False,
            "use_gpu": False,
            "random_state": 5,
            **parameters,
        }
    )


@pytest.fixture(scope="module")
def model(counts):
    model = model_of(alpha=2.0)
    model.fit(counts, show_progress=False)
    return model


@pytest.fixture
def gpu_to_see(monkeypatch):
    """Models of a GPU can be made, also where there is none."""
    monkeypatch.setattr(gpu, "HAS_CUDA", True)


def row_equations(values, fixed, regularization=LAMBDA):
    """A and b of a row: over all columns, those without a value among them."""
    c = np.where(values == 0, 1, np.abs(values))
    a = (fixed.T * c) @ fixed + regularization * np.eye(fixed.shape[1])
    return a, (c * (values > 0)) @ fixed


def solved(values, fixed):
    if not values.any():
        return np.zeros(fixed.shape[1])
    return np.linalg.solve(*row_equations(values, fixed))


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


def test_models_are_saved_and_loaded(counts, model):
    file = io.BytesIO()
    model.save(file)
    file.seek(0)
    for copy in (type(model).load(file), pickle.loads(pickle.dumps(model))):
        assert np.array_equal(copy.item_factors, model.item_factors)
        assert copy.dtype == model.dtype and copy.alpha == model.alpha
        assert np.array_equal(copy.recommend(1, counts[1])[0], model.recommend(1, counts[1])[0])


def test_other_formats_are_converted_with_a_warning(counts):
    with pytest.warns(ParameterWarning, match="coo_matrix is converted"):
        model_of().fit(counts.tocoo(), show_progress=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model_of().fit(scipy.sparse.csr_array(counts), show_progress=False)


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


def test_numbers_of_numpy_train_as_those_of_python(counts):
    given = model_of(
        factors=np.int64(RANK), iterations=np.array(4), regularization=np.array(LAMBDA), num_threads=np.int8(2)
    )
    plain = model_of(num_threads=2)
    for each in (given, plain):
        each.fit(counts, show_progress=False)
    np.testing.assert_array_equal(given.user_factors, plain.user_factors)


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


def test_factors_that_are_not_finite_end_a_fit(counts, model):
    for iterations in (0, 1):
        broken = model_of(use_cg=True, iterations=iterations)
        broken.user_factors = np.where(np.arange(USERS)[:, None] == 6, np.nan, model.user_factors)
        with pytest.raises(ModelFitError, match="row 6"):
            broken.fit(counts, show_progress=False)
    broken.item_factors = np.full((ITEMS, RANK), np.nan)
    with pytest.raises(ModelFitError, match="scores are not finite"):
        broken.recommend(0, counts[0])


def test_explanations_name_a_row_that_is_missing(counts, model):
    """A row of a matrix is its user 0, as in `implicit`."""
    with pytest.raises(IndexError, match="has 1 rows, and none of userid 11"):
        model.explain(11, counts[11], itemid=4)
    with pytest.raises(IndexError, match="none of userid -1"):
        model.explain(-1, counts, itemid=4)
    assert model.explain(0, counts[11], itemid=4)[:2] == model.explain(11, counts, itemid=4)[:2]


class Fixed:
    """Recommends the same items to everyone, in rows of its own."""

    def __init__(self, ids):
        self.ids = ids

    def recommend(self, users, user_items, N):
        assert user_items.shape[0] == len(users)
        return self.ids[users, :N], None


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


@pytest.mark.usefixtures("gpu_to_see")
def test_factors_of_a_gpu_model_are_arrays_with_to_numpy(model):
    moved = gpu.als.AlternatingLeastSquares(factors=RANK)
    moved.user_factors = model.user_factors
    assert isinstance(moved.user_factors, gpu.Matrix) and isinstance(moved.user_factors, np.ndarray)
    plain = moved.user_factors.to_numpy()
    assert type(plain) is np.ndarray and not np.shares_memory(plain, moved.user_factors)
    assert isinstance(moved.user_norms, gpu.Matrix) and isinstance(moved.XtX, gpu.Matrix)
    assert not isinstance(moved.user_factors.max(), np.ndarray)
    assert type(moved.to_cpu().user_factors) is np.ndarray
    assert not np.shares_memory(moved.to_cpu().user_factors, moved.user_factors)
    np.testing.assert_array_equal(gpu.Matrix([[1, 2]]).to_numpy(), [[1, 2]])


@pytest.mark.usefixtures("gpu_to_see")
def test_a_gpu_model_leaves_confidences_below_one_to_the_cpu(counts, caplog):
    arguments = {"factors": RANK, "regularization": LAMBDA, "iterations": 2, "random_state": 5}
    on_gpu, on_cpu = gpu.als.AlternatingLeastSquares(**arguments), AlternatingLeastSquares(**arguments, use_gpu=False)
    on_gpu.cg_steps = on_cpu.cg_steps = 5
    with caplog.at_level("INFO", "alsbench.implicit"):
        on_gpu.fit(counts, show_progress=False)
    assert "below 1 are trained on the CPU" in caplog.text
    on_cpu.fit(counts, show_progress=False)
    np.testing.assert_array_equal(on_gpu.user_factors, on_cpu.user_factors)
    np.testing.assert_array_equal(on_gpu.recalculate_user(0, counts[[0]]), on_cpu.recalculate_user(0, counts[[0]]))
    for model in (on_gpu, on_cpu):
        model.regularization = 2 * LAMBDA
    np.testing.assert_array_equal(
        on_gpu.recalculate_item(0, counts.T.tocsr()[[0]]), on_cpu.recalculate_item(0, counts.T.tocsr()[[0]])
    )


@pytest.mark.usefixtures("gpu_to_see")
@pytest.mark.parametrize("below", [True, False])
def test_a_gpu_model_computes_confidences_once_to_fold_in(monkeypatch, model, counts, below):
    on_gpu = gpu.als.AlternatingLeastSquares(factors=RANK, alpha=1.0)
    on_gpu.user_factors, on_gpu.item_factors = model.user_factors, model.item_factors
    computed, folded = [], []
    monkeypatch.setattr(cpu, "confidences", lambda *of: computed.append(of) or confidences(*of))
    monkeypatch.setattr(cpu, "device_named", lambda *of: folded.append(of[0]) or device_named("cpu"))
    on_gpu.recalculate_user(0, counts[[0]] if below else abs(counts[[0]]).ceil())
    assert len(computed) == 1 and folded == ["cpu" if below else "0"]


@pytest.mark.usefixtures("gpu_to_see")
@pytest.mark.parametrize(
    "values, alpha, below",
    [
        ([49.0, 98.0], 1 / 49, False),  # just below 1 in double, 1 in float
        (np.array([1, 100], np.int8), 300, False),  # too large for that type
        ([-2.0, 3.0], 1, True),
        ([-2.0, 3.0], -1, True),
        ([2.0, 0.0], 1, True),
    ],
)
def test_a_gpu_asks_the_confidences_that_it_trains(values, alpha, below):
    matrix = scipy.sparse.csr_matrix((np.asarray(values), [0, 1], [0, 2]), shape=(1, 2))
    model = gpu.als.AlternatingLeastSquares(alpha=alpha)
    assert model._problem(matrix)[3] == ("cpu" if below else "0")
    request = model._request(matrix)  # nothing starts CUDA for the CPU
    assert request.opens_ahead != below
    request.device = "cpu"
    assert not request.opens_ahead


@pytest.mark.usefixtures("gpu_to_see")
@pytest.mark.parametrize("parameters", [{"use_gpu": False}, {"use_gpu": True, "iterations": 0}])
def test_a_fit_without_a_gpu_starts_none(counts, parameters):
    assert not model_of(**{"use_cg": True, **parameters})._request(abs(counts).ceil()).opens_ahead


@pytest.mark.skipif(gpu.HAS_CUDA, reason="there is a GPU")
def test_a_gpu_that_is_missing_is_said_at_once(counts, model):
    for make in (model.to_gpu, gpu.als.AlternatingLeastSquares, lambda: model_of(use_gpu=True)):
        with pytest.raises(ValueError, match="no GPU here that CUDA sees"):
            make()


@pytest.mark.skipif(gpu.HAS_CUDA, reason="there is a GPU")
@pytest.mark.usefixtures("gpu_to_see")
def test_a_fit_on_a_gpu_that_went_missing_says_so(counts):
    with pytest.raises(MachineError, match="CUDA"):
        gpu.als.AlternatingLeastSquares(factors=RANK).fit(abs(counts).ceil(), show_progress=False)


def test_norms_and_scores_of_halves_are_float32(model):
    halves = model_of()
    halves.user_factors, halves.item_factors = (f.astype(np.float16) for f in (model.user_factors, model.item_factors))
    ids, scores = halves.similar_items(1, N=3)
    assert ids[0] == 1 and scores.dtype == np.float32
    assert scores[0] == pytest.approx(1, abs=1e-6)
    wide = halves.item_factors.astype(np.float32)
    np.testing.assert_allclose(halves.item_norms, np.linalg.norm(wide, axis=1).clip(1e-10), rtol=1e-6)
    np.testing.assert_allclose(halves.YtY, wide.T @ wide, rtol=1e-5)


@pytest.mark.usefixtures("gpu_to_see")
@pytest.mark.parametrize(
    "cells, steps, pipeline", [(10, 3, "cg:steps=3"), (2_000_000, 3, ""), (2_000_000, 4, "cg:steps=4")]
)
def test_a_gpu_trains_the_weights_of_confidences(monkeypatch, cells, steps, pipeline):
    """Also on a host with AMX tiles."""
    monkeypatch.setattr(native, "has_tiles", lambda: True)
    matrix = scipy.sparse.csr_matrix(np.full((1, cells), 2, np.float32))
    model = gpu.als.AlternatingLeastSquares(factors=RANK, alpha=1.5)
    model.cg_steps = steps
    ratings, hyper, pipelines, _ = model._problem(matrix)
    assert hyper == "alpha=1" and (np.asarray(ratings.data) == 2).all()  # c = 3 = 1 + 2
    assert pipeline in pipelines.get("", "")
    assert bool(pipelines) == bool(pipeline)
