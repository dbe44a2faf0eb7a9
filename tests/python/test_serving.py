# SPDX-License-Identifier: Apache-2.0
"""Answers that a service needs of a model: candidates and items left out, and why an item has its score; against numpy in double."""

import numpy as np
import pytest
import scipy.sparse

import alsbench


@pytest.fixture
def model(model_of):
    return model_of("explicit")


def ranked(model, user, without):
    """All items that may be recommended, best first."""
    scores = model.item_factors.astype(float) @ model.user_factors[user].astype(float)
    order = np.argsort(-scores, kind="stable")
    return [item for item in order if item not in without and not model.cold_items[item]]


def test_only_candidates_are_recommended(model, ratings):
    candidates = np.array([3, 50, 7, 120, 31, 90])
    users = [4, 9]
    items, scores = model.recommend(users, ratings[users], N=4, items=candidates)
    for row, user in enumerate(users):
        seen = set(ratings[[user]].indices)
        others = set(range(len(model.item_factors))) - set(candidates)
        expected = ranked(model, user, seen | others)[:4]
        assert list(items[row][: len(expected)]) == expected
        assert (items[row][len(expected) :] == -1).all()
        assert np.isneginf(scores[row][len(expected) :]).all()


def test_items_that_are_left_out_are_not_recommended(model, ratings):
    seen = set(ratings[[4]].indices)
    without = ranked(model, 4, seen)[:3]
    items, _ = model.recommend(4, ratings[[4]], N=5, filter_items=without)
    assert list(items) == ranked(model, 4, seen | set(without))[:5]
    assert list(model.recommend(4, ratings[[4]], N=5)[0]) == ranked(model, 4, seen)[:5], "the model is as it was"


def test_both_filters_hold_together(model, ratings):
    items, _ = model.recommend(4, N=3, filter_already_liked_items=False, items=[5, 6, 7], filter_items=[6])
    assert list(items) == [*ranked(model, 4, set(range(len(model.item_factors))) - {5, 7}), -1]


@pytest.mark.parametrize("name", ["items", "filter_items"])
def test_filters_refuse_items_that_the_model_lacks(model, ratings, name):
    with pytest.raises(alsbench.UsageError, match=f"{name}: row 999999 is outside"):
        model.recommend(4, ratings[[4]], **{name: [1, 999999]})
    with pytest.raises(TypeError, match=f"{name}: is of dtype float64"):
        model.recommend(4, ratings[[4]], **{name: [1.5]})


def parts(model, kind, items, values, factors, item, mean):
    """(base, parts): how the score is made, by the whole inverse."""
    rank, damping, count = model.rank, model.objective.regularization, len(items)
    y = factors[items]
    if kind == "explicit":
        return 0, values * (y @ np.linalg.inv(y.T @ y + damping * count * np.eye(rank)) @ factors[item])
    if kind == "biases":
        level, y, target = y[:, -1], y[:, :-1], factors[item, :-1]
        inverse = np.linalg.inv(y.T @ y + damping * count * np.eye(rank - 1))
        return mean + factors[item, -1], (values - mean - level) * (y @ inverse @ target)
    c = 0.5 * values if kind == "direct" else 1 + 3 * values
    damping *= count if kind == "weighted" else 1
    a = factors.T @ factors + y.T @ ((c - 1)[:, None] * y) + damping * np.eye(rank)
    return 0, c * (y @ np.linalg.inv(a) @ factors[item])


