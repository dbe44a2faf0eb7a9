# SPDX-License-Identifier: Apache-2.0
"""The interface of the library `implicit`, version 0.7.3, on alsbench: ALS and its evaluation.

A script changes its imports and nothing else: `implicit.als` becomes `alsbench.implicit.als`, and `implicit.evaluation`
`alsbench.implicit.evaluation`. docs/reference/python.md has what differs.
"""

from alsbench.implicit import als, cpu, evaluation, gpu, recommender_base, utils

__all__ = ["als", "cpu", "evaluation", "gpu", "recommender_base", "utils"]
