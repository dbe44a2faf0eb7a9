# SPDX-License-Identifier: Apache-2.0
"""alsbench.ALS as its users meet it: the bits of the command line, scikit-learn's checks, errors, Ctrl-C."""

import concurrent.futures
import dataclasses
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pandas
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

import alsbench
from alsbench.ratings import to_native


@pytest.fixture(scope="module")
def ratings():
    return alsbench.load_ratings(dataset="ml-100k", scale=0.2)


def small(**parameters):
    return alsbench.ALS(**{"rank": 8, "iterations": 3, "device": "cpu", **parameters})


@pytest.mark.parametrize(
    ("words", "parameters"),
    [
        ([], {}),
        (["--pipeline", "exact"], {"pipeline": "exact"}),  # OpenBLAS solves
        (["--no-tuned", "--lambda", "0.2"], {"tuned": False, "regularization": 0.2}),
        (["--feedback", "implicit", "--alpha", "10"], {"feedback": "implicit", "alpha": 10}),
        (["--algorithm", "sgd", "--hyper", "rate=0.01"], {"algorithm": "sgd", "hyper": {"rate": 0.01}}),
    ],
)
def test_a_model_has_the_bits_of_the_command_line(program, tmp_path, ratings, words, parameters):
    scipy.sparse.save_npz(tmp_path / "ratings.npz", scipy.sparse.csr_matrix(ratings.matrix))
    arguments = ["--rank", "8", "--iterations", "3", "--seed", "7", "--device", "cpu", "--test-fraction", "0"]
    program.run("train", "--data", tmp_path / "ratings.npz", *arguments, *words, "--out", tmp_path / "model")
    als = small(random_state=7, **parameters).fit(ratings.matrix)
    assert np.array_equal(als.user_factors_, np.load(tmp_path / "model" / "x.npy"))
    assert np.array_equal(als.item_factors_, np.load(tmp_path / "model" / "theta.npy"))
    read = alsbench.read_model(tmp_path / "model")
    assert read.cold_prediction == als.model_.cold_prediction
    assert np.array_equal(read.cold_items, als.model_.cold_items)


def test_recommendations_and_predictions_are_those_of_the_command_line(program, tmp_path, ratings):
    scipy.sparse.save_npz(tmp_path / "ratings.npz", scipy.sparse.csr_matrix(ratings.matrix))
    words = ["--test-fraction", "0", "--rank", "8", "--device", "cpu", "--out", tmp_path / "model"]
    program.run("train", "--data", tmp_path / "ratings.npz", *words)
    model = alsbench.read_model(tmp_path / "model")
    table = program.run(
        "recommend", "--model", tmp_path / "model", "--seen", tmp_path / "ratings.npz", "-k", "4"
    ).stdout
    lines = [line.split("\t") for line in table.splitlines()[1:]]
    users = np.array(sorted({int(line[0]) for line in lines}))
    items, scores = model.recommend(users, ratings.matrix[users], N=4)
    assert items.ravel().tolist() == [int(line[2]) for line in lines]
    assert scores.ravel().tolist() == [np.float32(line[3]) for line in lines]
    (tmp_path / "pairs.tsv").write_text("0\t5\n3\t1\n")
    table = program.run("predict", "--model", tmp_path / "model", "--pairs", tmp_path / "pairs.tsv").stdout
    assert [np.float32(line.split("\t")[2]) for line in table.splitlines()[1:]] == model.predict(
        [0, 3], [5, 1]
    ).tolist()


ROWS_ARE_USERS = "rows are users by their place, not samples that can be left out or exchanged"
A_MATRIX = "the predictions of a row are those of its items, not one number"


@parametrize_with_checks(
    [alsbench.ALS(rank=4, iterations=2, device="cpu")],
    expected_failed_checks=lambda _: {
        "check_methods_sample_order_invariance": ROWS_ARE_USERS,
        "check_methods_subset_invariance": ROWS_ARE_USERS,
        "check_fit_idempotent": ROWS_ARE_USERS,
        "check_estimator_sparse_array": A_MATRIX,
        "check_estimator_sparse_matrix": A_MATRIX,
    },
)
def test_scikit_learn_finds_an_estimator(estimator, check):
    check(estimator)


