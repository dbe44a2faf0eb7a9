# SPDX-License-Identifier: Apache-2.0
"""Model: factors of users and items, and what is asked of them. docs/reference/models.md has the formulas."""

import os
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import scipy.sparse

from alsbench._libraries import native
from alsbench.arrow_columns import BREAKS
from alsbench.errors import UsageError
from alsbench.ratings import is_missing, level_of_caller, to_native

_NO_ROWS = np.array([], np.int32)


@dataclass(frozen=True)
class Ranking:
    """How well the k items that are recommended meet test ratings: means over users; NaN without any."""

    k: int
    users: int
    cold_users: int
    precision: float
    recall: float
    ndcg: float
    map: float


@dataclass(frozen=True)
class Evaluation:
    """Errors of predictions of test ratings. rmse and mae are None of implicit feedback, ranking without `seen`.

    cold: how many of the ratings are of users or items without training ratings.
    """

    ratings: int
    cold: int
    rmse: float | None
    mae: float | None
    ranking: Ranking | None


@dataclass(frozen=True)
class Explanation:
    """Why a user has a score of an item: base plus all parts, float64, one for each rating, the largest first.

    items: rows, int32, and parts of the score: of the ratings, in this order.
    base: what no rating adds to: the mean and the item's level in a model with biases, else 0.
    """

    score: float
    base: float
    items: np.ndarray = field(repr=False)
    parts: np.ndarray = field(repr=False)


@dataclass(frozen=True)
class Objective:
    """Objective of a training: the algorithm's name, its hyper-parameters as text, lambda, the mean of the training ratings."""

    algorithm: str
    hyper: str
    regularization: float
    mean: float


