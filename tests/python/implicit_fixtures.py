# SPDX-License-Identifier: Apache-2.0
"""Confidences and a model of them, for tests of alsbench.implicit."""

import numpy as np
import pytest
import scipy.sparse
from implicit_models import ITEMS, USERS, model_of


@pytest.fixture(scope="module")
def counts():
    """Confidences above and below 1, and below 0 where a user does not prefer an item; user 3 and item 7 have none."""
    random = np.random.default_rng(1)
    dense = np.where(random.random((USERS, ITEMS)) < 0.3, random.choice([0.25, 1, 2.5, 8, -0.5, -3], (USERS, ITEMS)), 0)
    dense[3], dense[:, 7] = 0, 0
    return scipy.sparse.csr_matrix(dense.astype(np.float32))


@pytest.fixture(scope="module")
def model(counts):
    model = model_of(alpha=2.0)
    model.fit(counts, show_progress=False)
    return model
