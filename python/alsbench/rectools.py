# SPDX-License-Identifier: Apache-2.0
"""alsbench.ALS as a model of RecTools (pip install rectools), version 0.19."""

from typing import Any, Self

import numpy as np
from pydantic import Field
from rectools.dataset import Dataset
from rectools.models.base import ModelConfig
from rectools.models.rank import Distance
from rectools.models.vector import Factors, VectorModel

from alsbench.estimator import ALS

__all__ = ["AlsModel", "AlsModelConfig"]


class AlsModelConfig(ModelConfig):
    """parameters: those of alsbench.ALS."""

    parameters: dict[str, Any] = Field(default_factory=dict)
    recommend_n_threads: int = 0
    recommend_use_gpu_ranking: bool = True


class AlsModel(VectorModel[AlsModelConfig]):
    """Trains alsbench.ALS on the weights of a dataset's interactions; RecTools ranks by its factors.

    AlsModel(rank=64, feedback="implicit", alpha=10) takes the arguments of ALS. model.als is the estimator, trained by fit.
    recommend_n_threads, recommend_use_gpu_ranking: as of RecTools' other models.
    """

    recommends_for_warm = False
    recommends_for_cold = False
    u2i_dist = Distance.DOT
    i2i_dist = Distance.COSINE
    config_class = AlsModelConfig

    def __init__(
        self,
        verbose: int = 0,
        recommend_n_threads: int = 0,
        recommend_use_gpu_ranking: bool = True,
        **parameters: Any,
    ) -> None:
        super().__init__(verbose=verbose)
        self.als = ALS(**parameters)
        self._parameters = parameters
        self.recommend_n_threads = recommend_n_threads
        self.recommend_use_gpu_ranking = recommend_use_gpu_ranking

    def _get_config(self) -> AlsModelConfig:
        return AlsModelConfig(
            cls=self.__class__,
            verbose=self.verbose,
            parameters=self._parameters,
            recommend_n_threads=self.recommend_n_threads,
            recommend_use_gpu_ranking=self.recommend_use_gpu_ranking,
        )

    @classmethod
    def _from_config(cls, config: AlsModelConfig) -> Self:
        return cls(config.verbose, config.recommend_n_threads, config.recommend_use_gpu_ranking, **config.parameters)

    def _fit(self, dataset: Dataset) -> None:
        self.als.fit(dataset.get_user_item_matrix(include_weights=True))

    def _get_users_factors(self, dataset: Dataset) -> Factors:
        return Factors(self.als.model_.user_factors)

    def _get_items_factors(self, dataset: Dataset) -> Factors:
        return Factors(self.als.model_.item_factors)

    def _get_i2i_vectors(self, dataset: Dataset) -> tuple[np.ndarray, np.ndarray]:
        """Without the levels of a model with biases, as Model.similar_items: those of items alike may differ."""
        model = self.als.model_
        features = model.item_factors[:, : model._features]
        return features, features
