# SPDX-License-Identifier: Apache-2.0
"""AlternatingLeastSquares of `implicit.cpu.als` on the harness's training, recommendations and fold-in."""

import copy
import functools
import inspect
import json
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any, Self

import numpy as np
import scipy.linalg

from alsbench._libraries import native
from alsbench.errors import UsageError
from alsbench.implicit.cpu.finder import Candidates, Finder, at_least_float32, floats
from alsbench.implicit.cpu.loss import calculate_loss
from alsbench.implicit.cpu.resources import device_named, progress, threads
from alsbench.implicit.recommender_base import ModelFitError, RecommenderBase
from alsbench.implicit.utils import (
    MOST,
    RandomState,
    added_up,
    check_csr,
    check_random_state,
    confidences,
    is_csr,
    number,
    weights,
    whole,
)

__all__ = ["AlternatingLeastSquares", "calculate_loss"]

log = logging.getLogger("alsbench.implicit")

# AMX tiles read bytes of the factors and need roots of weights, so negative ones have none. Of fewer cells they gain little.
MANY_CELLS = 1_000_000
STEPS_OF_RULES = 3
_LARGEST_INT = 2**31 - 1
DIRECT = "confidence=direct,alpha=1"  # c = |r|
ADDED = "alpha=1"  # c = 1 + r