def test_arrays_are_not_copied(ratings):
    seen = to_native(ratings.matrix, "X")
    assert np.shares_memory(seen.data, ratings.matrix.data)
    assert np.shares_memory(seen.indices, ratings.matrix.indices)
    als = small().fit(ratings.matrix)
    assert np.shares_memory(als.user_factors_, als.model_._user_side.factors)


def test_a_dense_array_has_ratings_where_it_is_not_nan(ratings):
    dense = np.full(ratings.matrix.shape, np.nan)
    rows = np.repeat(np.arange(ratings.matrix.shape[0]), np.diff(ratings.matrix.indptr))
    dense[rows, ratings.matrix.indices] = ratings.matrix.data
    a, b = small().fit(dense), small().fit(ratings.matrix)
    assert np.array_equal(a.item_factors_, b.item_factors_)
    predictions = a.predict(dense)
    assert np.array_equal(np.isnan(predictions), np.isnan(dense))
    assert np.array_equal(predictions[rows, ratings.matrix.indices], b.predict(ratings.matrix).data)


def test_score_is_minus_the_rmse_of_predictions(ratings):
    als = small().fit(ratings.matrix, test=ratings.test)
    errors = als.predict(ratings.test).data.astype(float) - ratings.test.data
    assert als.score(ratings.test) == pytest.approx(-np.sqrt(np.mean(errors**2)), rel=1e-6)
    assert als.score(ratings.test) == pytest.approx(-als.iterations_[-1].test_metric, rel=1e-6)


def test_similar_items_have_the_largest_cosines(ratings):
    als = small().fit(ratings.matrix)
    factors = als.item_factors_[~als.model_.cold_items].astype(float)
    unit = factors / np.linalg.norm(factors, axis=1, keepdims=True)
    item = np.flatnonzero(~als.model_.cold_items)[2]
    items, scores = als.similar_items(item, N=5)
    assert items[0] == item
    assert scores == pytest.approx(np.sort(unit @ unit[2])[::-1][:5], abs=1e-5)


def test_no_cosine_is_above_1():
    """Though the squares of a row of length 1 in float32 may add up to more."""
    direction = np.random.default_rng(1).random((1, 24), np.float32)
    factors = np.linspace(0.1, 3, 200, dtype=np.float32)[:, None] * direction
    factors[::2] *= -1
    warm = np.zeros(len(factors), bool)
    model = alsbench.Model(factors, factors, warm, warm, "explicit", 3.0, device="cpu")
    _, scores = model.similar_items(np.arange(len(factors)), N=len(factors))
    assert scores.max() == 1 and scores.min() == -1


@pytest.mark.parametrize("side", ["user", "item"])
def test_biases_make_nobody_alike(ratings, side):
    """They are the last two columns of the factors."""
    als = small(hyper={"biases": "on"}).fit(ratings.matrix)
    cold = getattr(als.model_, f"cold_{side}s")
    factors = getattr(als, f"{side}_factors_")[~cold, :-2].astype(float)
    unit = factors / np.linalg.norm(factors, axis=1, keepdims=True)
    _found, scores = getattr(als, f"similar_{side}s")(np.flatnonzero(~cold)[2], N=5)
    assert scores == pytest.approx(np.sort(unit @ unit[2])[::-1][:5], abs=1e-5)


def test_a_user_may_be_asked_for_twice(ratings):
    als = small().fit(ratings.matrix)
    items, scores = als.recommend([3, 5, 3], ratings.matrix[[3, 5, 3]], N=5)
    assert np.array_equal(items[0], items[2]) and np.array_equal(scores[0], scores[2])
    assert np.array_equal(items[1], als.recommend([5], ratings.matrix[[5]], N=5)[0][0])


def test_one_user_may_bring_a_row_of_the_matrix(ratings):
    """`matrix[user]` of a csr_array has one dimension, that of a csr_matrix two."""
    als = small().fit(ratings.matrix)
    first, scores = als.recommend(3, ratings.matrix[3], N=5)
    assert first.shape == scores.shape == (5,)
    again = als.recommend([3], scipy.sparse.csr_matrix(ratings.matrix)[3], N=5)[0]
    assert np.array_equal(first, again[0])


