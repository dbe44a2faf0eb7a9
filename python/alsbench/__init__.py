# SPDX-License-Identifier: Apache-2.0
"""alsbench: matrix factorization by ALS, and its benchmarks, from Python. docs/reference/python.md is its page."""

import importlib
from typing import TYPE_CHECKING, Any

from alsbench.errors import MachineError, UsageError

if TYPE_CHECKING:
    from alsbench.estimator import ALS, MemoryPlan
    from alsbench.exchange import factor_tables, read_implicit, read_spark, recommendation_table, write_factors
    from alsbench.model import Evaluation, Explanation, Model, Ranking, read_model
    from alsbench.ratings import Ratings, from_arrow, load_ratings, ratings_of, read_parquet, train_test_split
    from alsbench.results import read_result
    from alsbench.results.records import Iteration
    from alsbench.suites import best, compare, run, tune
    from alsbench.value_search import Search, search

__all__ = [
    "ALS",
    "Evaluation",
    "Explanation",
    "Iteration",
    "MachineError",
    "MemoryPlan",
    "Model",
    "Ranking",
    "Ratings",
    "Search",
    "UsageError",
    "best",
    "compare",
    "factor_tables",
    "from_arrow",
    "load_ratings",
    "ratings_of",
    "read_implicit",
    "read_model",
    "read_parquet",
    "read_result",
    "read_spark",
    "recommendation_table",
    "run",
    "search",
    "train_test_split",
    "tune",
    "write_factors",
]

# Every import waits for its first use: results are read without numpy, scipy and the compiled module, and the command
# comes at once to where Ctrl-C ends it without a traceback.
_MODULES = {
    "ALS": "estimator",
    "MemoryPlan": "estimator",
    "factor_tables": "exchange",
    "read_implicit": "exchange",
    "read_spark": "exchange",
    "recommendation_table": "exchange",
    "write_factors": "exchange",
    "Evaluation": "model",
    "Explanation": "model",
    "Model": "model",
    "Ranking": "model",
    "read_model": "model",
    "Ratings": "ratings",
    "from_arrow": "ratings",
    "load_ratings": "ratings",
    "ratings_of": "ratings",
    "read_parquet": "ratings",
    "train_test_split": "ratings",
    "read_result": "results",
    "Iteration": "results.records",
    "best": "suites",
    "compare": "suites",
    "run": "suites",
    "tune": "suites",
    "Search": "value_search",
    "search": "value_search",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
