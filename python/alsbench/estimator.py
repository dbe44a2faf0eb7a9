# SPDX-License-Identifier: Apache-2.0
"""ALS: matrix factorization as an estimator of scikit-learn, with the questions that users of `implicit` ask."""

import json
import numbers
import os
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator
from sklearn.utils import check_scalar
from sklearn.utils.validation import check_is_fitted, validate_data

from alsbench._libraries import native
from alsbench.doubts import doubt, doubt_iterations, doubt_ratings, doubt_test
from alsbench.errors import UsageError
from alsbench.model import Evaluation, Model, model_of
from alsbench.ratings import dense_of, to_native
from alsbench.results.decode import decode
from alsbench.results.records import Iteration


@dataclass(frozen=True)
class MemoryPlan:
    """Bytes that a training would take. Scratch memory of vendors' libraries and of a CPU's threads is not known.

    device: its name. free_bytes: of its memory, or of the host's where it is a CPU.
    device_bytes: that the training takes there, or would take where it does not fit.
    on_device, host: by what they are for, the largest first.
    fits, streams: whether it fits, and whether some ratings are read from the host again and again.
    largest_rank: that fits, up to 1024 or the model's own; 0: none.
    """

    device: str
    free_bytes: int
    device_bytes: int
    on_device: dict[str, int]
    host: dict[str, int]
    fits: bool
    streams: bool
    largest_rank: int


