# SPDX-License-Identifier: Apache-2.0
"""alsbench: matrix factorization by ALS, and its benchmarks, from Python. docs/reference/python.md is its page."""

from alsbench.errors import MachineError, UsageError
from alsbench.estimator import ALS
from alsbench.model import Evaluation, Model, Ranking, read_model
from alsbench.ratings import Ratings, from_arrow, load_ratings, ratings_of, read_parquet, train_test_split
from alsbench.results import read_result
from alsbench.results.iteration import Iteration
from alsbench.suites import best, compare, run, tune

__all__ = [
    "ALS",
    "Evaluation",
    "Iteration",
    "MachineError",
    "Model",
    "Ranking",
    "Ratings",
    "UsageError",
    "best",
    "compare",
    "from_arrow",
    "load_ratings",
    "ratings_of",
    "read_model",
    "read_parquet",
    "read_result",
    "run",
    "train_test_split",
    "tune",
]
