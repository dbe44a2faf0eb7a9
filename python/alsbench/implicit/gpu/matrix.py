# SPDX-License-Identifier: Apache-2.0
"""Matrix: the factors of a model of the GPU."""

from typing import Any

import numpy as np


class Matrix(np.ndarray):
    """An array of numpy with the constructor and `to_numpy` of `implicit.gpu.Matrix`. Its memory is the host's."""

    def __new__(cls, array: Any) -> "Matrix":
        return np.asarray(array).view(cls)

    def to_numpy(self) -> np.ndarray:
        """The same numbers as a plain array, not copied."""
        return np.asarray(self)
