# SPDX-License-Identifier: Apache-2.0
"""AlternatingLeastSquares of `implicit.gpu.als`."""

import logging
from typing import Any

import numpy as np

from alsbench.implicit import gpu
from alsbench.implicit.cpu import als as cpu
from alsbench.implicit.cpu.als import calculate_loss
from alsbench.implicit.gpu.matrix import Matrix
from alsbench.implicit.utils import RandomState, weights

__all__ = ["AlternatingLeastSquares", "calculate_loss"]

log = logging.getLogger("alsbench.implicit")


class AlternatingLeastSquares(cpu.AlternatingLeastSquares):
    """The model of alsbench.implicit.cpu.als on the first GPU. dtype may be float16, too; scores and norms are float32 then.

    A GPU computes confidences c from 1 on, and the weight c - 1 in A_u is 1e-4 at least. Matrices with confidences below 1
    are trained and folded in on the CPU. From a million cells on, the rules choose a pipeline: up to 102 factors it reads
    them as halves (sm_80 and newer). Factors, norms and Gram matrices are of alsbench.implicit.gpu.Matrix.

    Raises ValueError where there is no GPU.
    """

    _device_name = "0"
    _dtypes = (np.float16, np.float32, np.float64)

    def __init__(
        self,
        factors: int = 64,
        regularization: float = 0.01,
        alpha: float = 1.0,
        dtype: Any = np.float32,
        iterations: int = 15,
        calculate_training_loss: bool = False,
        random_state: RandomState = None,
    ) -> None:
        if not gpu.HAS_CUDA:
            raise ValueError("there is no GPU here that CUDA sees; alsbench doctor says why. Give use_gpu=False")
        super().__init__(
            factors,
            regularization,
            alpha,
            dtype,
            iterations=iterations,
            calculate_training_loss=calculate_training_loss,
            random_state=random_state,
        )

    def _given(self, numbers: Any) -> Any:
        return None if numbers is None else Matrix(numbers)

    def _folded_in(self, ids: Any, matrix: Any, fixed: np.ndarray, users: bool) -> np.ndarray:
        return Matrix(super()._folded_in(ids, matrix, fixed, users))

    def _solved_from(self, given: Any) -> tuple[Any, str, str]:
        if _goes_below_one(given):
            return given, cpu.DIRECT, "cpu"
        return weights(given), cpu.ADDED, self._device_name

    def _request(self, user_items: Any) -> Any:
        request = super()._request(user_items)
        if self.iterations > 0 and _is_from_one_on(user_items.data, self.alpha):
            request.device = self._device_name
            request.open_ahead()
        return request

    def _problem(self, user_items: Any) -> tuple[Any, str, dict[str, str], str]:
        given = self._confidences(user_items, user_items.shape[1], "user_items")
        if _goes_below_one(given):
            log.info("confidences below 1 are trained on the CPU")
            return self.to_cpu()._problem(user_items)
        if given.data.size >= cpu.MANY_CELLS and self.cg_steps == cpu.STEPS_OF_RULES:
            pipelines = {}  # the rules choose
        else:  # in FP32, as on a CPU
            pipelines = {"": f"implicit_equations:tiled/solve:cg:steps={self.cg_steps}"}
        return weights(given), cpu.ADDED, pipelines, self._device_name


def _goes_below_one(given: Any) -> bool:
    return given.least_value < 1


def _is_from_one_on(values: np.ndarray, alpha: float) -> bool:
    """Whether all confidences surely are, before they are computed. Cells that are there twice are added up."""
    known = values.size > 0 and values.dtype.kind in "buif" and alpha > 0
    return bool(known and np.float32(values.min()) * np.float32(alpha) >= 1)