def test_a_score_is_explained_by_the_parts_of_its_ratings(ratings, kind, model_of):
    model = model_of(kind)
    user, item = 11, 40
    rated = ratings[[user]]
    found = model.explain(item, rated)
    factors = model.item_factors.astype(float)
    base, expected = parts(
        model, kind, rated.indices, rated.data.astype(float), factors, item, float(ratings.data.mean(dtype=float))
    )
    assert found.base == pytest.approx(base, rel=1e-6)
    of_item = dict(zip(found.items, found.parts, strict=True))
    np.testing.assert_allclose([of_item[i] for i in rated.indices], expected, rtol=1e-6, atol=1e-9)
    assert list(found.parts) == sorted(found.parts, reverse=True)
    folded = model.fold_in(rated)[0].astype(float)
    assert found.score == pytest.approx(found.base + found.parts.sum())
    assert found.score == pytest.approx(folded @ factors[item], rel=1e-4, abs=1e-5)


def test_what_cannot_be_explained_is_refused(model, ratings):
    with pytest.raises(alsbench.UsageError, match=r"user_items: has 2 rows; give the one of the user"):
        model.explain(3, ratings[:2])
    with pytest.raises(alsbench.UsageError, match="itemid: row -1 is outside"):
        model.explain(-1, ratings[[3]])
    cold = int(np.flatnonzero(model.cold_items)[0]) if model.cold_items.any() else None
    if cold is not None:
        with pytest.raises(alsbench.UsageError, match=f"no factors of item {cold}"):
            model.explain(cold, ratings[[3]])


def table(text):
    return [line.split("\t") for line in text.splitlines()[1:]]


def test_the_command_recommends_among_candidates(program, folder):
    model = alsbench.read_model(folder / "model", device="cpu")
    a, b, c = (model.items[place] for place in (3, 20, 41))
    (folder / "items.txt").write_text(f"{a}\n{b}\n{c}\nunknown\n", encoding="utf-8")
    (folder / "without.txt").write_text(f"{b}\n", encoding="utf-8")
    (folder / "users.txt").write_text("4\n", encoding="utf-8")
    words = ["recommend", "--model", folder / "model", "--device", "cpu", "-k", "5", "--users", folder / "users.txt"]
    row = {item: place for place, item in enumerate(model.items)}

    def expected(only, without):
        chosen = [row[item] for item in only] if only else None
        found, _ = model.recommend(
            model.users.index("4"),
            N=5,
            filter_already_liked_items=False,
            items=chosen,
            filter_items=[row[item] for item in without],
        )
        return [model.items[item] for item in found if item >= 0]

    def items_of(*options):
        return [line[2] for line in table(program.run(*words, *options).stdout)]

    assert items_of("--items", folder / "items.txt") == expected([a, b, c], [])
    assert items_of("--without", folder / "without.txt") == expected(None, [b])
    both = items_of("--items", folder / "items.txt", "--without", folder / "without.txt")
    assert both == expected([a, c], [])
    (folder / "without.txt").write_text("".join(f"{item}\n" for item in model.items), encoding="utf-8")
    refused = program.run(*words, "--without", folder / "without.txt", code=2)
    assert "no item is left to recommend" in refused.stderr


def test_the_command_explains_a_score(program, folder, ratings):
    model = alsbench.read_model(folder / "model", device="cpu")
    words = ["explain", "--model", folder / "model", "--seen", folder / "train.tsv", "--user", "5"]
    result = program.run(*words, "--item", "40", "-k", "3")
    place = {item: row for row, item in enumerate(model.items)}
    own = np.zeros((1, len(place)), np.float32)
    for item, value in zip(ratings[[5]].indices, ratings[[5]].data):
        own[0, place[str(item)]] = value
    expected = model.explain(place["40"], scipy.sparse.csr_array(own))
    lines = table(result.stdout)
    assert [line[0] for line in lines] == [model.items[item] for item in expected.items[:3]]
    np.testing.assert_allclose([float(line[2]) for line in lines], expected.parts[:3])
    assert f"score {expected.score:.6g} of the user folded in: " in result.stderr
    assert "99999 is not in the model" in program.run(*words, "--item", "99999", code=2).stderr
    nobody = program.run(*words[:-1], "nobody", "--item", "40", code=2)
    assert "nobody is not in the model, nor among the users of" in nobody.stderr
