# SPDX-License-Identifier: Apache-2.0
"""Rows that a model was not trained on: against numpy's solution, against a training's own, and from the command line."""

import dataclasses

import numpy as np
import pytest
import scipy.sparse

import alsbench
from conftest import read_json

FEW = 256  # rows that are solved one by one


@pytest.fixture
def trained(kind, model_of):
    return kind, model_of(kind)


def solution(model, kind, values, fixed, mean):
    """The row that minimises the objective: values of all columns of the other side, 0 where there is no rating."""
    rank, damping = model.rank, model.objective.regularization
    rated = values != 0
    if not rated.any():
        return np.zeros(rank)
    if kind == "explicit":
        y, count = fixed[rated], rated.sum()
        return np.linalg.solve(y.T @ y + damping * count * np.eye(rank), y.T @ values[rated])
    if kind == "biases":  # columns: features, 1, level; the level and the features are sought
        y, count = fixed[rated][:, :-1], rated.sum()
        target = values[rated] - fixed[rated][:, -1] - mean
        x = np.linalg.solve(y.T @ y + damping * count * np.eye(rank - 1), y.T @ target)
        return np.concatenate([x[:-1], [x[-1] + mean, 1]])
    c = np.where(rated, 0.5 * values, 1) if kind == "direct" else 1 + 3 * values
    damping *= rated.sum() if kind == "weighted" else 1
    return np.linalg.solve((fixed.T * c) @ fixed + damping * np.eye(rank), (c * rated) @ fixed)


@pytest.mark.parametrize("count", [1, 40, FEW + 1])
def test_new_users_are_the_solution_of_their_equations(ratings, trained, count):
    kind, model = trained
    users = ratings[:count]
    mean = float(ratings.data.mean())
    fixed = model.item_factors.astype(float)
    expected = np.array([solution(model, kind, row, fixed, mean) for row in users.toarray().astype(float)])
    np.testing.assert_allclose(model.fold_in(users), expected, atol=2e-5 * np.abs(expected).max())


def test_items_are_those_of_the_half_iteration_that_was_the_last(ratings, trained):
    _, model = trained
    items = scipy.sparse.csr_array(ratings.T)
    found = model.fold_in_items(items)
    assert len(found) > FEW
    np.testing.assert_allclose(found, model.item_factors, atol=1e-6 * np.abs(model.item_factors).max())
    few = model.fold_in_items(items[:20])
    np.testing.assert_allclose(few, model.item_factors[:20], atol=2e-5 * np.abs(model.item_factors).max())


def test_models_with_users_replaced_and_added(ratings, trained):
    _, model = trained
    users = len(model.user_factors)
    more = model.with_users([3, users + 1], ratings[[7, 9]])
    folded = model.fold_in(ratings[[7, 9]])
    assert more.user_factors.shape == (users + 2, model.rank)
    np.testing.assert_array_equal(more.user_factors[[3, users + 1]], folded)
    np.testing.assert_array_equal(more.user_factors[4:users], model.user_factors[4:])
    assert more.cold_users[users] and not more.cold_users[users + 1]
    ids, _ = more.recommend(users + 1, ratings[[9]], N=4)
    assert len(set(ids) - set(ratings[[9]].indices)) == 4


def test_a_row_that_is_named_twice_is_refused(ratings, trained):
    _, model = trained
    with pytest.raises(alsbench.UsageError, match="rows: row 3 is there twice; give each once"):
        model.with_users([3, 4, 3], ratings[[7, 9, 8]])


def test_a_user_may_bring_a_dense_row_or_one_of_the_matrix(ratings, trained):
    """with_users took what fold_in takes, and raised AttributeError at its end."""
    _, model = trained
    row, place = ratings[[7]], len(model.user_factors)
    dense = np.where(row.toarray() == 0, np.nan, row.toarray())
    expected = model.with_users([place], row)
    for given in (dense, scipy.sparse.csr_array(ratings)[7]):
        np.testing.assert_array_equal(model.fold_in(given), model.fold_in(row))
        more = model.with_users([place], given)
        np.testing.assert_array_equal(more.user_factors, expected.user_factors)
        np.testing.assert_array_equal(more.cold_users, expected.cold_users)


def test_what_cannot_be_folded_in_is_refused(ratings, trained):
    _, model = trained
    with pytest.raises(alsbench.UsageError, match="user_items: is 2 x 5"):
        model.fold_in(ratings[:2, :5])
    unknown = dataclasses.replace(model, objective=None)
    with pytest.raises(alsbench.UsageError, match="does not know what it minimised"):
        unknown.fold_in(ratings[:2])


