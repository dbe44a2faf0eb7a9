#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How well tuned models of alsbench, implicit and cmfrec predict held-out ratings of real sets, by one protocol.

    python3 -m venv VENV && VENV/bin/pip install -r scripts/requirements-peers.txt scikit-learn nanobind-backend
    PYTHONPATH=build/python VENV/bin/python scripts/compare_quality.py --explicit ml-100k=u.data --implicit foursquare=train.txt \\
        --out quality.csv

A file has lines of user, item and rating, with blanks, tabs or commas between; its ratings stay with who runs this.
For each seed a tenth of the ratings is held out to test by and a tenth to choose by. Each tool draws --budget combinations of values,
trains each, and the best by the ratings to choose by is trained again on these, too, and tested. Users and items without a rating to
train on are left out of the test. Explicit ratings are judged by the RMSE. For implicit feedback every rating counts as 1; items that a user has
to train on are not ranked; NDCG, recall and precision are those of the ten best, the mean over users.
All tools rank by the products of their factors in this script, and predict by their own.
"""

import argparse
import csv
import os
import pathlib
import re
import sys
import time
import warnings

import numpy as np
import scipy.sparse

K = 10
METRICS = {"explicit": ("rmse",), "implicit": ("ndcg", "recall", "precision")}
RANKS = (8, 16, 32, 64, 128)


def read(path):
    """Cells of distinct users and items; the last rating of a cell counts."""
    rows = [
        re.split(r"[\s,]+", line.strip())[:3] for line in pathlib.Path(path).read_text().splitlines() if line.strip()
    ]
    users, items = (np.unique([row[i] for row in rows], return_inverse=True)[1] for i in (0, 1))
    cells = {(user, item): float(row[2]) for user, item, row in zip(users, items, rows, strict=True)}
    at = np.array(list(cells), int)
    return at[:, 0], at[:, 1], np.array(list(cells.values()), np.float32)


def split(cells, seed):
    """Matrices to train on, to choose by and to test with."""
    users, items, values = cells
    part = np.random.default_rng(seed).choice(3, len(values), p=(0.8, 0.1, 0.1))
    shape = users.max() + 1, items.max() + 1
    return [
        scipy.sparse.csr_matrix((values[part == i], (users[part == i], items[part == i])), shape=shape)
        for i in range(3)
    ]


def warm(test, train):
    """The test cells of users and items that are trained on."""
    cells = test.tocoo()
    known = (np.diff(train.indptr)[cells.row] > 0) & (
        np.bincount(train.indices, minlength=train.shape[1])[cells.col] > 0
    )
    return cells.row[known], cells.col[known], cells.data[known]


def rmse(predict, train, test):
    users, items, values = warm(test, train)
    return {"rmse": float(np.sqrt(np.mean((predict(users, items).astype(float) - values) ** 2)))}


def ranking(factors, train, test):
    x, y = factors
    users, items, _ = warm(test, train)
    relevant = scipy.sparse.csr_matrix((np.ones(len(users)), (users, items)), shape=test.shape)
    gain = 1 / np.log2(np.arange(2, K + 2))
    sums = np.zeros(3)
    tested = np.flatnonzero(np.diff(relevant.indptr))
    for user in tested:
        scores = y @ x[user]
        scores[train.indices[train.indptr[user] : train.indptr[user + 1]]] = -np.inf
        best = np.argpartition(-scores, K)[:K]
        best = best[np.argsort(-scores[best], kind="stable")]
        own = relevant.indices[relevant.indptr[user] : relevant.indptr[user + 1]]
        hits = np.isin(best, own)
        sums += hits @ gain / gain[: len(own)].sum(), hits.sum() / len(own), hits.mean()
    return dict(zip(METRICS["implicit"], map(float, sums / len(tested)), strict=True))


def between(random, low, high):
    return float(np.exp(random.uniform(np.log(low), np.log(high))))


def alsbench_explicit(random, train, seed, values=None):
    import alsbench

    values = values or {
        "rank": int(random.choice(RANKS)),
        "regularization": between(random, 0.01, 0.3),
        "iterations": 15,
        "hyper": {"biases": "on"},  # as cmfrec has them
    }
    als = alsbench.ALS(**values, random_state=seed, device="cpu").fit(train)
    return values, als.model_.predict


def alsbench_implicit(random, train, seed, values=None):
    import alsbench

    values = values or {
        "rank": int(random.choice(RANKS)),
        "regularization": between(random, 0.001, 1),
        "iterations": 15,
        "alpha": between(random, 0.3, 100),
        "hyper": {"regularisation": "weighted"},
    }
    als = alsbench.ALS(**values, feedback="implicit", random_state=seed, device="cpu").fit(train)
    return values, (als.user_factors_, als.item_factors_)


def implicit_implicit(random, train, seed, values=None):
    from implicit.cpu.als import AlternatingLeastSquares

    values = values or {
        "factors": int(random.choice(RANKS)),
        "regularization": between(random, 0.01, 100),
        "iterations": 15,
        "alpha": between(random, 0.3, 100),
    }
    model = AlternatingLeastSquares(**values, random_state=seed)
    model.fit(train, show_progress=False)
    return values, (model.user_factors, model.item_factors)


def cmfrec_explicit(random, train, seed, values=None):
    from cmfrec import CMF

    values = values or {
        "k": int(random.choice(RANKS)),
        "lambda_": between(random, 0.01, 0.3),
        "niter": 15,
        "scale_lam": True,
    }
    model = CMF(**values, method="als", random_state=seed, verbose=False, nthreads=-1)
    return values, model.fit(train.tocoo()).predict


def cmfrec_implicit(random, train, seed, values=None):
    from cmfrec import CMF_implicit

    values = values or {
        "k": int(random.choice(RANKS)),
        "lambda_": between(random, 0.01, 100),
        "niter": 15,
        "alpha": between(random, 0.3, 100),
    }
    model = CMF_implicit(**values, random_state=seed, verbose=False, nthreads=-1).fit(train.tocoo())
    return values, (model.A_, model.B_)


TOOLS = {
    "explicit": {"alsbench": alsbench_explicit, "cmfrec": cmfrec_explicit},
    "implicit": {"alsbench": alsbench_implicit, "implicit": implicit_implicit, "cmfrec": cmfrec_implicit},
}


def tuned(tool, judge, metric, parts, seed, budget):
    """The test metrics of the best of so many draws, its values, and the seconds of all trainings."""
    train, chosen_by, test = parts
    random, start, trials = np.random.default_rng(seed), time.perf_counter(), []
    for _ in range(budget):
        values, model = tool(random, train, seed)
        trials.append((judge(model, train, chosen_by)[metric], values))
    best = (min if metric == "rmse" else max)(trials, key=lambda trial: trial[0])[1]
    whole = (train + chosen_by).tocsr()
    whole.sort_indices()
    model = tool(random, whole, seed, best)[1]
    return judge(model, whole, test), best, time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for feedback in TOOLS:
        parser.add_argument(f"--{feedback}", metavar="NAME=FILE", action="append", default=[])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--budget", type=int, default=20, help="combinations of values that each tool draws")
    parser.add_argument("--tools", default="alsbench,implicit,cmfrec")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="a row for each set, tool, seed and metric")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with arguments.out.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["set", "feedback", "tool", "seed", "metric", "value", "values", "seconds"])
        for feedback, tools in TOOLS.items():
            judge = rmse if feedback == "explicit" else ranking
            for name, path in (entry.split("=", 1) for entry in getattr(arguments, feedback)):
                users, items, values = read(path)
                cells = users, items, values if feedback == "explicit" else np.ones_like(values)
                for seed in range(arguments.seeds):
                    parts = split(cells, seed)
                    for tool in (each for each in tools if each in arguments.tools.split(",")):
                        found, best, seconds = tuned(
                            tools[tool], judge, METRICS[feedback][0], parts, seed, arguments.budget
                        )
                        for metric, value in found.items():
                            shown = " ".join(
                                f"{key}={each:.4g}" if isinstance(each, float) else f"{key}={each}"
                                for key, each in best.items()
                            )
                            writer.writerow(
                                [name, feedback, tool, seed, metric, f"{value:.5f}", shown, f"{seconds:.1f}"]
                            )
                        file.flush()
                        print(name, feedback, tool, seed, found, file=sys.stderr)


if __name__ == "__main__":
    main()