@dataclass(frozen=True, eq=False)
class Model:
    """A trained model. Users and items are rows of its factors.

    user_factors: float32, users x rank. item_factors: float32, items x rank.
    cold_users, cold_items: bool, whether a row has no training rating.
    feedback: "explicit" or "implicit".
    cold_prediction: what is predicted where the user or the item is cold.
    biases: whether the last two columns of the factors hold the biases; the others are features.
    users, items: the original id of each row, where the model is from files.
    objective: what was minimised, which fold_in needs; None where that is not known.
    source: what made the factors, which save writes down.
    device: where items are found and ranked: "auto" (the first GPU, else the CPU), "cpu", a CUDA ordinal such as "0".
        Of a team it is the first. It is opened by the first question; threads ask it one at a time.
    """

    user_factors: np.ndarray = field(repr=False)
    item_factors: np.ndarray = field(repr=False)
    cold_users: np.ndarray = field(repr=False)
    cold_items: np.ndarray = field(repr=False)
    feedback: str
    cold_prediction: float
    users: tuple[str, ...] = field(default=(), repr=False)
    items: tuple[str, ...] = field(default=(), repr=False)
    device: str = "auto"
    biases: bool = False
    objective: Objective | None = None
    source: str = "Python"

    def __post_init__(self) -> None:
        """Raises UsageError where the arrays are of no one model or the feedback is none, and TypeError for a device that is no text."""
        for name in ("user", "item"):
            factors, cold = getattr(self, f"{name}_factors"), getattr(self, f"cold_{name}s")
            if np.ndim(factors) != 2 or np.shape(cold) != np.shape(factors)[:1]:
                raise UsageError(
                    f"{name}_factors and cold_{name}s have shapes {np.shape(factors)} and {np.shape(cold)}; give rows x rank, and rows"
                )
            object.__setattr__(self, f"{name}_factors", np.ascontiguousarray(factors, dtype=np.float32))
            object.__setattr__(self, f"cold_{name}s", np.ascontiguousarray(cold, dtype=bool))
        if self.feedback not in ("explicit", "implicit"):
            raise UsageError(f"feedback: is {self.feedback!r}; give explicit or implicit")
        if not isinstance(self.device, str):
            raise TypeError(f"device: is {self.device!r}; give text: 'auto', 'cpu' or a CUDA ordinal such as '0'")
        if self.user_factors.shape[1] != self.item_factors.shape[1]:
            raise UsageError(
                f"user_factors have rank {self.user_factors.shape[1]}, and item_factors {self.item_factors.shape[1]}; give one rank"
            )

    @property
    def rank(self) -> int:
        """The number of factors of a row."""
        return self.user_factors.shape[1]

    def predict(self, users: Any, items: Any) -> np.ndarray:
        """The predictions of pairs, float32, shape (n,): of users[i] and items[i]; a single number stands for n equal ones.

        Raises UsageError for a row that the model does not have.
        """
        users, items = np.broadcast_arrays(
            _rows(users, len(self.user_factors), "users"), _rows(items, len(self.item_factors), "items")
        )
        return self._native.predict(np.ascontiguousarray(users.ravel()), np.ascontiguousarray(items.ravel())).reshape(
            users.shape
        )

    def recommend(
        self,
        userid: Any,
        user_items: Any = None,
        N: int = 10,
        filter_already_liked_items: bool = True,
        filter_items: Any = None,
        items: Any = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """The N items with the largest x . theta of each user, best first, and their scores.

        userid: a row, or an array of them. user_items: CSR, whose row i has the ratings of userid[i]: these items are left out,
        unless filter_already_liked_items is off.
        filter_items: items that are left out, too. items: the only ones to recommend, but for these.
        Returns items, int32, and scores, float32, of shape (N,) for one user and (n, N) for an array.
        Where fewer items are left, and for cold users, the rest is -1 with a score of minus infinity.
        Cold items are not recommended. Equal scores are in the order of the items.

        Raises UsageError for a row that the model does not have, user_items of another shape and more than 512 items on a GPU,
        MachineError for a device that is not there.
        """
        rows = np.atleast_1d(_rows(userid, len(self.user_factors), "userid"))
        seen = None
        if filter_already_liked_items:
            if user_items is None:
                raise UsageError(
                    "user_items is needed to leave out what users have rated; give it, or filter_already_liked_items=False"
                )
            seen = _rows_of(user_items, (len(rows), len(self.item_factors)))
        recommender, without = self._among(filter_items, items, len(rows))
        found, scores = recommender.recommend(self._user_side, rows, seen, without, _count(N))
        return (found[0], scores[0]) if np.ndim(userid) == 0 else (found, scores)

    def fold_in(self, user_items: Any) -> np.ndarray:
        """Factors of users who were not trained, from their ratings: float32, shape (n, rank). A half-iteration, solved exactly.

        A few hundred users are solved on the host in double; more on the device.

        user_items: CSR of n x items. A user without ratings gets zeros.

        Raises UsageError for another number of items, for equations without a solution, and where the objective is not known.
        """
        return self._users.rows(self._device, self._folded_from(user_items, "user_items", self.cold_items))

    def fold_in_items(self, item_users: Any) -> np.ndarray:
        """Factors of items that were not trained, from CSR of n x users, as fold_in."""
        return self._items.rows(self._device, self._folded_from(item_users, "item_users", self.cold_users))

    def with_users(self, userid: Any, user_items: Any, ids: Iterable[Any] = ()) -> "Model":
        """The model where userid[i] has the factors that fold_in makes of row i.

        userid: rows; those after the last are added, with cold ones between.
        ids: one for each of userid, where the model has ids and rows are added; elsewhere they may be left out.

        Raises UsageError for ids of a model that has none, and where an id is missing or there twice.
        """
        ratings = self._folded_from(user_items, "user_items", self.cold_items)
        make = partial(self._users.rows, self._device, ratings)
        factors, cold = _with_rows(self.user_factors, self.cold_users, userid, ratings, make)
        users = _with_ids(self.users, userid, ids, len(cold))
        return replace(self, user_factors=factors, cold_users=cold, users=users, source=self._source_of_more)

    def with_items(self, itemid: Any, item_users: Any, ids: Iterable[Any] = ()) -> "Model":
        """The same of items."""
        ratings = self._folded_from(item_users, "item_users", self.cold_users)
        make = partial(self._items.rows, self._device, ratings)
        factors, cold = _with_rows(self.item_factors, self.cold_items, itemid, ratings, make)
        items = _with_ids(self.items, itemid, ids, len(cold))
        return replace(self, item_factors=factors, cold_items=cold, items=items, source=self._source_of_more)

    def save(self, folder: str | os.PathLike, *, users: Iterable[Any] = (), items: Iterable[Any] = ()) -> None:
        """Writes a folder for read_model and for the program's commands that read a model, as a whole or not at all.

        folder: a new or an empty one, or that of a model, which is replaced.
        users, items: an id for each row, in place of the model's; without any, the rows' numbers.

        Raises UsageError for another folder, for ids that are not one line a row or there twice, and for rows that are cold and
        not zero; MachineError where the folder cannot be written.
        """
        ids = (
            ids_of_rows(tuple(users) or self.users, len(self.user_factors), "users"),
            ids_of_rows(tuple(items) or self.items, len(self.item_factors), "items"),
        )
        objective = None if self.objective is None else self._objective
        self._native.save(os.fspath(folder), self.source, objective, ids)

    def explain(self, itemid: Any, user_items: Any) -> Explanation:
        """The parts that a user's ratings have of an item's score, of the user's row that fold_in makes of them.

        Its score is not that of predict and recommend, which take the row that was trained.

        itemid: a row. user_items: CSR of one row, the user's ratings, as fold_in takes them.

        Raises UsageError for a row that the model does not have or that is cold, and what fold_in raises.
        """
        ratings = self._folded_from(user_items, "user_items", self.cold_items)
        if ratings.shape[0] != 1:
            raise UsageError(f"user_items: has {ratings.shape[0]} rows; give the one of the user, user_items[[userid]]")
        item = int(_rows(itemid, len(self.item_factors), "itemid"))
        if self.cold_items[item]:
            raise UsageError(f"itemid: the model has no factors of item {item}: it has no score")
        score, base, parts = self._users.explain(ratings, item)
        order = np.argsort(-parts, kind="stable")
        return Explanation(score, base, np.array(ratings.indices)[order], parts[order])

    def _among(self, without: Any, only: Any, askers: int) -> tuple[Any, np.ndarray]:
        """A recommender, and the items that it must be told to leave out. Few are told, since another one copies factors."""
        left_out = np.unique(_some_rows(without, len(self.cold_items), "filter_items"))
        if only is None and len(left_out) * askers <= len(self.cold_items):
            return self._recommender, left_out
        cold = self.cold_items.copy()
        if only is not None:
            chosen = np.zeros(len(cold), bool)
            chosen[_some_rows(only, len(cold), "items")] = True
            cold |= ~chosen
        cold[left_out] = True
        return native.Recommender(self._device, _side(self.item_factors, cold)), _NO_ROWS

    def _folded_from(self, matrix: Any, name: str, cold: np.ndarray) -> Any:
        """The matrix, whose columns are rows of the other side that are not cold."""
        matrix = _one_row(matrix)
        ratings = _of_shape(matrix, (np.shape(matrix)[0], len(cold)), name)
        if cold[ratings.indices].any():
            wrong = ratings.indices[cold[ratings.indices]][0]
            raise UsageError(f"{name}: has ratings in column {wrong}, which the model has no factors of; leave it out")
        return ratings

    @cached_property
    def _users(self) -> Any:
        """Maker of users' factors."""
        return native.FoldIn(self._objective, True, self.item_factors)

    @cached_property
    def _items(self) -> Any:
        return native.FoldIn(self._objective, False, self.user_factors)

    @property
    def _objective(self) -> Any:
        if self.objective is None:
            raise UsageError(
                "the model does not know what it minimised; give read_spark feedback=, regularization= and, of implicit "
                "feedback, alpha=, or a model of your own its objective="
            )
        return native.Objective(*astuple(self.objective))

    def similar_items(self, itemid: Any, N: int = 10) -> tuple[np.ndarray, np.ndarray]:
        """The N items whose factors have the largest cosine with those of each item, itself among them, and the cosines.

        Of a model with biases the features alone count.
        Shapes, types and errors are those of recommend.
        """
        return self._similar_items.largest(itemid, N, "itemid")

    def similar_users(self, userid: Any, N: int = 10) -> tuple[np.ndarray, np.ndarray]:
        """The same of users."""
        return self._similar_users.largest(userid, N, "userid")

    def evaluate(self, test: Any, seen: Any = None, k: int = 10, relevant: float | None = None) -> Evaluation:
        """Errors of predictions of the ratings in test, and with seen how well k recommended items meet them.

        test, seen: CSR of users x items. seen has the training ratings: their items are not recommended.
        relevant: ratings in test from this on are of relevant items; None: all, of implicit feedback those above 0.
        Warns of test ratings in seen, which are left out of the ranking, and where nobody is ranked.

        Raises UsageError for matrices of another shape or without ratings.
        """
        shape = len(self.user_factors), len(self.item_factors)
        tested = _of_shape(test, shape, "test")
        if not tested.data.size:
            raise UsageError("test: has no ratings; give at least one")
        accuracy = self._native.accuracy(tested)
        explicit = self.feedback == "explicit"
        ranking = None
        if seen is not None:
            judged = self._native.ranking(self._device, tested, _of_shape(seen, shape, "seen"), _count(k), relevant)
            found = judged.ranking
            _doubt_ranking(found.seen, judged.reason)
            ranking = Ranking(k, found.users, found.cold_users, found.precision, found.recall, found.ndcg, found.map)
        rmse, mae = (accuracy.rmse, accuracy.mae) if explicit else (None, None)
        return Evaluation(accuracy.ratings, accuracy.cold, rmse, mae, ranking)

    @property
    def _source_of_more(self) -> str:
        return self.source if self.source.endswith(native.FOLDED_IN) else self.source + native.FOLDED_IN

    @cached_property
    def _native(self) -> Any:
        return native.Model(self._user_side, self._item_side, self.feedback, self.cold_prediction, self.biases)

    @cached_property
    def _device(self) -> Any:
        return native.AskedDevice(self.device)

    @cached_property
    def _user_side(self) -> Any:
        return _side(self.user_factors, self.cold_users)

    @cached_property
    def _item_side(self) -> Any:
        return _side(self.item_factors, self.cold_items)

    @cached_property
    def _recommender(self) -> Any:
        return native.Recommender(self._device, self._item_side)

    @cached_property
    def _similar_items(self) -> "_Cosines":
        return _Cosines(self._device, self._item_side, self._features)

    @cached_property
    def _similar_users(self) -> "_Cosines":
        return _Cosines(self._device, self._user_side, self._features)

    @property
    def _features(self) -> int:
        return self.rank - 2 if self.biases else self.rank

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_")}


def model_of(trained: Any, device: str) -> Model:
    """The model that the harness trained or read, and the device that it asks. Its factors are not copied, and read-only."""
    users, items = trained.users, trained.items
    return Model(
        users.factors,
        items.factors,
        users.cold.view(bool),
        items.cold.view(bool),
        trained.feedback,
        trained.cold,
        tuple(users.ids),
        tuple(items.ids),
        device,
        trained.has_biases,
        trained.objective
        and Objective(
            trained.objective.algorithm,
            trained.objective.hyper,
            trained.objective.regularization,
            trained.objective.mean,
        ),
        trained.source,
    )


def read_model(folder: str | os.PathLike, device: str = "auto") -> Model:
    """The model that `alsbench train --out FOLDER` or Model.save left, checked against its record. device: Model's.

    Raises UsageError that names the file, what is wrong with it and the remedy.
    """
    return model_of(native.Model.read(os.fspath(folder)), device)


class _Cosines:
    """Rows of a side, and those whose factors are alike."""

    def __init__(self, device: Any, side: Any, features: int) -> None:
        self._side = native.unit_side(side, features)
        self._rows = len(side.cold)
        self._recommender = native.Recommender(device, self._side)

    def largest(self, rows: Any, k: Any, name: str) -> tuple[np.ndarray, np.ndarray]:
        asking = np.atleast_1d(_rows(rows, self._rows, name))
        found, cosines = self._recommender.recommend(self._side, asking, None, _NO_ROWS, _count(k))
        return (found[0], cosines[0]) if np.ndim(rows) == 0 else (found, cosines)


def _side(factors: np.ndarray, cold: np.ndarray) -> Any:
    return native.ModelSide(factors, cold.view(np.uint8))


def _rows(rows: Any, count: int, name: str) -> np.ndarray:
    rows = np.asarray(rows)
    if rows.dtype.kind not in "iu" or rows.ndim > 1:
        raise TypeError(
            f"{name}: is of dtype {rows.dtype} and shape {rows.shape}; give a row, or a column of rows, as integers"
        )
    if (wrong := np.atleast_1d(rows)[(np.atleast_1d(rows) < 0) | (np.atleast_1d(rows) >= count)]).size:
        raise UsageError(f"{name}: row {wrong[0]} is outside [0, {count})")
    return rows.astype(np.int32)


def _some_rows(rows: Any, count: int, name: str) -> np.ndarray:
    """None and an empty list, which numpy takes for one of floats, are no rows."""
    return np.atleast_1d(_rows(rows, count, name)) if rows is not None and np.size(rows) else _NO_ROWS


def _with_rows(
    factors: np.ndarray, cold: np.ndarray, rows: Any, ratings: Any, make: Callable[[], np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    places = np.atleast_1d(_rows(rows, np.iinfo(np.int32).max, "rows"))
    distinct, counts = np.unique(places, return_counts=True)
    if (twice := distinct[counts > 1]).size:
        raise UsageError(f"rows: row {twice[0]} is there twice; give each once, with all of its ratings")
    made = make()
    if len(places) != len(made):
        raise UsageError(f"{len(places)} rows are named, and the ratings have {len(made)}; give one for each")
    more = max(int(places.max(initial=-1)) + 1 - len(factors), 0)
    factors = np.concatenate([factors, np.zeros((more, factors.shape[1]), np.float32)])
    cold = np.concatenate([cold, np.ones(more, bool)])
    factors[places] = made
    cold[places] = np.diff(ratings.indptr) == 0
    return factors, cold


def ids_of_rows(ids: Iterable[Any], count: int, name: str) -> list[str]:
    """The ids as texts; there may be none.

    Floats that are integers, as pandas has ids of a column with gaps, are these integers, and bytes are texts of UTF-8.
    """
    texts = [each if isinstance(each, str) else _text_of(each, number, name) for number, each in enumerate(ids)]
    if texts and len(texts) != count:
        raise UsageError(f"{name}: has {len(texts)} ids for {count} rows; give one for each row")
    if (broken := next((text for text in texts if not text or re.search(BREAKS, text)), None)) is not None:
        what = "has a line break or NUL" if broken else "is empty"
        raise UsageError(f"{name}: the id {broken!r} {what}; give texts of one line")
    if len(set(texts)) < len(texts):
        twice = next(text for text, times in Counter(texts).items() if times > 1)
        raise UsageError(f"{name}: the id {twice!r} is there twice; give each row its own")
    return texts


def _text_of(value: Any, number: int, name: str) -> str:
    if is_missing(value):
        raise UsageError(f"{name}: number {number} is {value}, which is no id; give each row its own")
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise UsageError(
                f"{name}: the id {value!r} is no text; give one of UTF-8, such as its hex digits"
            ) from None
    is_whole = isinstance(value, (float, np.floating)) and value.is_integer()
    return str(int(value) if is_whole else value)


def _with_ids(before: tuple[str, ...], rows: Any, ids: Iterable[Any], count: int) -> tuple[str, ...]:
    """The ids of `count` rows: those before, but for those of `rows`."""
    places = np.atleast_1d(rows).tolist()
    texts = ids_of_rows(ids, len(places), "ids")
    if texts and not before:
        raise UsageError("ids: the model has none; leave ids out, or set its users and items")
    if not before:
        return ()
    named = dict(enumerate(before)) | dict(zip(places, texts, strict=False))
    if (missing := next((row for row in range(count) if row not in named), None)) is not None:
        raise UsageError(f"ids: row {missing} has none; give one for each row, and add rows without a gap")
    return tuple(ids_of_rows([named[row] for row in range(count)], count, "ids"))


def _doubt_ranking(seen: int, reason: str) -> None:
    """Warns of relevant test ratings that were seen, and why nobody is ranked."""
    if reason:
        warnings.warn(f"no user is ranked: {reason}", UserWarning, stacklevel=level_of_caller())
    elif seen:
        warnings.warn(
            f"{seen} relevant ratings in test are of cells in seen: they are left out of the ranking",
            UserWarning,
            stacklevel=level_of_caller(),
        )


def _count(number: Any) -> int:
    if not isinstance(number, (int, np.integer)) or number < 1:
        raise UsageError(f"{number!r} items cannot be recommended; give a whole number above 0")
    return int(min(number, np.iinfo(np.int32).max))


def _of_shape(matrix: Any, shape: tuple[int, int], name: str) -> Any:
    result = to_native(matrix, name)
    if result.shape != shape:
        raise UsageError(
            f"{name}: is {result.shape[0]} x {result.shape[1]}; the model has {shape[0]} users and {shape[1]} items"
        )
    return result


def _one_row(matrix: Any) -> Any:
    """A row that was taken of a csr_array is one-dimensional."""
    return matrix.reshape(1, -1).tocsr() if scipy.sparse.issparse(matrix) and matrix.ndim == 1 else matrix


def _rows_of(user_items: Any, shape: tuple[int, int]) -> Any:
    given = to_native(_one_row(user_items), "user_items")
    if given.shape != shape:
        remedy = "; give user_items[userid]" if given.shape[1] == shape[1] else ""
        raise UsageError(
            f"user_items: is {given.shape[0]} x {given.shape[1]}; it has one row for each of the {shape[0]} users asked for, "
            f"and {shape[1]} columns{remedy}"
        )
    return given