def test_a_model_asks_its_device(tmp_path, ratings):
    als = small().fit(ratings.matrix)
    assert als.model_.device == "cpu"
    for device, error in (("99", alsbench.MachineError), ("gpu", alsbench.UsageError)):
        with pytest.raises(error, match=device):
            dataclasses.replace(als.model_, device=device).recommend(0, filter_already_liked_items=False)
    team = dataclasses.replace(als.model_, device="cpu+cpu")
    expected = als.recommend(0, filter_already_liked_items=False)
    assert np.array_equal(team.recommend(0, filter_already_liked_items=False), expected)


def test_threads_may_ask_a_model_at_once(ratings):
    als = small().fit(ratings.matrix)
    users = np.arange(ratings.matrix.shape[0])
    expected = als.recommend(users, ratings.matrix, N=5)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: als.recommend(users, ratings.matrix, N=5), range(8)))
    assert all(np.array_equal(answer, expected) for answer in answers)


def test_recommend_fills_up_what_is_not_there():
    tiny = alsbench.ratings_of(["a", "a", "b"], [1, 2, 1], [5, 3, 4]).matrix
    als = small(rank=2).fit(tiny)
    items, scores = als.recommend([0, 1], tiny, N=2)
    assert items.tolist() == [[-1, -1], [1, -1]]
    assert np.isneginf(scores[items < 0]).all()
    swapped, _ = als.recommend([1, 0], tiny[[1, 0]], N=2)
    assert swapped.tolist() == items[::-1].tolist()


def test_early_stop_keeps_the_best_iteration(ratings):
    als = small(iterations=50, early_stop=2, keep="best", regularization=1e-4).fit(ratings.matrix, test=ratings.test)
    best = min(als.iterations_, key=lambda iteration: iteration.test_metric)
    assert als.kept_iteration_ == best.iteration
    assert als.n_iter_ == best.iteration + 2
    assert als.score(ratings.test) == pytest.approx(-best.test_metric, rel=1e-6)


def test_callbacks_get_each_iteration_and_may_end_the_training(ratings):
    seen = []
    als = small().fit(ratings.matrix, callback=seen.append)
    assert tuple(seen) == als.iterations_
    assert als.metric_ == "rmse" and seen[0].train_metric > seen[2].train_metric and seen[0].test_metric is None

    class Enough(Exception):
        pass

    def stop(iteration):
        raise Enough(iteration.iteration)

    with pytest.raises(Enough, match="1"):
        als.set_params(rank=4).fit(ratings.matrix, callback=stop)
    assert als.user_factors_.shape[1] == 8  # as fitted before


def test_estimators_are_cloned_and_pickled(ratings):
    als = small(feedback="implicit", alpha=3).fit(ratings.matrix)
    again = pickle.loads(pickle.dumps(als))
    assert again.get_params() == als.get_params()
    assert np.array_equal(again.predict(ratings.test).data, als.predict(ratings.test).data)
    with pytest.raises(NotFittedError):
        clone(als).recommend(0)


def test_a_count_below_0_is_named_by_its_place():
    counts = scipy.sparse.csr_matrix(np.array([[1.0, 2], [3, -4]]))
    good = abs(counts)
    als = small(feedback="implicit")
    for fit, place in ((lambda: als.fit(counts), "matrix"), (lambda: als.fit(good, test=counts), "test matrix")):
        with pytest.raises(alsbench.UsageError, match=f"^row 1, column 1 of the {place} has the value -4; implicit"):
            fit()
    with pytest.raises(alsbench.UsageError, match=r"^row 1: the rating of column 1 is -4; implicit"):
        als.fit(good).model_.fold_in(counts)


def test_implicit_feedback_is_judged_by_its_rankings(ratings):
    als = small(feedback="implicit").fit(ratings.matrix)
    evaluation = als.evaluate(ratings.test, ratings.matrix, k=20)
    assert evaluation.rmse is None
    assert 0 < evaluation.ranking.ndcg <= 1
    with pytest.raises(alsbench.UsageError, match=r"call evaluate\(test, seen\)"):
        als.score(ratings.test)


def csr(data, indices, indptr, shape=(2, 3)):
    matrix = scipy.sparse.csr_array(shape, dtype=np.float32)
    matrix.data, matrix.indices, matrix.indptr = (np.asarray(each) for each in (data, indices, indptr))
    return matrix


