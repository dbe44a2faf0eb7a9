# SPDX-License-Identifier: Apache-2.0
"""Matrix: the factors of a model of the GPU."""

from typing import Any

import numpy as np


class Matrix(np.ndarray):
    """An array of numpy with the constructor and `to_numpy` of `implicit.gpu.Matrix`. Its memory is the host's."""

    def __new__(cls, array: Any) -> "Matrix":
        return np.asarray(array).view(cls)

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """Numbers are no matrices."""
        return array[()] if array.ndim == 0 else super().__array_wrap__(array, context, return_scalar)

    def to_numpy(self) -> np.ndarray:
        """A plain array of the same numbers, copied."""
        return np.array(self)
