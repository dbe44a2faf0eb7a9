# SPDX-License-Identifier: Apache-2.0
"""AlternatingLeastSquares of `implicit.als`: the model of the CPU or of the GPU."""

from typing import Any

import numpy as np

import alsbench.implicit.cpu.als
import alsbench.implicit.gpu.als
from alsbench.implicit.utils import ModelFitError, RandomState

__all__ = ["AlternatingLeastSquares", "ModelFitError"]


def AlternatingLeastSquares(
    factors: int = 100,
    regularization: float = 0.01,
    alpha: float = 1.0,
    dtype: Any = np.float32,
    use_native: bool = True,
    use_cg: bool = True,
    use_gpu: bool | None = None,
    iterations: int = 15,
    calculate_training_loss: bool = False,
    num_threads: int = 0,
    random_state: RandomState = None,
) -> "alsbench.implicit.cpu.als.AlternatingLeastSquares":
    """A model of alsbench.implicit.gpu.als with use_gpu, else of alsbench.implicit.cpu.als, which has the arguments.

    use_gpu: None is whether there is a GPU.
    """
    if alsbench.implicit.gpu.HAS_CUDA if use_gpu is None else use_gpu:
        return alsbench.implicit.gpu.als.AlternatingLeastSquares(
            factors,
            regularization,
            alpha,
            dtype=dtype,
            iterations=iterations,
            calculate_training_loss=calculate_training_loss,
            random_state=random_state,
        )
    return alsbench.implicit.cpu.als.AlternatingLeastSquares(
        factors,
        regularization,
        alpha,
        dtype,
        use_native,
        use_cg,
        iterations,
        calculate_training_loss,
        num_threads,
        random_state,
    )
