# SPDX-License-Identifier: Apache-2.0
"""Models that train and recommend on the CPU."""

from alsbench.implicit.cpu import als

__all__ = ["als"]