class ALS(BaseEstimator):
    """Factorizes a matrix of ratings, in this process, as `alsbench train` does: equal arguments give equal bits.

    Parameters
    ----------
    rank: the number of factors of a row.
    regularization: lambda, weighted by each row's number of ratings, but plain of implicit feedback.
    feedback: what ratings are: opinions ("explicit"), or counts of what users did ("implicit").
    alpha: of implicit feedback: the confidence in a rating r is 1 + alpha r; None is 40.
    iterations: at most this many.
    device: "auto" (the first GPU, else the CPU), "cpu", a CUDA ordinal such as "0", or a team such as "0+1".
        The model finds and ranks items there, too.
    random_state: the seed, a whole number from 0 to 2^64 - 1.
    algorithm: another one for the feedback, such as "sgd"; None is ALS.
    hyper: further numbers of the algorithm by name (`alsbench train --hyper`).
    pipeline: the pipeline that updates the model, or a dict with that of each part; None asks the tuning database.
    tuned: whether the tuning database is asked; where not, rules choose.
    keep: the model of which iteration: "last", or "best" by the test ratings.
    early_stop: stop after so many iterations without a lower test metric; None: never.

    Attributes
    ----------
    model_: Model, with the factors.
    user_factors_, item_factors_: float32, users x rank and items x rank, read-only.
    iterations_: a tuple of Iteration. n_iter_: how many.
    kept_iteration_: whose factors the model has.
    algorithm_, metric_, pipelines_, device_: what trained, the name of the metric, the pipeline of each part, and where.
    n_features_in_: the number of items.

    >>> import alsbench
    >>> ratings = alsbench.load_ratings(dataset="ml-100k", scale=0.1)
    >>> als = alsbench.ALS(rank=8, iterations=5, device="cpu").fit(ratings.matrix)
    >>> als.user_factors_.shape
    (298, 8)
    >>> items, scores = als.recommend(0, ratings.matrix[[0]], N=3)
    >>> items.shape
    (3,)
    """

    def __init__(
        self,
        rank: int = 100,
        regularization: float = 0.05,
        feedback: Literal["explicit", "implicit"] = "explicit",
        alpha: float | None = None,
        iterations: int = 10,
        device: str = "auto",
        *,
        random_state: int = 42,
        algorithm: str | None = None,
        hyper: Mapping[str, Any] | None = None,
        pipeline: str | Mapping[str, str] | None = None,
        tuned: bool = True,
        keep: Literal["last", "best"] = "last",
        early_stop: int | None = None,
    ) -> None:
        self.rank = rank
        self.regularization = regularization
        self.feedback = feedback
        self.alpha = alpha
        self.iterations = iterations
        self.device = device
        self.random_state = random_state
        self.algorithm = algorithm
        self.hyper = hyper
        self.pipeline = pipeline
        self.tuned = tuned
        self.keep = keep
        self.early_stop = early_stop

    def fit(
        self, X: Any, y: Any = None, *, test: Any = None, callback: Callable[[Iteration], Any] | None = None
    ) -> Self:
        """Trains on the ratings X.

        X: CSR of users x items (alsbench.ratings), or a dense array with NaN where there is no rating. float32 is not copied.
        y: not used; what looks like test ratings there is refused.
        test: CSR of X's shape with ratings that each iteration is judged by.
        callback: gets each Iteration when it is done; what it raises ends the training. Ctrl-C ends it after the iteration under way.
        The GIL is released. An earlier fit stays where the training does not end.

        Cross-validation and searches of scikit-learn leave out rows, which are users here, and are refused: alsbench.search
        leaves out ratings.

        Raises UsageError or TypeError for parameters and ratings that are wrong, MachineError for a device that is not there,
        MemoryError, and FloatingPointError where a factor is not finite.
        """
        _refuse_ratings(y, "fit(X, test=test)")
        _refuse_folds_of_rows()
        request = self._request(test)
        request.open_ahead()
        ratings, tested = self._checked(X, test)
        doubt_ratings(ratings, self.feedback, self.rank, self.regularization)
        return self._take(native.train(request, ratings, tested, progress_of(callback)))

    def plan(self, X: Any, test: Any = None) -> MemoryPlan:
        """The memory that fit(X, test=test) would take, which it does not take: `alsbench train --dry-run`.

        Raises what fit raises for parameters, ratings and devices, and UsageError for a team of several devices.
        """
        request = self._request(test)
        request.open_ahead()
        ratings, tested = self._checked(X, test)
        planned = native.plan(request, ratings, tested)
        return MemoryPlan(
            planned.device,
            planned.free_bytes,
            planned.device_bytes,
            dict(planned.on_device),
            dict(planned.host),
            planned.fits,
            planned.streams,
            planned.largest_rank,
        )

    def _checked(self, X: Any, test: Any) -> tuple[Any, Any]:
        """The ratings to train on and to judge by, as the trainer has them."""
        ratings = self._validated(X, reset=True)
        if not ratings.data.size:
            raise UsageError("X: has no ratings; give at least one")
        if test is None:
            return ratings, None
        tested = _of_shape(test, ratings.shape, "test")
        doubt_test(tested, ratings)
        return ratings, tested

    def _take(self, trained: Any) -> Self:
        """Becomes what the harness trained."""
        _warn(trained)
        self.model_ = model_of(trained.model, self.device)
        self.iterations_ = tuple(map(_iteration, trained.iterations))
        self.n_iter_ = len(self.iterations_)
        self.kept_iteration_ = trained.kept_iteration
        self.algorithm_, self.metric_ = trained.algorithm, trained.metric
        self.pipelines_ = dict(trained.pipelines)
        self.device_ = trained.device
        doubt_iterations(self.iterations_, self.kept_iteration_, self.metric_)
        return self

    @property
    def user_factors_(self) -> np.ndarray:
        return self._fitted.user_factors

    @property
    def item_factors_(self) -> np.ndarray:
        return self._fitted.item_factors

    def predict(self, X: Any) -> Any:
        """The predictions of the cells that X has ratings in, in X's form: CSR, or a dense array with NaN where X has it; float32.

        X: users x items, as in fit; row u is user u. Model.predict takes pairs.

        Raises NotFittedError before fit, as do all that follow, and UsageError for X of another shape.
        """
        model, ratings = self._fitted, self._cells(X)
        users = np.repeat(np.arange(ratings.shape[0], dtype=np.int32), np.diff(ratings.indptr))
        values = model.predict(users, ratings.indices)
        if not isinstance(X, np.ndarray):
            return scipy.sparse.csr_array((values, ratings.indices, ratings.indptr), shape=ratings.shape)
        predictions = np.full(X.shape, np.nan, np.float32)
        predictions[users, ratings.indices] = values
        return predictions

    def recommend(
        self, userid: Any, user_items: Any = None, N: int = 10, filter_already_liked_items: bool = True
    ) -> tuple[np.ndarray, np.ndarray]:
        """Model.recommend."""
        return self._fitted.recommend(userid, user_items, N, filter_already_liked_items)

    def similar_items(self, itemid: Any, N: int = 10) -> tuple[np.ndarray, np.ndarray]:
        """Model.similar_items."""
        return self._fitted.similar_items(itemid, N)

    def similar_users(self, userid: Any, N: int = 10) -> tuple[np.ndarray, np.ndarray]:
        """Model.similar_users."""
        return self._fitted.similar_users(userid, N)

    def evaluate(self, test: Any, seen: Any = None, k: int = 10, relevant: float | None = None) -> Evaluation:
        """Model.evaluate."""
        return self._fitted.evaluate(test, seen, k, relevant)

    def save(self, folder: str | os.PathLike, *, users: Iterable[Any] = (), items: Iterable[Any] = ()) -> None:
        """Model.save."""
        self._fitted.save(folder, users=users, items=items)

    def score(self, X: Any, y: Any = None) -> float:
        """Minus the RMSE of the predictions of X's ratings, so more is better. y is not used.

        Raises UsageError of implicit feedback, which has no RMSE: evaluate(test, seen) has measures of rankings.
        """
        _refuse_ratings(y, "score(test)")
        model, _ = self._fitted, self._cells(X)
        evaluation = model.evaluate(X)
        if evaluation.rmse is None:
            raise UsageError(
                "implicit feedback predicts preferences, not ratings, and has no RMSE; call evaluate(test, seen)"
            )
        return -evaluation.rmse

    def _validated(self, X: Any, reset: bool) -> Any:
        dense = isinstance(X, np.ndarray)
        if np.ma.isMaskedArray(X):
            X = dense_of(X, "X")
        X = validate_data(
            self, X, reset=reset, accept_sparse=True, skip_check_array=not dense, ensure_all_finite="allow-nan"
        )
        return to_native(X, "X", rated=reset)

    def _cells(self, X: Any) -> Any:
        ratings, users = self._validated(X, reset=False), len(self._fitted.user_factors)
        if ratings.shape[0] != users:
            raise UsageError(f"X: has {ratings.shape[0]} rows; the model has {users} users")
        return ratings

    @property
    def _fitted(self) -> Model:
        check_is_fitted(self)
        return self.model_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags

    def _request(self, test: Any) -> Any:
        """The parameters, checked. Raises TypeError, UsageError."""
        _check(self.rank, "rank", numbers.Integral, 1, 2**31 - 1)
        _check(self.regularization, "regularization", numbers.Real, 0, float(np.finfo(np.float32).max))
        _check(self.iterations, "iterations", numbers.Integral, 1, 2**31 - 1)
        _check(self.random_state, "random_state", numbers.Integral, 0, 2**64 - 1)
        if self.early_stop is not None:
            _check(self.early_stop, "early_stop", numbers.Integral, 1, 2**31 - 1)
        for name, words in (
            ("device", "'auto', 'cpu' or a CUDA ordinal such as '0'"),
            ("feedback", "'explicit' or 'implicit'"),
        ):
            if not isinstance(value := getattr(self, name), str):
                raise TypeError(f"{name}: is {value!r}; give text: {words}")
        if self.keep not in ("last", "best"):
            raise UsageError(f"keep {self.keep!r}: give 'last' or 'best'")
        if test is None and (self.keep == "best" or self.early_stop is not None):
            raise UsageError("keep='best' and early_stop judge iterations by test ratings; give fit(X, test=...)")
        request = native.TrainRequest()
        request.feedback, request.algorithm = self.feedback, self.algorithm or ""
        request.hyper, request.tuned, request.device = self._hyper_text(), self.tuned, self.device
        request.pipelines = {"": self.pipeline} if isinstance(self.pipeline, str) else dict(self.pipeline or {})
        request.rank, request.regularization = self.rank, self.regularization
        request.iterations, request.seed = self.iterations, self.random_state
        request.keep_best, request.early_stop = self.keep == "best", self.early_stop or 0
        return request

    def _hyper_text(self) -> str:
        hyper = dict(self.hyper or {})
        if self.alpha is not None:
            if self.feedback == "explicit":
                raise UsageError(f"alpha={self.alpha}: explicit feedback has no alpha; give feedback='implicit'")
            if "alpha" in hyper:
                raise UsageError("hyper names alpha, too; give one of them")
            _check(self.alpha, "alpha", numbers.Real, 0, float(np.finfo(np.float32).max))
            hyper["alpha"] = float(self.alpha)
        return ",".join(f"{name}={value}" for name, value in hyper.items())