ONE = np.float32(1)


def test_a_ranking_that_judges_little_is_doubted(ratings):
    """As by the command: test ratings that were seen were left out, or nobody was ranked, without a word."""
    als = small().fit(ratings.matrix)
    seen = ratings.matrix + scipy.sparse.csr_array(ratings.test * (ratings.test > 4))
    for given, relevant, said in [
        (seen, None, f"{(ratings.test.data > 4).sum()} relevant ratings in test are of cells in seen"),
        (seen, 4.5, "no user is ranked: all relevant test ratings are of cells"),
        (ratings.matrix, 6, "no user is ranked: no test rating is 6 or more; the highest is 5"),
    ]:
        with pytest.warns(UserWarning, match=said) as warned:
            als.evaluate(ratings.test, given, relevant=relevant)
        assert len(warned) == 1 and warned[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        als.evaluate(ratings.test, ratings.matrix)
    with pytest.warns(UserWarning, match="test ratings are of cells that are trained on") as warned:
        als.fit(ratings.matrix, test=ratings.matrix)
    assert warned[0].filename == __file__


@pytest.mark.parametrize(
    ("matrix", "error", "message"),
    [
        (
            csr([ONE, ONE], [2, 1], [0, 2, 2]),
            alsbench.UsageError,
            r"X: row 0, column 1 stands after column 2; call sort_indices",
        ),
        (
            csr([ONE, ONE], [1, 1], [0, 0, 2]),
            alsbench.UsageError,
            r"X: row 1, column 1 is there twice; call sum_duplicates",
        ),
        (csr([np.nan], [1], [0, 0, 1]), alsbench.UsageError, r"X: row 1, column 1 has the value nan"),
        (csr([1e300], [1], [0, 0, 1]), alsbench.UsageError, r"X: row 1, column 1 has the value 1e\+300, which is too"),
        (csr([np.inf], [1], [0, 0, 1]), alsbench.UsageError, r"X: row 1, column 1 has the value inf"),
        (csr([ONE], [3], [0, 1, 1]), alsbench.UsageError, r"X: row 0, column 3 is outside its 2 x 3"),
        (csr([ONE], [1], [0, 2, 1]), alsbench.UsageError, r"X: indptr falls from 2 to 1 at row 1"),
        (csr([1j], [1], [0, 0, 1]), TypeError, r"X: its values are of dtype complex128"),
        (csr([], [], [0, 0, 0]), alsbench.UsageError, r"X: has no ratings"),
        (scipy.sparse.coo_array((2, 3)), TypeError, r"X: is a sparse matrix in coo format; give scipy's CSR"),
        ("ratings.csv", TypeError, r"X: is a str; give scipy's CSR"),
    ],
)
def test_wrong_matrices_are_named_with_place_and_remedy(matrix, error, message):
    with pytest.raises(error, match=message):
        small().fit(matrix)


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"rank": 0}, alsbench.UsageError, "rank == 0, must be >= 1"),
        ({"rank": 2.5}, TypeError, "rank must be an instance of int"),
        ({"regularization": -1}, alsbench.UsageError, "regularization == -1"),
        ({"alpha": 2}, alsbench.UsageError, "explicit feedback has no alpha"),
        ({"feedback": "loud"}, alsbench.UsageError, "loud"),
        ({"algorithm": "asl"}, alsbench.UsageError, "als"),
        ({"pipeline": "exakt"}, alsbench.UsageError, "exact"),
        ({"keep": "best"}, alsbench.UsageError, r"give fit\(X, test="),
        ({"device": "gpu"}, alsbench.UsageError, "gpu"),
        ({"device": "99"}, alsbench.MachineError, "99"),
        ({"device": 0}, TypeError, "device: is 0; give text: .* a CUDA ordinal such as '0'"),
        ({"feedback": None}, TypeError, "feedback: is None; give text: 'explicit' or 'implicit'"),
    ],
)
def test_wrong_parameters_are_named(ratings, parameters, error, message):
    with pytest.raises(error, match=message):
        small(**parameters).fit(ratings.matrix)


