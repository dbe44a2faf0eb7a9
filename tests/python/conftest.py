# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of models: small ratings, a model of each kind, and one that the program wrote."""

import functools

import pytest

RANK, LAMBDA = 8, 0.1
KINDS = {
    "explicit": {},
    "biases": {"hyper": {"biases": "on"}},
    "implicit": {"feedback": "implicit", "alpha": 3},
    "weighted": {"feedback": "implicit", "alpha": 3, "hyper": {"regularisation": "weighted"}},
    "direct": {"feedback": "implicit", "alpha": 0.5, "hyper": {"confidence": "direct"}},
}


@pytest.fixture(scope="session")
def ratings():
    import alsbench

    return alsbench.load_ratings(dataset="ml-100k", scale=0.2).matrix


@pytest.fixture(scope="session")
def model_of(ratings):
    """The model of a kind, trained exactly."""
    import alsbench

    @functools.cache
    def trained(kind):
        als = alsbench.ALS(
            rank=RANK, regularization=LAMBDA, iterations=4, device="cpu", pipeline="exact", **KINDS[kind]
        )
        return als.fit(ratings).model_

    return trained


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def folder(program, tmp_path, ratings):
    """train.tsv, of sixty users whose ids are their rows, and the model that the program trained on it."""
    cells = ratings[:60].tocoo()
    lines = (f"{user}\t{item}\t{value}\n" for user, item, value in zip(*cells.coords, cells.data, strict=True))
    (tmp_path / "train.tsv").write_text("".join(lines), encoding="utf-8")
    words = ["--rank", "8", "--lambda", "0.1", "--iterations", "3", "--device", "cpu", "--test-fraction", "0"]
    program.run("train", "--data", tmp_path / "train.tsv", *words, "--out", tmp_path / "model")
    return tmp_path