def _refuse_ratings(y: Any, call: str) -> None:
    """y is there for scikit-learn's pipelines. Ratings in its place would be dropped in silence."""
    if scipy.sparse.issparse(y) or getattr(y, "ndim", 0) >= 2:
        raise TypeError(f"y: is a matrix of shape {y.shape}, and y is not used; call {call}")


def _refuse_folds_of_rows() -> None:
    """scikit-learn's splitters take rows: the users of a fold would be judged by the factors of others."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith("sklearn.model_selection."):
            raise UsageError(
                "cross-validation and searches of scikit-learn leave out rows, which are users here, so nothing would be "
                "known of them; call alsbench.search, which leaves out ratings"
            )
        frame = frame.f_back


def progress_of(callback: Callable[[Iteration], Any] | None) -> Callable[[str], Any] | None:
    return (lambda text: callback(_iteration(text))) if callback is not None else None


def _check(value: Any, name: str, kind: type, least: float, most: float) -> None:
    try:
        check_scalar(value, name, kind, min_val=least, max_val=most)
    except ValueError as error:
        raise UsageError(str(error)) from None
    if value != value:
        raise UsageError(f"{name} == {value}, must be a number of at least {least}.")


def _of_shape(matrix: Any, shape: tuple[int, int], name: str) -> Any:
    result = to_native(matrix, name)
    if result.shape != shape:
        raise UsageError(
            f"{name}: is {result.shape[0]} x {result.shape[1]}, and X is {shape[0]} x {shape[1]}; give one of X's shape"
        )
    return result


def _iteration(text: str) -> Iteration:
    return decode(Iteration, json.loads(text), "iteration")


def _warn(trained: Any) -> None:
    if trained.failed_rows:
        doubt(f"the factorisation failed in {trained.failed_rows} rows of the last iteration", RuntimeWarning)
    if trained.cells_in_both:
        doubt(
            f"{trained.cells_in_both} test ratings are of cells that are trained on; the test metric is too low by that"
        )
