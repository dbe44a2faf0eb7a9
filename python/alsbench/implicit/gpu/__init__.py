# SPDX-License-Identifier: Apache-2.0
"""Models that train and recommend on the first GPU."""

from alsbench._libraries import native
from alsbench.implicit.gpu.matrix import Matrix

HAS_CUDA: bool = native.cuda_devices() > 0

__all__ = ["HAS_CUDA", "Matrix"]
