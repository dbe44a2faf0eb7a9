# SPDX-License-Identifier: Apache-2.0
"""AlternatingLeastSquares of `implicit.gpu.als`. Factors are numpy's arrays here, too."""

from typing import Any

import numpy as np

from alsbench.errors import UsageError
from alsbench.implicit.cpu import als as cpu
from alsbench.implicit.utils import RandomState, confidences, weights


class AlternatingLeastSquares(cpu.AlternatingLeastSquares):
    """The model of alsbench.implicit.cpu.als on the first GPU. dtype may be float16, too.

    A GPU computes confidences c from 1 on: those below 1 are UsageError in fit, and the weight c - 1 in A_u is 1e-4 at least.
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
        super().__init__(
            factors,
            regularization,
            alpha,
            dtype,
            iterations=iterations,
            calculate_training_loss=calculate_training_loss,
            random_state=random_state,
        )

    def _hyper(self) -> str:
        return "alpha=1"  # c = 1 + r

    def _pipelines(self) -> dict[str, str]:
        return {}  # the rules choose

    def _ratings(self, matrix: Any, columns: int, name: str) -> Any:
        given = confidences(matrix, columns, self.alpha, name)
        if given.data.size and given.data.min() < 1:
            raise UsageError(
                f"{name}: has the confidence {given.data.min()}, and a GPU computes those from 1 on; use use_gpu=False"
            )
        return weights(given, name)