def test_wrong_ratings_are_named_before_a_device_that_is_missing(ratings):
    """Which opens while they are checked."""
    twice = ratings.matrix.copy()
    twice.indices[1] = twice.indices[0]
    with pytest.raises(alsbench.UsageError, match="column"):
        small(device="99").fit(twice)


@pytest.mark.parametrize("of", [lambda test: test, lambda test: test.toarray(), scipy.sparse.coo_array])
def test_ratings_in_the_place_of_y_are_refused(ratings, of):
    """They would be dropped in silence."""
    with pytest.raises(TypeError, match=r"y: is a matrix of shape .* call fit\(X, test=test\)"):
        small().fit(ratings.matrix, of(ratings.test))
    with pytest.raises(TypeError, match=r"call score\(test\)"):
        small().fit(ratings.matrix, np.zeros(ratings.matrix.shape[0])).score(ratings.test, of(ratings.test))


def test_rows_outside_the_model_are_refused(ratings):
    als = small().fit(ratings.matrix)
    users = ratings.matrix.shape[0]
    with pytest.raises(alsbench.UsageError, match=rf"userid: row {users} is outside \[0, {users}\)"):
        als.recommend(users, filter_already_liked_items=False)
    with pytest.raises(alsbench.UsageError, match="user_items is needed"):
        als.recommend(0)


def test_other_threads_run_while_a_model_is_trained():
    ratings = alsbench.load_ratings(dataset="ml-100k")
    training = threading.Thread(target=lambda: small(rank=64, iterations=30, pipeline="exact").fit(ratings.matrix))
    training.start()
    turns = 0
    while training.is_alive():
        time.sleep(0.001)
        turns += 1
    assert turns > 40  # one an iteration where the GIL is held meanwhile


