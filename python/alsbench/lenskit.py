# SPDX-License-Identifier: Apache-2.0
"""alsbench.ALS as a scorer of LensKit's pipelines (pip install lenskit), version 2025.8."""

from typing import Any

import numpy as np
import scipy.sparse
from lenskit.data import Dataset, ItemList, QueryInput, RecQuery, Vocabulary
from lenskit.pipeline import Component
from lenskit.training import Trainable, TrainingOptions
from pydantic import BaseModel, ConfigDict

from alsbench.estimator import ALS
from alsbench.model import Model

__all__ = ["AlsConfig", "AlsScorer"]

_USUAL = TrainingOptions()


class AlsConfig(BaseModel):
    """The arguments of alsbench.ALS."""

    model_config = ConfigDict(extra="allow")


class AlsScorer(Component[ItemList], Trainable):
    """Trains alsbench.ALS on ratings, or on 1 in each cell where there are none, and scores items by its predictions.

    AlsScorer(rank=64, regularization=0.1) takes the arguments of ALS. A user who was not trained is folded in by the items of the
    query. Items without a rating are left out where a model of explicit ratings was trained; elsewhere each of them counts 1.
    Other users' scores, and those of items that were not trained, are NaN.
    """

    config: AlsConfig
    users: Vocabulary
    items: Vocabulary
    model: Model
    rated: bool  # whether an item of a query says nothing without a rating

    def is_trained(self) -> bool:
        return hasattr(self, "model")

    def train(self, data: Dataset, options: TrainingOptions = _USUAL) -> None:
        if self.is_trained() and not options.retrain:
            return
        interactions = data.interactions().matrix()
        field = "rating" if "rating" in interactions.attribute_names else None
        ratings = scipy.sparse.csr_array(interactions.scipy(field))
        ratings.sort_indices()
        self.model = ALS(**self.config.model_extra or {}).fit(ratings.astype(np.float32)).model_
        self.users, self.items = data.users, data.items
        self.rated = field is not None and self.model.feedback == "explicit"

    def __call__(self, query: QueryInput, items: ItemList) -> ItemList:
        scores = np.full(len(items), np.nan, np.float32)
        factors = self._factors_of(RecQuery.create(query))
        if factors is not None:
            places = items.numbers(vocabulary=self.items, missing="negative")
            known = np.flatnonzero(places >= 0)
            known = known[~self.model.cold_items[places[known]]]
            scores[known] = self.model.item_factors[places[known]] @ factors
        return ItemList(items, scores=scores)

    def _factors_of(self, query: RecQuery) -> Any:
        user = None if query.user_id is None else self.users.number(query.user_id, missing=None)
        if user is not None and not self.model.cold_users[user]:
            return self.model.user_factors[user]
        rated = query.query_items
        if rated is None:
            return None
        places = rated.numbers(vocabulary=self.items, missing="negative")
        values = rated.field("rating")
        values = np.full(len(rated), np.nan, np.float32) if values is None else np.array(values, np.float32)
        if not self.rated:
            values[np.isnan(values)] = 1
        known = (places >= 0) & ~np.isnan(values)
        known[known] = ~self.model.cold_items[places[known]]
        if not known.any():
            return None
        order = np.argsort(places[known])
        row = values[known][order], places[known][order], [0, int(known.sum())]
        return self.model.fold_in(scipy.sparse.csr_array(row, shape=(1, len(self.model.item_factors))))[0]
