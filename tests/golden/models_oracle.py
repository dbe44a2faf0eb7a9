# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of models: ratings, a model of them, and what it must answer, by numpy in double."""

import math
import shutil

import numpy
import pytest

from conftest import Program, read_json

USERS, ITEMS, RANK = 60, 40, 4
TRAIN = ["--rank", RANK, "--lambda", "0.05", "--iterations", "3", "--device", "cpu", "--no-tuned"]


def ratings():
    """(user, item, rating) for training and for test; the test has users and items that training lacks."""
    generator = numpy.random.default_rng(5)
    x, theta = generator.normal(0, 0.8, (USERS, 3)), generator.normal(0, 0.8, (ITEMS, 3))
    train, test = [], []
    for user, item in numpy.ndindex(USERS, ITEMS):
        if generator.random() < 0.4:
            rating = round(float(numpy.clip(3 + x[user] @ theta[item], 0.5, 5)) * 2) / 2
            held_out = generator.random() < 0.2
            (test if held_out else train).append((100 + user, 7 * item, rating))
    test += [(9000, 0, 4.0), (100, 9001, 2.0), (9000, 9001, 1.0)]
    return train, test


def text(cells, separator=","):
    return "".join(separator.join(map(str, cell)) + "\n" for cell in cells)


class Oracle:
    """A model as docs/reference/models.md describes it, in plain Python."""

    def __init__(self, folder):
        self.x, self.theta = (numpy.load(folder / f"{part}.npy").astype(float) for part in ("x", "theta"))
        self.users, self.items = ((folder / f"{side}.txt").read_text().split("\n")[:-1] for side in ("users", "items"))
        self.cold = read_json(folder / "record.json")["prediction"]["cold"]

    def factors(self, matrix, ids, name):
        row = matrix[ids.index(str(name))] if str(name) in ids else numpy.zeros(matrix.shape[1])
        return row if row.any() else None

    def predict(self, user, item):
        x, theta = self.factors(self.x, self.users, user), self.factors(self.theta, self.items, item)
        return self.cold if x is None or theta is None else float(x @ theta)

    def ranked(self, user, seen):
        """(score, item) of what may be recommended, best first."""
        x = self.factors(self.x, self.users, user)
        candidates = [
            (float(x @ theta), item)
            for theta, item in zip(self.theta, self.items, strict=True)
            if theta.any() and item not in seen
        ]
        return sorted(candidates, key=lambda candidate: -candidate[0])


def by_user(cells):
    found = {}
    for user, item, rating in cells:
        found.setdefault(str(user), {})[str(item)] = rating
    return found


@pytest.fixture(scope="module")
def trained_program(tmp_path_factory):
    """The program in a folder with ratings, and the model that it trained on them."""
    program = Program(tmp_path_factory.mktemp("models"))
    train, test = ratings()
    (program.folder / "train.csv").write_text(text(train))
    (program.folder / "test.csv").write_text(text(test))
    program.trained = program.run("train", "--data", "train.csv", "--test", "test.csv", *TRAIN, "--out", "model")
    return program


@pytest.fixture
def copy(trained_program):
    """The model in a folder of the test's own."""
    folder = trained_program.folder / "copy"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(trained_program.folder / "model", folder)
    return folder


def numbers(output):
    return {name: float(value) for name, value in (line.split(" ") for line in output.splitlines())}


def evaluate(program, *arguments):
    return numbers(program.run("evaluate", *arguments).stdout)


def ranking(oracle, train, test, k, least):
    """Means over the users by their definitions: precision, recall, NDCG, MAP; and the number of users."""
    seen, sums, users = by_user(train), numpy.zeros(4), 0
    for user, cells in by_user(test).items():
        relevant = {item for item, rating in cells.items() if rating >= least}
        if not relevant or oracle.factors(oracle.x, oracle.users, user) is None:
            continue
        users += 1
        hits = [item in relevant for _, item in oracle.ranked(user, seen.get(user, {}))[:k]]
        gains = [1 / math.log2(place + 2) for place in range(k)]
        precisions = [sum(hits[: place + 1]) / (place + 1) for place, hit in enumerate(hits) if hit]
        sums += [
            sum(hits) / k,
            sum(hits) / len(relevant),
            sum(gain for gain, hit in zip(gains, hits, strict=False) if hit) / sum(gains[: len(relevant)]),
            sum(precisions) / min(k, len(relevant)),
        ]
    return sums / users, users


def predicted(program, model, pairs, *more):
    return program.run("predict", "--model", model, "--pairs", pairs, *more).stdout.splitlines()


def recommended(program, *arguments):
    header, *lines = program.run("recommend", *arguments).stdout.splitlines()
    assert header.split("\t") == ["user", "rank", "item", "score"]
    found = {}
    for line in lines:
        user, rank, item, score = line.split("\t")
        found.setdefault(user, []).append((float(score), item))
        assert int(rank) == len(found[user])
    return found
