# SPDX-License-Identifier: Apache-2.0
"""Tables of results as pandas.DataFrame. pandas is imported when the first is asked for."""

from collections.abc import Mapping, Sequence
from typing import Any


def frame_of(rows: Sequence[Mapping[str, Any]]) -> Any:
    """A row for each mapping. Missing values are missing in their column."""
    import pandas

    return pandas.DataFrame(list(rows))
