# SPDX-License-Identifier: Apache-2.0
"""search: values of an ALS's parameters by held-out ratings, as `alsbench train --search` finds them."""

import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sklearn.base import clone

from alsbench._libraries import native
from alsbench.doubts import doubt_ratings
from alsbench.errors import UsageError
from alsbench.estimator import ALS, progress_of
from alsbench.results.decode import decode
from alsbench.results.records import Iteration, SearchTrial, ValueSearch


@dataclass(frozen=True)
class Search:
    """Result of a search.

    best: the values of the best candidate.
    estimator: an ALS with them, fitted to all of X.
    trials: in the order that they ran in; the values of each are texts, and its test_metric the mean over the seeds.
    metric: the name of that metric: "rmse", "loss", or that of `by`, of which greater is better.
    """

    best: dict[str, Any]
    estimator: ALS = field(repr=False)
    trials: tuple[SearchTrial, ...] = field(repr=False)
    metric: str

    def frame(self) -> Any:
        """A pandas DataFrame with a row for each trial: its values, iterations and test metric."""
        import pandas

        return pandas.DataFrame(
            [{**t.values, "iterations": t.iterations, "test_metric": t.test_metric} for t in self.trials]
        )


def search(
    als: ALS,
    X: Any,
    test: Any,
    values: Mapping[str, Sequence[Any]],
    *,
    by: str | None = None,
    relevant: float | None = None,
    seeds: int = 1,
    callback: Callable[[Iteration], Any] | None = None,
) -> Search:
    """Trains all combinations of values a little, halves them until one is left, and fits that one.

    als: the other parameters; it is not changed.
    X, test: CSR of users x items, and held-out ratings of the same shape: those of train_test_split.
    values: lists by the name of a parameter of ALS, or of a number of `hyper`.
    by: judges the trials: "ndcg@10", or precision, recall or map of K items, as evaluate(test, X, K) has them; None: the test metric.
    relevant: for `by`, as Model.evaluate takes it.
    seeds: trains each trial from so many random states, and judges their mean.
    callback: gets each Iteration of the last fit.

    >>> import alsbench
    >>> train, test = alsbench.train_test_split(alsbench.load_ratings(dataset="ml-100k", scale=0.1).matrix)
    >>> found = alsbench.search(alsbench.ALS(rank=4, iterations=3, device="cpu"), train, test, {"regularization": [0.05, 50]})
    >>> found.best
    {'regularization': 0.05}

    A model that its test ratings have chosen looks better on them than on others: hold a third part back to judge it.

    Raises UsageError without test ratings or values; for values whose test metrics cannot be compared, such as those of alpha,
    without `by`; for a `by` that is none, or that these ratings have no user for; and what fit raises.
    """
    if not isinstance(seeds, int) or not 1 <= seeds <= 100:
        raise UsageError(f"seeds {seeds!r}: give a whole number from 1 to 100")
    if relevant is not None and by is None:
        raise UsageError(
            f"relevant {relevant!r} is of rankings, which judge nothing here; give by='ndcg@10', or drop it"
        )
    if not values or not all(len(each) for each in values.values()):
        raise UsageError("there are no values to search; give a list for each parameter")
    if test is None:
        raise UsageError("a search judges by test ratings; give those of train_test_split")
    combinations = [dict(zip(values, each)) for each in itertools.product(*values.values())]
    candidates = [_with(als, each) for each in combinations]
    texts = [{name: str(value) for name, value in each.items()} for each in combinations]
    requests = [(list(text.items()), each._request(test)) for text, each in zip(texts, candidates)]
    asked = native.ValueSearch()
    asked.seeds, asked.by, asked.relevant = seeds, by, relevant
    requests[0][1].open_ahead()
    asked.candidates = requests
    ratings, tested = als._checked(X, test)
    if not tested.data.size:
        raise UsageError("test: has no ratings; give at least one")
    trained = native.search(asked, ratings, tested, progress_of(callback))
    record = decode(ValueSearch, json.loads(trained.search), "search")
    index = texts.index(dict(record.best or {}))
    best = candidates[index]
    best._validated(X, reset=True)
    doubt_ratings(ratings, best.feedback, best.rank, best.regularization)
    return Search(combinations[index], best._take(trained), record.trials, record.metric or trained.metric)


def _with(als: ALS, values: Mapping[str, Any]) -> ALS:
    known = als.get_params()
    changed = clone(als)
    changed.set_params(**{name: value for name, value in values.items() if name in known})
    if hyper := {name: value for name, value in values.items() if name not in known}:
        changed.hyper = {**(als.hyper or {}), **hyper}
    return changed
