# SPDX-License-Identifier: Apache-2.0
"""AlternatingLeastSquares of `implicit.als`: the model of the CPU or of the GPU."""

from typing import Any

import numpy as np

import alsbench.implicit.cpu.als
import alsbench.implicit.gpu.als
from alsbench.implicit.cpu.als import made
from alsbench.implicit.recommender_base import ModelFitError
from alsbench.implicit.utils import RandomState

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

    use_gpu: None is whether there is a GPU. Raises ValueError where one is asked for that is not there.
    """
    values = dict(locals())
    on_gpu = alsbench.implicit.gpu.HAS_CUDA if use_gpu is None else use_gpu
    return made((alsbench.implicit.gpu.als if on_gpu else alsbench.implicit.cpu.als).AlternatingLeastSquares, values)