class AlternatingLeastSquares(RecommenderBase):
    """Implicit ALS with the arguments, methods, shapes and types of `implicit` 0.7.3.

    The number v that user_items stores in a cell gives it the confidence c = alpha |v|. A user prefers the item where v is above 0.
    All other cells have the confidence 1. This is `alsbench train --feedback implicit --hyper confidence=direct,alpha=A`;
    the usual confidence there is 1 + alpha r.

    Parameters
    ----------
    factors: the number of factors of a row.
    regularization: lambda, not weighted.
    alpha: what the numbers in user_items are multiplied by.
    dtype: of the factors, float32 or float64. They are computed in float32 in either case.
    use_native: not used; there is one implementation.
    use_cg: three steps of conjugate gradients from the solution before, else Cholesky.
    iterations: so many; none leaves the factors as they are.
    calculate_training_loss: whether each iteration's loss is logged and given to callback.
    num_threads: that train and recommend, up to 1024, or to as many as the machine has where these are more; 0: all.
    random_state: a seed, or a generator of numpy. The first factors are those of `implicit`.

    Attributes
    ----------
    user_factors, item_factors: arrays of rows x factors, or None. They may be set; fit begins with them.
        What is made of them is kept until they are set: norms, Gram matrices, and copies in float32 of other types.
    """

    _device_name = "cpu"
    _dtypes: tuple[Any, ...] = (np.float32, np.float64)
    _of_users: dict[Any, Any]  # what is made of the factors once, until they are set
    _of_items: dict[Any, Any]

    def __init__(
        self,
        factors: int = 100,
        regularization: float = 0.01,
        alpha: float = 1.0,
        dtype: Any = np.float32,
        use_native: bool = True,
        use_cg: bool = True,
        iterations: int = 15,
        calculate_training_loss: bool = False,
        num_threads: int = 0,
        random_state: RandomState = None,
    ) -> None:
        self.factors = factors
        self.regularization = regularization
        self.alpha = alpha
        self.dtype = np.dtype(dtype)
        self.use_native = use_native
        self.use_cg = use_cg
        self.iterations = iterations
        self.calculate_training_loss = calculate_training_loss
        self.num_threads = num_threads
        self.random_state = random_state
        self.cg_steps = 3
        self.fit_callback: Callable[..., Any] | None = None
        self.user_factors = None
        self.item_factors = None

    @property
    def user_factors(self) -> Any:
        return self._user_factors

    @user_factors.setter
    def user_factors(self, factors: Any) -> None:
        self._user_factors, self._of_users = self._given(_with_columns(factors, "user_factors")), {}

    @property
    def item_factors(self) -> Any:
        return self._item_factors

    @item_factors.setter
    def item_factors(self, factors: Any) -> None:
        self._item_factors, self._of_items = self._given(_with_columns(factors, "item_factors")), {}

    def fit(self, user_items: Any, show_progress: bool = True, callback: Callable[..., Any] | None = None) -> None:
        """Factorizes users x items. Begins with the factors that are there, else with random ones.

        user_items: CSR; other sparse formats are converted, with a ParameterWarning.
        show_progress: a bar of tqdm, where that is installed.
        callback: called as callback(iteration, seconds, loss) after each iteration, from 0 on; loss is None unless it is calculated.

        Raises ValueError for wrong arguments of the model, for factors of another shape and for equations without a solution;
        TypeError for user_items that are not sparse; ModelFitError where a factor is not finite.
        """
        self._check()
        user_items = check_csr(user_items, "user_items")
        request = self._request(user_items)
        trains = self.iterations > 0 and user_items.nnz > 0
        with ThreadPoolExecutor(1) as thread:
            begun = thread.submit(self._begin, *user_items.shape)
            problem = self._problem(user_items) if trains else None
            begun.result()
        if self.iterations < 1:
            self._check_factors()
            return
        if problem is None:
            self.user_factors, self.item_factors = np.zeros_like(self.user_factors), np.zeros_like(self.item_factors)
            return
        heard = callback or self.fit_callback
        with threads(self.num_threads), progress(self.iterations, show_progress) as advance:
            trained = self._train(request, problem, functools.partial(self._iterated, advance, heard))
        if trained.failed_rows:
            raise ValueError(
                f"the equations of {trained.failed_rows} rows have no solution; use a larger regularization"
            )
        self.user_factors = np.array(trained.model.users.factors, dtype=self.dtype)
        self.item_factors = np.array(trained.model.items.factors, dtype=self.dtype)

    def recommend(
        self,
        userid: Any,
        user_items: Any,
        N: int = 10,
        filter_already_liked_items: bool = True,
        filter_items: Any = None,
        recalculate_user: bool = False,
        items: Any = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """The N items with the largest product with each user's factors, best first, and these scores.

        userid: a user or an array of them. user_items: CSR whose row i has the items of userid[i].
        filter_already_liked_items: leaves these out. filter_items: leaves out more.
        recalculate_user: of factors made of user_items, in place of the user's own.
        items: the only ones to rank; not with filter_items.
        Returns ids and scores of the shape (N,) or (users, N), or of fewer columns where there are fewer items to rank.
        Ids are int32, and with items of their type.
        A row is filled with items that were left out where no others remain; their score is the lowest float32.

        Raises ValueError for user_items that is no CSR of a row for each user, IndexError for users and items that are not in the
        model and for a mask in the place of items; ModelFitError where scores are not finite. filter_items may be a mask of all items.
        """
        if filter_already_liked_items or recalculate_user:
            if not is_csr(user_items):
                raise ValueError("user_items: is no CSR matrix; user_items.tocsr() makes one")
            if user_items.shape[0] != np.size(userid):
                raise ValueError(
                    f"user_items: has {user_items.shape[0]} rows; give one for each of {np.size(userid)} users"
                )
        _refuse_negative(userid, "userid")
        rows = self.recalculate_user(userid, user_items) if recalculate_user else self.user_factors[userid]
        candidates = Candidates(len(self.item_factors), items, filter_items, "items", "filter_items")
        liked = None
        if filter_already_liked_items:
            liked = confidences(user_items, len(self.item_factors), 1.0, "user_items")
        finder = kept(self._of_items, ("finder", self.num_threads), lambda: Finder(self.item_factors, self._device))
        return finder.best(rows, N, liked, candidates)

    def similar_items(
        self,
        itemid: Any,
        N: int = 10,
        recalculate_item: bool = False,
        item_users: Any = None,
        filter_items: Any = None,
        items: Any = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """The N items whose factors have the largest cosine with those of each item, itself among them, and the cosines.

        recalculate_item: of factors made of item_users, CSR of a row for each item, in place of the item's own.
        filter_items, items: as of recommend.
        """
        _refuse_negative(itemid, "itemid")
        rows = self.recalculate_item(itemid, item_users) if recalculate_item else self.item_factors[itemid]
        candidates = Candidates(len(self.item_factors), items, filter_items, "items", "filter_items")
        finder = kept(
            self._of_items,
            ("cosines", self.num_threads),
            lambda: Finder(self.item_factors / self.item_norms[:, None], self._device),
        )
        return finder.best(_of_length_one(rows), N, None, candidates)

    def similar_users(
        self, userid: Any, N: int = 10, filter_users: Any = None, users: Any = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """The same of users."""
        _refuse_negative(userid, "userid")
        candidates = Candidates(len(self.user_factors), users, filter_users, "users", "filter_users")
        finder = kept(
            self._of_users,
            ("cosines", self.num_threads),
            lambda: Finder(self.user_factors / self.user_norms[:, None], self._device),
        )
        return finder.best(_of_length_one(self.user_factors[userid]), N, None, candidates)

    def recalculate_user(self, userid: Any, user_items: Any) -> np.ndarray:
        """Factors of users from their items, solved exactly: of one user, or a row for each of userid. The model stays as it is."""
        return self._folded_in(userid, user_items, self.item_factors, True)

    def recalculate_item(self, itemid: Any, item_users: Any) -> np.ndarray:
        """Factors of items from their users, as recalculate_user."""
        return self._folded_in(itemid, item_users, self.user_factors, False)

    def partial_fit_users(self, userids: Any, user_items: Any) -> None:
        """Gives users the factors of recalculate_user. Users past the last are added, with zeros in the rows between."""
        _refuse_negative(userids, "userids")
        rows = self._rows_for(userids, user_items, "user_items", self.recalculate_user)
        self.user_factors = _with_rows(self.user_factors, np.asarray(userids), rows)

    def partial_fit_items(self, itemids: Any, item_users: Any) -> None:
        """The same of items."""
        _refuse_negative(itemids, "itemids")
        rows = self._rows_for(itemids, item_users, "item_users", self.recalculate_item)
        self.item_factors = _with_rows(self.item_factors, np.asarray(itemids), rows)

    def explain(
        self, userid: int, user_items: Any, itemid: int, user_weights: Any = None, N: int = 10
    ) -> tuple[float, list[tuple[int, float]], Any]:
        """Parts of an item's score, by the items that the user likes (section 5 of Hu, Koren and Volinsky).

        user_items: CSR; its row userid has the user's items. user_weights: what an earlier call returned for the user.
        Returns the score, the N largest (item, part of the score), best first, and user_weights.

        Raises IndexError where it has no such row.
        """
        _refuse_negative(itemid, "itemid")
        user_items = check_csr(user_items, "user_items")
        if not 0 <= userid < user_items.shape[0]:
            raise IndexError(
                f"user_items: has {user_items.shape[0]} rows, and none of userid {userid}; give those of all users, or"
                " userid 0 with one row"
            )
        row = added_up(user_items[[userid]])
        liked, values = row.indices, row.data * float(self.alpha)
        factors = np.asarray(self.item_factors[liked], dtype=np.float64)
        if user_weights is None:
            weights = factors.T @ ((np.abs(values) - 1)[:, None] * factors)
            user_weights = scipy.linalg.cho_factor(self.YtY + self.regularization * np.eye(self.factors) + weights)
        parts = values * (factors @ scipy.linalg.cho_solve(user_weights, self.item_factors[itemid]))
        preferred = np.flatnonzero(values > 0)
        best = preferred[np.argsort(-parts[preferred], kind="stable")[:N]]
        return float(parts[preferred].sum()), [(int(liked[i]), float(parts[i])) for i in best], user_weights

    def save(self, fileobj_or_path: str | IO[bytes]) -> None:
        """Writes an .npz file, which `implicit` loads, too. Of random_state it keeps a seed, and no generator."""
        names = (
            "user_factors item_factors regularization factors num_threads iterations use_native use_cg cg_steps"
            " calculate_training_loss random_state alpha"
        )
        values = {name: getattr(self, name) for name in names.split()}
        np.savez(
            fileobj_or_path,
            dtype=self.dtype.name,
            **{name: value for name, value in values.items() if np.asarray(value).dtype != object},
        )

    @classmethod
    def load(cls, fileobj_or_path: str | IO[bytes]) -> Self:
        """The model of an .npz file that this class or `implicit` saved."""
        if isinstance(fileobj_or_path, str) and not fileobj_or_path.endswith(".npz"):
            fileobj_or_path += ".npz"
        model = cls()
        with np.load(fileobj_or_path, allow_pickle=False) as data:
            for name, stored in data.items():
                value = stored if stored.shape else stored.item()
                setattr(model, name, np.dtype(value) if name == "dtype" else value)
        return model

    def to_gpu(self) -> "AlternatingLeastSquares":
        """The same model on the first GPU. Raises ValueError where there is none."""
        from alsbench.implicit.gpu.als import AlternatingLeastSquares as OnGpu

        return self._moved_to(OnGpu)

    def to_cpu(self) -> "AlternatingLeastSquares":
        """The same model on the CPU."""
        return self._moved_to(AlternatingLeastSquares)

    @property
    def YtY(self) -> np.ndarray:
        """The Gram matrix of the items' factors."""
        return self._given(kept(self._of_items, "YtY", lambda: _gram(self.item_factors)))

    @property
    def XtX(self) -> np.ndarray:
        """The Gram matrix of the users' factors."""
        return self._given(kept(self._of_users, "XtX", lambda: _gram(self.user_factors)))

    @property
    def user_norms(self) -> np.ndarray:
        """The length of each user's factors; 1e-10 where it is 0."""
        return self._given(kept(self._of_users, "user_norms", lambda: _norms(self.user_factors)))

    @property
    def item_norms(self) -> np.ndarray:
        """The length of each item's factors; 1e-10 where it is 0."""
        return self._given(kept(self._of_items, "item_norms", lambda: _norms(self.item_factors)))

    def _given(self, numbers: Any) -> Any:
        """Factors, norms and Gram matrices as the model gives them."""
        return np.asarray(numbers) if isinstance(numbers, np.ndarray) else numbers

    def _check(self) -> None:
        """Raises UsageError for arguments that cannot be trained with. They may be set at any time."""
        if self.dtype not in self._dtypes:
            raise UsageError(f"dtype {self.dtype}: give {' or '.join(np.dtype(dtype).name for dtype in self._dtypes)}")
        self.factors = whole(self.factors, "factors", 1, _LARGEST_INT)
        self.iterations = whole(self.iterations, "iterations", 0, _LARGEST_INT)
        self.regularization = number(self.regularization, "regularization", 0)
        self.alpha = number(self.alpha, "alpha", -MOST)

    def _check_factors(self) -> None:
        for name in ("user_factors", "item_factors"):
            wrong = np.flatnonzero(~np.isfinite(getattr(self, name)).all(axis=1))
            if wrong.size:
                raise ModelFitError(f"{name}: row {wrong[0]} is not finite")

    def _begin(self, users: int, items: int) -> None:
        random = check_random_state(self.random_state)
        for name, rows in (("user_factors", users), ("item_factors", items)):
            factors = getattr(self, name)
            if factors is None:
                drawn = np.float64 if self.dtype == np.float64 else np.float32
                factors = random.random((rows, self.factors), dtype=drawn)
                factors *= 0.01
                setattr(self, name, factors.astype(self.dtype, copy=False))
            elif factors.shape != (rows, self.factors):
                raise ValueError(
                    f"{name}: is of shape {factors.shape}, and fit needs {(rows, self.factors)}; set it to None to begin again"
                )

    def _request(self, user_items: Any) -> Any:
        """Of a training, which is given the rest later."""
        return native.TrainRequest()

    def _train(self, request: Any, problem: tuple[Any, ...], iterated: Callable[[str], None]) -> Any:
        ratings, request.hyper, request.pipelines, request.device = problem
        request.feedback, request.tuned = "implicit", False
        request.rank, request.regularization, request.iterations = self.factors, self.regularization, self.iterations
        request.judges_all = self.calculate_training_loss
        request.start_from(floats(self.user_factors), floats(self.item_factors))
        try:
            return native.train(request, ratings, None, iterated)
        except FloatingPointError as error:
            raise ModelFitError(str(error)) from None

    def _problem(self, user_items: Any) -> tuple[Any, str, dict[str, str], str]:
        """The ratings of a training, its hyper-parameters, its pipelines and its device."""
        ratings = self._confidences(user_items, user_items.shape[1], "user_items")
        steps_of_rules = self.use_cg and self.cg_steps == STEPS_OF_RULES
        if steps_of_rules and len(ratings.data) >= MANY_CELLS and native.has_tiles() and ratings.least_value >= 1:
            return weights(ratings), ADDED, {}, self._device_name  # the rules choose
        pipeline = f"implicit_update:matrix_free:steps={self.cg_steps}" if self.use_cg else "exact"
        return ratings, DIRECT, {"": pipeline}, self._device_name

    def _iterated(self, advance: Callable[[float | None], None], heard: Callable[..., Any] | None, text: str) -> None:
        record = json.loads(text)
        loss = record["train_metric"] if self.calculate_training_loss else None
        if loss is not None:
            log.info("loss %.4f", loss)
        advance(loss)
        if heard is not None:
            heard(record["iteration"] - 1, record["wall_seconds"], loss)

    def _confidences(self, matrix: Any, columns: int, name: str) -> Any:
        return confidences(matrix, columns, self.alpha, name)

    def _folded_in(self, ids: Any, matrix: Any, fixed: np.ndarray, users: bool) -> np.ndarray:
        name = "user_items" if users else "item_users"
        matrix = check_csr(matrix, name)
        if matrix.shape[0] != np.size(ids):
            raise ValueError(f"{name}: has {matrix.shape[0]} rows; give one for each of {np.size(ids)}")
        given = self._confidences(matrix, len(fixed), name)
        ratings, hyper, device = self._solved_from(given)
        objective = "implicit-als", hyper, float(self.regularization), 0.0
        fold_in = kept(
            self._of_items if users else self._of_users,
            objective,
            lambda: native.FoldIn(native.Objective(*objective), users, floats(fixed)),
        )
        rows = fold_in.rows(device_named(device, self.num_threads), ratings).astype(self.dtype)
        return rows[0] if np.ndim(ids) == 0 else rows

    def _solved_from(self, given: Any) -> tuple[Any, str, str]:
        """Of confidences whose rows are folded in: the ratings, the hyper-parameters and the device."""
        return given, DIRECT, self._device_name

    @property
    def _device(self) -> Any:
        return device_named(self._device_name, self.num_threads)

    def _rows_for(self, ids: Any, matrix: Any, name: str, recalculate: Callable[..., np.ndarray]) -> np.ndarray:
        if len(ids) != matrix.shape[0]:
            raise ValueError(f"{name}: has {matrix.shape[0]} rows; give one for each of {len(ids)}")
        return recalculate(ids, matrix)

    def _moved_to(self, kind: type["AlternatingLeastSquares"]) -> "AlternatingLeastSquares":
        moved = made(kind, vars(self))
        moved.cg_steps, moved.fit_callback = self.cg_steps, self.fit_callback
        moved.user_factors, moved.item_factors = copy.copy(self.user_factors), copy.copy(self.item_factors)
        return moved

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_of_users": {}, "_of_items": {}}


def made(kind: type[AlternatingLeastSquares], values: Mapping[str, Any]) -> AlternatingLeastSquares:
    """A model of the arguments that its class has, of those that there are."""
    return kind(**{name: values[name] for name in inspect.signature(kind).parameters})


def kept(made_once: dict[Any, Any], name: Any, make: Callable[[], Any]) -> Any:
    if name not in made_once:
        made_once[name] = make()
    return made_once[name]


def _refuse_negative(ids: Any, name: str) -> None:
    """Raises IndexError of -1 and the like, which pandas has for ids that it does not find: numpy takes them from the end."""
    numbers = np.asarray(ids)
    if numbers.size and numbers.dtype.kind == "i" and numbers.min() < 0:
        raise IndexError(f"{name}: {numbers.min()} is no row; give rows from 0 on")


def _with_columns(factors: Any, name: str) -> Any:
    if factors is not None and (np.ndim(factors) != 2 or not np.shape(factors)[1]):
        raise ValueError(f"{name}: are of shape {np.shape(factors)}; give rows of one factor or more, or None")
    return factors


def _gram(factors: np.ndarray) -> np.ndarray:
    factors = at_least_float32(factors)
    return factors.T @ factors


def _norms(factors: np.ndarray) -> np.ndarray:
    norms = np.linalg.norm(at_least_float32(factors), axis=-1)
    return np.where(norms == 0, norms.dtype.type(1e-10), norms)


def _of_length_one(rows: np.ndarray) -> np.ndarray:
    return rows / _norms(rows)[..., None]


def _with_rows(factors: np.ndarray, ids: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The same array where it has all of these rows, else a longer copy."""
    if ids.max() >= len(factors):
        factors = np.concatenate([factors, np.zeros((ids.max() + 1 - len(factors), factors.shape[1]), factors.dtype)])
    factors[ids] = rows
    return factors