FOR_EVER = """
import alsbench
ratings = alsbench.load_ratings(dataset="ml-100k")
try:
    alsbench.ALS(rank=32, iterations=10**9, device="cpu").fit(ratings.matrix, callback=lambda each: print(each.iteration, flush=True))
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_ends_a_training():
    with subprocess.Popen([sys.executable, "-c", FOR_EVER], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "1\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=30)[0].splitlines()[-1] == "interrupted"
    assert process.returncode == 0


DENSE = np.array([[5, 0, 3, 1], [4, 0, 0, 1], [1, 1, 0, 5], [0, 1, 5, 4]], np.float32)


def test_a_masked_cell_is_no_rating():
    masked, plain = small().fit(np.ma.masked_equal(DENSE, 0)), small().fit(np.where(DENSE == 0, np.nan, DENSE))
    assert np.array_equal(masked.user_factors_, plain.user_factors_)
    assert masked.score(np.ma.masked_equal(DENSE, 0)) == plain.score(np.where(DENSE == 0, np.nan, DENSE))


@pytest.mark.parametrize(
    ("given", "remedy"),
    [
        ([[1, 2], [3, 4]], "X: is a list; give scipy's CSR of users x items"),
        (pandas.DataFrame({"user": [1], "item": [2], "rating": [3]}), r"X: is a DataFrame; give ratings_of\("),
        (alsbench.ratings_of([1, 2], [1, 2], [1, 2]), "X: is a Ratings; give its matrix"),
        (scipy.sparse.coo_array(DENSE), "coo format; give scipy's CSR"),
    ],
)
def test_the_remedy_fits_what_was_given(given, remedy):
    with pytest.raises(TypeError, match=remedy):
        small().fit(given)


def test_zeros_of_a_dense_array_are_ratings_and_doubted():
    """In most libraries such an array has no rating there."""
    counts = np.array([[5.0, 0, 0], [0, 0, 3]])
    with pytest.warns(
        UserWarning, match=r"X: 4 of its 6 ratings are 0: .* give scipy.sparse.csr_array\(X\), or NaN"
    ) as said:
        small().fit(counts)
    assert said[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        small().fit(np.where(counts == 0, np.nan, counts))
        small().fit(np.ma.masked_equal(counts, 0))
        small().fit(np.array([[5.0, 0, 0], [1, 2, 0]]))
        small().fit(scipy.sparse.csr_array(counts))


@pytest.mark.parametrize(
    ("name", "ask"),
    [
        ("test", lambda als, X, zeros: als.fit(X, test=zeros)),
        ("test", lambda als, X, zeros: als.score(zeros)),
        ("test", lambda als, X, zeros: als.evaluate(zeros)),
        ("seen", lambda als, X, zeros: als.evaluate(X, seen=zeros)),
        ("user_items", lambda als, X, zeros: als.recommend([0, 1, 2], zeros, N=1)),
        ("user_items", lambda als, X, zeros: als.model_.fold_in(zeros)),
        ("user_items", lambda als, X, zeros: als.model_.explain(0, zeros[:1])),
    ],
)
def test_zeros_are_doubted_wherever_ratings_are_given(name, ask):
    """Of such an array nothing was left to recommend, and users were folded in as if they disliked everything."""
    zeros = np.diag([5.0, 4.0, 3.0])
    X = scipy.sparse.csr_array(zeros)
    als = small().fit(X)
    with pytest.warns(UserWarning, match=rf"{name}: . of its . ratings are 0: .*csr_array\({name}\)") as said:
        ask(als, X, zeros)
    assert said[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        als.predict(zeros)  # asks for all cells
        als.recommend([0, 1, 2], np.where(zeros == 0, np.nan, zeros), N=1)


@pytest.mark.parametrize("parameters", [{"regularization": np.nan}, {"feedback": "implicit", "alpha": float("nan")}])
def test_a_parameter_that_is_no_number_is_named(ratings, parameters):
    """Its factors were not finite, and the pipeline was blamed."""
    with pytest.raises(alsbench.UsageError, match=r"^(regularization|alpha) == nan, must be a number of at least 0"):
        small(**parameters).fit(ratings.matrix)


def test_the_whole_matrix_is_no_row_of_a_user(ratings):
    als = small().fit(ratings.matrix)
    with pytest.raises(alsbench.UsageError, match=r"one row for each of the 1 users .*; give user_items\[userid\]"):
        als.recommend(0, ratings.matrix)


def test_indices_beyond_32_bits_do_not_wrap():
    matrix = scipy.sparse.csr_array(DENSE)
    matrix.indices = matrix.indices.astype(np.int64)
    matrix.indices[0] -= 2**32
    with pytest.raises(alsbench.UsageError, match=r"an index of -429496729\d is outside"):
        small().fit(matrix)


def test_a_model_has_one_rank():
    def model(user_rank, item_rank, cold_items):
        factors = np.ones((3, user_rank), np.float32), np.ones((2, item_rank), np.float32)
        return alsbench.Model(*factors, np.zeros(3, bool), np.zeros(cold_items, bool), "explicit", 1.0, device="cpu")

    assert model(4, 4, 2).predict(0, 1) == 4
    with pytest.raises(alsbench.UsageError, match="feedback: is 'Explicit'; give explicit or implicit"):
        dataclasses.replace(model(4, 4, 2), feedback="Explicit")  # had no RMSE
    with pytest.raises(TypeError, match="device: is 0; give text"):
        dataclasses.replace(model(4, 4, 2), device=0)
    with pytest.raises(alsbench.UsageError, match="user_factors have rank 4, and item_factors 2"):
        model(4, 2, 2)
    with pytest.raises(alsbench.UsageError, match="item_factors and cold_items have shapes"):
        model(4, 4, 3)


@pytest.mark.parametrize(
    "fit", [lambda X: cross_val_score(small(), X, cv=2), lambda X: GridSearchCV(small(), {"rank": [2, 4]}, cv=2).fit(X)]
)
def test_folds_of_users_are_refused(ratings, fit):
    with pytest.raises(ValueError, match=r"alsbench\.search, which leaves out ratings"):
        fit(ratings.matrix)


def test_a_search_finds_what_its_fit_reaches(ratings):
    train, test = alsbench.train_test_split(ratings.matrix, 0.2)
    als = small(iterations=4)
    found = alsbench.search(als, train, test, {"regularization": [0.05, 50.0], "rank": [4, 8]}, seeds=2)
    assert found.best["regularization"] == 0.05 and len(found.trials) == 6 and found.metric == "rmse"
    assert als.rank != found.best["rank"] or als.regularization != 0.05 or not hasattr(als, "model_")
    alone = small(iterations=4).set_params(**found.best).fit(train, test=test)
    assert np.array_equal(found.estimator.user_factors_, alone.user_factors_)
    assert list(found.frame().columns) == ["regularization", "rank", "iterations", "test_metric"]
    for values in ({}, {"rank": []}):
        with pytest.raises(alsbench.UsageError, match="no values to search"):
            alsbench.search(als, train, test, values)


def test_a_search_compares_no_losses_that_weigh_cells_differently(ratings):
    train, test = alsbench.train_test_split(ratings.matrix, 0.2)
    als = small(feedback="implicit", iterations=2)
    with pytest.raises(alsbench.UsageError, match=r'cannot compare values of alpha .* by="ndcg@10"'):
        alsbench.search(als, train, test, {"alpha": [1, 40]})
    with pytest.raises(alsbench.UsageError, match="cannot compare a test loss with a test rmse"):
        alsbench.search(als, train, test, {"feedback": ["implicit", "explicit"]})
    assert alsbench.search(als, train, test, {"alpha": [40], "regularization": [0.1, 1]}).best["alpha"] == 40


def test_a_search_by_a_ranking_finds_what_evaluate_finds_best(ratings):
    train, test = alsbench.train_test_split(ratings.matrix, 0.2)
    als = small(feedback="implicit", iterations=4)
    found = alsbench.search(als, train, test, {"alpha": [0.1, 40]}, by="ndcg@10")
    assert found.metric == "ndcg@10"
    each = {
        alpha: small(feedback="implicit", iterations=4, alpha=alpha).fit(train).evaluate(test, train, 10).ranking.ndcg
        for alpha in (0.1, 40)
    }
    assert [trial.test_metric for trial in found.trials] == [each[0.1], each[40]]
    assert found.best == {"alpha": max(each, key=each.get)} and len(set(each.values())) == 2
    assert found.estimator.evaluate(test, train, 10).ranking.ndcg == max(each.values())
    mixed = alsbench.search(als, train, test, {"feedback": ["implicit", "explicit"]}, by="recall@5", relevant=4)
    best = max(mixed.trials, key=lambda trial: trial.test_metric)
    assert mixed.best == dict(best.values) == {"feedback": mixed.estimator.feedback}
    assert mixed.estimator.evaluate(test, train, 5, 4).ranking.recall == best.test_metric


@pytest.mark.parametrize(
    "options, said",
    [
        ({"by": "auc@10"}, "by auc@10: give precision@K, recall@K, ndcg@K, map@K"),
        ({"by": ""}, "by : give precision@K"),
        ({"by": "ndcg@0"}, "by ndcg@0: give precision@K"),
        ({"by": "ndcg@100000"}, "a search by ndcg@100000: there are [0-9]+ items; give a K from 1 to"),
        ({"by": "ndcg@5", "relevant": 6}, "no user can be ranked: no test rating is 6 or more"),
        ({"relevant": 4}, "relevant 4 is of rankings"),
    ],
)
def test_a_ranking_that_cannot_judge_is_refused(ratings, options, said):
    train, test = alsbench.train_test_split(ratings.matrix, 0.2)
    with pytest.raises(alsbench.UsageError, match=said):
        alsbench.search(small(), train, test, {"rank": [4, 8]}, **options)


FORKED = """
import multiprocessing, sys
import alsbench
matrix = alsbench.load_ratings(dataset="ml-100k", scale=0.05).matrix
alsbench.ALS(rank=4, iterations=1, device="cpu").fit(matrix)
def train(_):
    try:
        alsbench.ALS(rank=4, iterations=1, device="cpu").fit(matrix)
    except alsbench.UsageError as error:
        return str(error)
with multiprocessing.get_context("fork").Pool(1) as pool:
    print(pool.map(train, [0])[0])
"""

DAEMON = """
import threading
import alsbench
matrix = alsbench.load_ratings(dataset="ml-100k").matrix
begun = threading.Event()
als = alsbench.ALS(rank=16, iterations=10**9, device="cpu")
threading.Thread(target=lambda: als.fit(matrix, callback=lambda _: begun.set()), daemon=True).start()
begun.wait()
"""


@pytest.mark.parametrize(("program", "said"), [(FORKED, "get_context('spawn')"), (DAEMON, "")])
def test_forks_and_daemon_threads_end_in_order(program, said):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and said in done.stdout and not done.stderr, done.stderr
