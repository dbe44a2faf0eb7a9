# SPDX-License-Identifier: Apache-2.0
"""ModelFitError and what else `implicit.recommender_base` names."""

import warnings
from abc import ABCMeta, abstractmethod
from typing import Any

import numpy as np


class ModelFitError(Exception):
    """A factor is not finite."""


class RecommenderBase(metaclass=ABCMeta):
    """The methods of a model that its `recommend` answers."""

    @abstractmethod
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
        """The N best items of each user, and their scores."""

    def rank_items(
        self, userid: Any, user_items: Any, selected_items: Any, recalculate_user: bool = False
    ) -> tuple[np.ndarray, np.ndarray]:
        """The 10 best of selected_items, liked ones among them. Deprecated, as in `implicit`: recommend has `items`."""
        _deprecated("rank_items", "recommend(items=...)")
        return self.recommend(
            userid,
            user_items,
            recalculate_user=recalculate_user,
            items=selected_items,
            filter_already_liked_items=False,
        )

    def recommend_all(
        self,
        user_items: Any,
        N: int = 10,
        recalculate_user: bool = False,
        filter_already_liked_items: bool = True,
        filter_items: Any = None,
        users_items_offset: int = 0,
    ) -> np.ndarray:
        """The ids that recommend has for the users of all rows. Deprecated, as in `implicit`: recommend takes an array of users.

        users_items_offset: the user of the first row.
        """
        _deprecated("recommend_all", "recommend with an array of users")
        users = np.arange(user_items.shape[0]) + users_items_offset
        return self.recommend(users, user_items, N, filter_already_liked_items, filter_items, recalculate_user)[0]


def _deprecated(name: str, instead: str) -> None:
    warnings.warn(f"{name} is deprecated; call {instead}", DeprecationWarning, stacklevel=3)