@pytest.mark.parametrize("count", [1, FEW + 1])
def test_a_count_below_0_is_refused_as_in_training(ratings, trained, count):
    """Of explicit feedback it is a rating, and of direct confidences a dislike."""
    kind, model = trained
    users = ratings[:count].copy()
    users.data[2] = -3
    if kind in ("explicit", "biases", "direct"):
        assert np.isfinite(model.fold_in(users)).all()
        return
    for ask in (lambda: model.fold_in(users), lambda: model.explain(0, users[[0]])):
        with pytest.raises(
            alsbench.UsageError, match=r"rating.* -3; implicit feedback counts what users did, from 0 on"
        ):
            ask()


def test_equations_without_a_solution_are_refused(ratings, model_of):
    model = model_of("explicit")
    free = dataclasses.replace(model, objective=dataclasses.replace(model.objective, regularization=0.0))
    items = ratings[[0]].indices[:3]
    row = scipy.sparse.csr_array((np.ones(3, np.float32), items, [0, 3]), shape=(1, ratings.shape[1]))
    with pytest.raises(alsbench.UsageError, match="of 1 of 1 rows have no solution; use a larger lambda"):
        free.fold_in(row)


def write(path, cells):
    path.write_text("".join(f"{user}\t{item}\t{value}\n" for user, item, value in cells), encoding="utf-8")


def cells_of(ratings, row, name):
    return [(name, item, value) for item, value in zip(ratings[[row]].indices, ratings[[row]].data)]


def fold_in(program, folder, *options):
    files = ["--model", folder / "model", "--data", folder / "new.tsv", "--out", folder / "more"]
    return program.run("fold-in", *options, *files, "--device", "cpu")


def test_the_command_adds_users_and_replaces_others(program, folder, ratings):
    new = cells_of(ratings, 70, 9001) + cells_of(ratings, 5, 5)[:4] + [(9001, 777777, 3)]
    write(folder / "new.tsv", new)
    result = fold_in(program, folder)
    assert "1 users replaced, 1 added" in result.stderr
    assert "left out: the model has no factors of their items" in result.stderr
    before, after = alsbench.read_model(folder / "model"), alsbench.read_model(folder / "more")
    assert after.users == (*before.users, "9001") and after.items == before.items
    place = {item: column for column, item in enumerate(before.items)}
    rows = {"5": {}, "9001": {}}
    for user, item, value in new:
        if str(item) in place:
            rows[str(user)][place[str(item)]] = value
    matrix = np.zeros((2, len(place)), np.float32)
    for row, user in enumerate(rows):
        matrix[row, list(rows[user])] = list(rows[user].values())
    folded = before.fold_in(scipy.sparse.csr_array(matrix))
    places = [before.users.index("5"), len(before.users)]
    np.testing.assert_array_equal(after.user_factors[places], folded)
    record = read_json(folder / "more" / "record.json")
    (told,) = record["fold_ins"]
    assert (told["side"], told["added"], told["replaced"]) == ("users", 1, 1)
    assert told["ratings"] == len(rows["5"]) + len(rows["9001"])
    table = program.run("recommend", "--model", folder / "more", "-k", "2", "--device", "cpu").stdout
    assert "\n9001\t1\t" in table


def test_the_command_adds_items(program, folder, ratings):
    write(folder / "new.tsv", [(user, 99555, 1 + user % 5) for user in range(20)])
    fold_in(program, folder, "--items")
    before, after = alsbench.read_model(folder / "model"), alsbench.read_model(folder / "more")
    assert after.items == (*before.items, "99555") and after.users == before.users
    row = np.zeros((1, len(before.users)), np.float32)
    row[0, [before.users.index(str(user)) for user in range(20)]] = [1 + user % 5 for user in range(20)]
    np.testing.assert_array_equal(after.item_factors[-1], before.fold_in_items(scipy.sparse.csr_array(row))[0])


def test_the_command_refuses_ratings_of_unknown_items(program, folder):
    write(folder / "new.tsv", [(1, 777777, 3), (2, 777778, 4)])
    result = program.run(
        "fold-in", "--model", folder / "model", "--data", folder / "new.tsv", "--out", folder / "more", code=2
    )
    assert "none of its 2 items is in the model" in result.stderr
    assert not (folder / "more").exists()
