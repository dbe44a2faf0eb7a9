# SPDX-License-Identifier: Apache-2.0
"""Models of alsbench.implicit for its tests, and their equations in double over dense matrices."""

import numpy as np

from alsbench.implicit.als import AlternatingLeastSquares

USERS, ITEMS, RANK, LAMBDA = 40, 30, 5, 0.3


def model_of(**parameters):
    return AlternatingLeastSquares(
        **{
            "factors": RANK,
            "regularization": LAMBDA,
            "iterations": 4,
            "use_cg": False,
            "use_gpu": False,
            "random_state": 5,
            **parameters,
        }
    )


def row_equations(values, fixed, regularization=LAMBDA):
    """A and b of a row: over all columns, those without a value among them."""
    c = np.where(values == 0, 1, np.abs(values))
    a = (fixed.T * c) @ fixed + regularization * np.eye(fixed.shape[1])
    return a, (c * (values > 0)) @ fixed


def solved(values, fixed):
    if not values.any():
        return np.zeros(fixed.shape[1])
    return np.linalg.solve(*row_equations(values, fixed))


class Fixed:
    """Recommends the same items to everyone, in rows of its own."""

    def __init__(self, ids):
        self.ids = ids

    def recommend(self, users, user_items, N):
        assert user_items.shape[0] == len(users)
        return self.ids[users, :N], None
